// plan/ranking: strategies for a machine that one need not have, by predicted time.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include <optional>
#include <vector>

#include "weft/options.hpp"
#include "weft/planning/cost.hpp"
#include "weft/replay/replay.hpp"

namespace weft {

/// A strategy, and what it is predicted to take.
struct Ranked {
  Strategy strategy;
  StrategyCost cost;
  std::optional<Replay> replay = {};

  /// As far as is known: of the replay, or in closed form.
  double seconds() const { return replay ? replay->seconds : cost.seconds(); }
};

/// What predictions need to know of all exchanges.
std::vector<ExchangeKind> exchange_kinds();

/// Strategies for `problem` (validated; c2c, r2c or r2r) on the ranks of `predictor`, the fastest
/// first, each once: the planner's choice, its choice for every process grid of two axes and, where
/// the problem leaves both ends free and has three axes, every rotation of every such grid: which
/// axis is transformed first, second and last; with four axes and more, slabs with one exchange
/// that has two axes and more on either side; of these, the 64 (for more than 512 ranks 16, for
/// more than 4096 ranks 2) that are fastest as far as the busiest rank tells. Error::unsupported
/// for more than 65536 ranks. Only one if `options` has a strategy, the planner's choices for one
/// grid if it has a grid. Errors: see chosen_strategy.
std::vector<Ranked> ranked_strategies(const Problem& problem, const CostPredictor& predictor,
                                      const Options& options);

/// Error::unsupported for more than 4096 ranks, for callers that would plan for long before a
/// replay of so many is refused.
void require_replayable(int ranks);

/// Replays the first `count` of them, and sorts these by the time that this tells. Where `options`
/// leave the numbers of chunks open, those of a strategy are doubled, or halved, all together, for
/// as long as this makes its replay at least 1% faster. Errors: see require_replayable, replayed.
void replay_best(std::vector<Ranked>& ranked, std::size_t count, const Problem& problem,
                 const CostPredictor& predictor, const Options& options);

}  // namespace weft
