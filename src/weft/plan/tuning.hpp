// plan/tuning: races plans for a problem, and remembers the fastest.
// Keeps: agreement - all ranks race the same plans, and choose by the slowest rank.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/options.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/planning/wisdom.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// A plan that was raced, and the shortest time of the slowest rank, there and back. Times of
/// different rounds are made comparable by the plan that was the fastest before, which is in each.
struct Raced {
  std::string round;  ///< what the round was about: "exchange and process grid", "chunks", ...
  std::string what;   ///< the strategy, and what else was changed
  double seconds = 0;
};

/// What was found.
struct Tuned {
  WisdomEntry entry;
  std::vector<Raced> raced;
};

/// What is being done, for a report of progress; called on all ranks alike, and not collective.
using TuningNews = std::function<void(const std::string&)>;

/// Races plans for `problem` for about Options::tune_seconds: the most promising strategies by
/// predicted time, with every exchange that applies; then, of the fastest, other numbers of chunks,
/// other segments of messages between nodes, other choices of Progress (a thread only where MPI
/// allows it on all ranks), tiles of other sizes, fewer threads. What the options fix is not
/// changed. What is kept is faster than the plan that is made without tuning, in a last race
/// against it by the rule of choose/turns, or is that plan. Does not remember it.
///
/// Strategies are compared without choices of their passes; those of the fastest are then tried.
/// `untuned` is a plan for `problem` with `options`, made without wisdom; it is destroyed.
/// Collective; errors as of AnyPlan; Error::system if transforms of this process are under way.
Tuned tuned(std::unique_ptr<PlanBody> untuned, const Problem& problem, const Options& options,
            const TuningNews& news = {});

}  // namespace weft
