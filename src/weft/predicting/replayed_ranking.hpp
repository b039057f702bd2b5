// predicting/replayed_ranking: the best strategies of a ranking, replayed event by event.
// Pure: makes no MPI call and no FFT library's.
#pragma once

#include <optional>
#include <vector>

#include "weft/choose/ranking.hpp"
#include "weft/replay/replay.hpp"

namespace weft {

/// A strategy, what it is predicted to take in closed form and, if it was replayed, what that
/// tells.
struct Replayed : Ranked {
  std::optional<Replay> replay = {};

  /// What the replay tells, or what is predicted in closed form if there was none.
  double seconds() const { return replay ? replay->seconds : cost.seconds(); }
};

/// Error::unsupported for more than 4096 ranks, for callers that would plan for long before a
/// replay of so many is refused.
void require_replayable(int ranks);

/// Replays the first `count` strategies of `ranked`, and sorts these by the time that this tells.
/// Where `options` leave the numbers of chunks open, those of a strategy are doubled, or halved,
/// all together, for as long as this makes its replay at least 1% faster. Errors: see
/// require_replayable, replayed.
std::vector<Replayed> replay_best(std::vector<Ranked> ranked, std::size_t count,
                                  const Problem& problem, const CostPredictor& predictor,
                                  const Options& options);

}  // namespace weft
