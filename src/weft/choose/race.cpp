// choose/race: the plans, their arrays, and their turns.

#include "weft/choose/race.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

Contender::Contender(const Options& options_) : options(options_) {
  shortest.assign(2, Times::none);  // now, as turns should not need memory
}

Race::Race(const std::shared_ptr<const Communicator>& comm, MakeRacedPlan make,
           const Problem& problem, const std::vector<Options>& all, std::int64_t bytes)
    : comm_(comm), make_(std::move(make)), problem_(problem), bytes_{.arrays = bytes} {
  agree(*comm, [&] {
    for (const Options& options : all) all_.emplace_back(options);
  });
  make_plan(0);
  make_arrays();
}

// Error::system if there is not enough memory. Collective.
void Race::make_plan(std::size_t number) {
  all_[number].plan = make_(problem_, all_[number].options, bytes_);
  const std::int64_t own = all_[number].plan->held_bytes();
  bytes_.plans += own;
  bytes_.largest_plan = std::max(bytes_.largest_plan, own);
}

// Those for which there is no memory are left out, unless that leaves one alone. Collective.
void Race::make_others() {
  for (std::size_t made = 1; made < all_.size(); ++made) {
    if (all_[made].plan) continue;
    try {
      make_plan(made);
    } catch (const Error& error) {
      if (error.code() != Error::system || made < fewest_plans) throw;
      all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(made), all_.end());
    }
  }
  make_arrays();
}

// For all plans that there are: strategies may leave a result that may lie anywhere on other ranks.
// Collective.
void Race::make_arrays() {
  agree(*comm_, [&] {
    std::int64_t in = 0, out = 0;
    for (const Contender& one : all_) {
      if (!one.plan) continue;
      in = std::max(in, one.plan->input().elements * one.plan->input().scalar.bytes());
      out = std::max(out, one.plan->output().elements * one.plan->output().scalar.bytes());
    }
    if (problem_.in_place) in = out = std::max(in, out);
    if (input_ && in <= input_bytes_ && out <= output_bytes_) return;
    const RacedPlan& plan = *all_.front().plan;
    input_ = plan.allocate(in);
    output_ = problem_.in_place ? input_ : plan.allocate(out);
    input_bytes_ = in;
    output_bytes_ = out;
  });
}

bool Race::run(double seconds) {
  // The first run touches the arrays, and tells how long others will take; it does not count.
  Contender& first = all_.front();
  first_seconds_ = timed(first, true) + timed(first, false);
  while (all_.size() > fewest_plans && !has_time(first_seconds_, all_.size(), seconds))
    all_.pop_back();
  if (!has_time(first_seconds_, all_.size(), seconds)) return false;
  make_others();
  const std::vector<Entrant*> entrants = agree(*comm_, [&] {
    std::vector<Entrant*> each;
    for (Contender& one : all_) each.push_back(&one);
    return each;
  });
  const double begin = now();
  run_in_turns(
      entrants,
      [&](std::size_t number, int turn) {
        Contender& one = all_[number];
        const double there = timed(one, true);
        one.add(turn, std::array{there, timed(one, false)});
      },
      [&] { return comm_->max(now() - begin) > seconds; });
  return true;
}

const Contender& Race::kept(std::size_t peers) const {
  std::vector<Times> times;
  for (const Contender& one : all_) times.push_back(one.times);
  return all_[weft::kept(times, peers)];
}

// All ranks take the time of the slowest, so that all know the same. Collective.
double Race::timed(Contender& one, bool is_forward) {
  std::byte* const from = (is_forward ? input_ : output_).get();
  std::byte* const to = (is_forward ? output_ : input_).get();
  comm_->barrier();
  const double begin = now();
  // A run may fail on one rank alone.
  agree(*comm_, [&] { one.plan->run(is_forward, from, to); });
  return comm_->max(now() - begin);
}

bool is_too_busy_for_a_race(const Communicator& comm) {
  const bool is_busy = !comm.is_alone() && !Scheduler::of_process()->is_idle();
  return comm.max(std::int64_t{is_busy}) != 0;
}

Options demanding(const std::string& strategy, const Options& options) {
  Options demands;
  demands.strategy = strategy;
  demands.effort = options.effort;
  demands.threads = options.threads;
  demands.pretend.cache_bytes = options.pretend.cache_bytes;
  demands.pretend.shared_cache_bytes = options.pretend.shared_cache_bytes;
  demands.pretend.eager_message_bytes = options.pretend.eager_message_bytes;
  demands.segment_bytes = options.segment_bytes;
  demands.pretend.node_sizes = options.pretend.node_sizes;
  demands.device = options.device;
  demands.device_memory_limit = options.device_memory_limit;
  demands.progress = Progress::by_calls;
  return demands;
}

}  // namespace weft
