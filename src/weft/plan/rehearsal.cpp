// plan/rehearsal: candidates, their plans, and the choice among them.

#include "weft/plan/rehearsal.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/plan/memory_need.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/program/maker.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

namespace {

// Data are rehearsed with from a fourth of a rank's part of the shared caches up to eight parts.
// Choices: on processors with 32 MiB for two cores, 64^3 and smaller grids are faster with stores
// to the caches, and 200^3 and larger ones without, by a tenth or more in each case.
constexpr std::int64_t least_part = 4, most_parts = 8;
// Of more passes, not every combination is tried.
constexpr std::size_t most_combined = 2;

bool transforms(const Stage& stage) {
  const auto* pass = std::get_if<PassStage>(&stage);
  return pass != nullptr && !pass->axes.empty();
}

// ---- candidates

std::vector<std::size_t> passes_of(const Strategy& strategy) {
  std::vector<std::size_t> passes;
  for (std::size_t s = 0; s < strategy.stages.size(); ++s)
    if (transforms(strategy.stages[s])) passes.push_back(s);
  return passes;
}

// Whether each of the passes stores past the caches by rule, on `rank`.
std::vector<bool> streams_by_rule(const Blueprint& blueprint, int rank) {
  const auto passes = passes_of(blueprint.strategy);
  std::vector<bool> streams(passes.size());
  for (const SweepProgram& sweep : make_program(blueprint, true, rank).sweeps)
    for (const PassProgram& pass : sweep.passes)
      for (std::size_t p = 0; p < passes.size(); ++p)
        if (pass.spec.stage == static_cast<int>(passes[p])) streams[p] = pass.spec.streaming;
  return streams;
}

Strategy with_stores(Strategy strategy, const std::vector<bool>& streams) {
  const auto passes = passes_of(strategy);
  for (std::size_t p = 0; p < passes.size(); ++p)
    std::get<PassStage>(strategy.stages[passes[p]]).choice.streams = streams[p];
  return strategy;
}

// What the rule chooses, in its words and so the first, and what differs from it: every
// combination of few passes; of more, all passes alike and one pass otherwise.
std::vector<std::string> candidates(const Blueprint& blueprint, int rank) {
  const std::vector<bool> by_rule = streams_by_rule(blueprint, rank);
  const std::size_t passes = by_rule.size();
  std::vector<std::vector<bool>> all;
  const auto add = [&](const std::vector<bool>& one) {
    if (one != by_rule && std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  };
  for (const bool yes : {false, true}) add(std::vector<bool>(passes, yes));
  for (std::size_t p = 0; p < passes; ++p) {
    std::vector<bool> one = by_rule;
    one[p] = !one[p];
    add(one);
  }
  if (passes <= most_combined)
    for (std::size_t number = 0; number < std::size_t{1} << passes; ++number) {
      std::vector<bool> one(passes);
      for (std::size_t p = 0; p < passes; ++p) one[p] = (number >> p & 1) != 0;
      add(one);
    }
  std::vector<std::string> texts{to_string(blueprint.strategy)};
  for (const auto& one : all) texts.push_back(to_string(with_stores(blueprint.strategy, one)));
  return texts;
}

// Those of rank 0, as other ranks may have so much less that their rules differ. Collective.
std::vector<std::string> agreed_candidates(const Communicator& comm, const Blueprint& blueprint) {
  const std::string mine = agree(comm, [&]() -> std::string {
    if (comm.rank() != 0) return "";
    return fmt::format("{}", fmt::join(candidates(blueprint, 0), "\n"));
  });
  const std::string texts = comm.broadcast(mine, 0);
  return agree(comm, [&] {
    std::istringstream lines(texts);
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) all.push_back(line);
    return all;
  });
}

// ---- runs

// The options of a plan that does what `strategy` says, on the machine that `options` describe.
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

struct RehearsedPlan {
  std::string strategy;
  Options options;
  std::unique_ptr<PlanBody> plan = {};
  double forward = std::numeric_limits<double>::infinity(), backward = forward;

  double seconds() const { return forward + backward; }
};

class Rehearsal {
  // As in plan/pass_trials: the part of the rule's time that a candidate must stay below, and by
  // how much a candidate that is not run again takes longer than the fastest.
  static constexpr double least_gain = 0.95, hopeless = 1.25;
  static constexpr int fewest_turns = 2, most_turns = 8;

 public:
  /// Of at least two strategies; the first is the rule's. Collective.
  Rehearsal(const std::shared_ptr<const Communicator>& comm, const Problem& problem,
            const std::vector<std::string>& strategies, const Options& options)
      : comm_(comm) {
    agree(*comm, [&] {
      for (const std::string& strategy : strategies)
        all_.push_back({strategy, demanding(strategy, options)});
    });
    for (RehearsedPlan& one : all_)
      one.plan = PlanBody::make_unreported(comm, problem, one.options);
    agree(*comm, [&] {
      const PlanBody& plan = *all_.front().plan;
      const std::int64_t in = plan.input().elements * plan.input().scalar.bytes();
      const std::int64_t out = plan.output().elements * plan.output().scalar.bytes();
      input_ = plan.allocate(problem.in_place ? std::max(in, out) : in);
      output_ = problem.in_place ? input_ : plan.allocate(out);
    });
  }

  /// Runs all in turn; after the first turns, only those that may still be the fastest. Collective.
  void run(double seconds) {
    // The first run touches the arrays, and tells how long others will take; it does not count.
    RehearsedPlan& rule = all_.front();
    const double once = timed(rule, true) + timed(rule, false);
    if (once * fewest_turns * static_cast<double>(all_.size()) > 2 * seconds) return;
    const double begin = now();
    for (int turn = 0; turn < most_turns; ++turn)
      for (RehearsedPlan& one : all_) {
        if (turn >= fewest_turns && one.seconds() > hopeless * best()) continue;
        one.forward = std::min(one.forward, timed(one, true));
        one.backward = std::min(one.backward, timed(one, false));
        if (turn >= fewest_turns && comm_->max(now() - begin) > seconds) return;
      }
  }

  /// Not collective.
  MeasuredStrategy chosen() const {
    const auto fastest =
        std::min_element(all_.begin(), all_.end(),
                         [](const auto& a, const auto& b) { return a.seconds() < b.seconds(); });
    const RehearsedPlan& rule = all_.front();
    const RehearsedPlan& best = fastest->seconds() < least_gain * rule.seconds() ? *fastest : rule;
    MeasuredStrategy measured{parse_strategy(best.strategy), {}};
    for (const RehearsedPlan& one : all_)
      if (one.seconds() < std::numeric_limits<double>::infinity())
        measured.tried += fmt::format("  {:>9.3f} ms  {}{}\n", 1e3 * one.seconds(), one.strategy,
                                      &one == &best ? "  (kept)" : "");
    return measured;
  }

 private:
  double best() const {
    double best = std::numeric_limits<double>::infinity();
    for (const RehearsedPlan& one : all_) best = std::min(best, one.seconds());
    return best;
  }

  // All ranks take the time of the slowest, so that all know the same. Collective.
  double timed(RehearsedPlan& one, bool is_forward) {
    std::byte *const from = (is_forward ? input_ : output_).get(),
                     *const to = (is_forward ? output_ : input_).get();
    comm_->barrier();
    const double begin = now();
    // A run may fail on one rank alone.
    agree(*comm_, [&] { one.plan->start(is_forward, from, to).wait(); });
    return comm_->max(now() - begin);
  }

  std::shared_ptr<const Communicator> comm_;
  std::vector<RehearsedPlan> all_;
  std::shared_ptr<std::byte> input_, output_;
};

// Error::system if all candidates together need more memory than there is: their workspaces take
// about as much as their arrays at most. Collective.
void require_memory_for(std::size_t candidates, std::int64_t bytes, const Communicator& comm) {
  MemoryUse use;
  use.input = bytes;
  use.buffers = static_cast<std::int64_t>(candidates) * bytes;
  require_memory(comm, use);
}

}  // namespace

bool is_worth_rehearsal(std::int64_t bytes, const Machine& machine) {
  const std::int64_t cache = machine.shared_cache_bytes;
  return bytes * least_part >= cache && bytes <= most_parts * cache;
}

MeasuredStrategy rehearsed(const std::shared_ptr<const Communicator>& comm, const Problem& problem,
                           const Blueprint& blueprint, const Options& options, std::int64_t bytes,
                           double seconds) {
  const auto by_rule = [&] {
    return agree(*comm, [&] { return MeasuredStrategy{blueprint.strategy, {}}; });
  };
  const bool is_busy = !comm->is_alone() && !Scheduler::of_process()->is_idle();
  if (comm->max(std::int64_t{is_busy}) != 0) return by_rule();
  const std::vector<std::string> strategies = agreed_candidates(*comm, blueprint);
  if (strategies.size() < 2) return by_rule();
  try {
    require_memory_for(strategies.size(), bytes, *comm);
    Rehearsal rehearsal(comm, problem, strategies, options);
    rehearsal.run(seconds);
    return agree(*comm, [&] { return rehearsal.chosen(); });
  } catch (const Error& error) {
    if (error.code() != Error::system) throw;
    return by_rule();
  }
}

}  // namespace weft
