// plan/race: the plans, their arrays, and their turns.

#include "weft/plan/race.hpp"

#include <algorithm>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/plan/memory_need.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

namespace {

// Error::system if all plans together need more memory than there is: their workspaces take about
// as much as their arrays at most. Collective.
void require_memory_for(std::size_t plans, std::int64_t bytes, const Communicator& comm) {
  MemoryUse use;
  use.input = bytes;
  use.buffers = static_cast<std::int64_t>(plans) * bytes;
  require_memory(comm, use);
}

}  // namespace

double wins(const Contender& a, const Contender& b) {
  const std::size_t turns = std::min(a.turns.size(), b.turns.size());
  std::size_t won = 0;
  for (std::size_t turn = 0; turn < turns; ++turn)
    if (a.turns[turn] < b.turns[turn]) ++won;
  return turns == 0 ? 0 : static_cast<double>(won) / static_cast<double>(turns);
}

Race::Race(const std::shared_ptr<const Communicator>& comm, const Problem& problem,
           const std::vector<Options>& all, std::int64_t bytes)
    : comm_(comm) {
  require_memory_for(all.size(), bytes, *comm);
  agree(*comm, [&] {
    for (const Options& options : all) all_.push_back({options});
  });
  for (Contender& one : all_) one.plan = PlanBody::make_unreported(comm, problem, one.options);
  agree(*comm, [&] {
    const PlanBody& plan = *all_.front().plan;
    std::int64_t in = 0, out = 0;
    // Strategies may leave a result that may lie anywhere on other ranks.
    for (const Contender& one : all_) {
      in = std::max(in, one.plan->input().elements * one.plan->input().scalar.bytes());
      out = std::max(out, one.plan->output().elements * one.plan->output().scalar.bytes());
    }
    input_ = plan.allocate(problem.in_place ? std::max(in, out) : in);
    output_ = problem.in_place ? input_ : plan.allocate(out);
  });
}

bool Race::run(double seconds, const Turns& turns) {
  // The first run touches the arrays, and tells how long others will take; it does not count.
  Contender& first = all_.front();
  const double once = timed(first, true) + timed(first, false);
  if (once * turns.fewest * static_cast<double>(all_.size()) > 2 * seconds) return false;
  const double begin = now();
  for (int turn = 0; turn < turns.most; ++turn)
    for (Contender& one : all_) {
      if (turn >= turns.fewest && one.seconds() > turns.hopeless * fastest().seconds()) continue;
      const double there = timed(one, true), back = timed(one, false);
      one.forward = std::min(one.forward, there);
      one.backward = std::min(one.backward, back);
      agree(*comm_, [&] { one.turns.push_back(there + back); });
      if (turn >= turns.fewest && comm_->max(now() - begin) > seconds) return true;
    }
  return true;
}

const Contender& Race::fastest() const {
  return *std::min_element(all_.begin(), all_.end(), [](const Contender& a, const Contender& b) {
    return a.seconds() < b.seconds();
  });
}

// All ranks take the time of the slowest, so that all know the same. Collective.
double Race::timed(Contender& one, bool is_forward) {
  std::byte *const from = (is_forward ? input_ : output_).get(), *const to =
                                                                     (is_forward ? output_ : input_)
                                                                         .get();
  comm_->barrier();
  const double begin = now();
  // A run may fail on one rank alone.
  agree(*comm_, [&] { one.plan->start(is_forward, from, to).wait(); });
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
  demands.cache_bytes = options.cache_bytes;
  demands.shared_cache_bytes = options.shared_cache_bytes;
  demands.eager_message_bytes = options.eager_message_bytes;
  demands.node_sizes = options.node_sizes;
  demands.progress = Progress::by_calls;
  return demands;
}

}  // namespace weft
