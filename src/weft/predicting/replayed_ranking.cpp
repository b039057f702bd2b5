// predicting/replayed_ranking: replays strategies, and tries other numbers of chunks.

#include "weft/predicting/replayed_ranking.hpp"

#include <algorithm>
#include <utility>

#include "weft/predicting/replayed.hpp"

namespace weft {

namespace {

// The programs of 4096 ranks take gigabytes.
constexpr int most_replayed_ranks = 4096;

// More messages cost other jobs something, too.
constexpr double least_gain_of_chunks = 0.01;

// The strategy with twice as many chunks in all exchanges that have several, or half as many.
// Nothing if there are none, or if one would have more than may be.
std::optional<Strategy> in_chunks(Strategy strategy, bool finer) {
  bool any = false;
  for (Stage& stage : strategy.stages) {
    auto* exchange = std::get_if<ExchangeStage>(&stage);
    if (exchange == nullptr || exchange->chunks <= 1) continue;
    exchange->chunks = finer ? 2 * exchange->chunks : exchange->chunks / 2;
    if (exchange->chunks > most_chunks) return std::nullopt;
    any = true;
  }
  if (!any) return std::nullopt;
  return strategy;
}

// Changes the numbers of chunks of a strategy that was replayed.
void improve_chunks(Replayed& ranked, const Problem& problem, const CostPredictor& predictor) {
  const double before = ranked.seconds();
  for (const bool finer : {true, false}) {
    while (auto strategy = in_chunks(ranked.strategy, finer)) {
      Replayed other{{std::move(*strategy), {}}};
      other.cost = predictor.cost(other.strategy, problem, exchange_kinds());
      other.replay = replayed(other.strategy, other.cost, problem, predictor);
      if (other.seconds() * (1 + least_gain_of_chunks) > ranked.seconds()) break;
      ranked = std::move(other);
    }
    if (ranked.seconds() < before) break;
  }
}

}  // namespace

void require_replayable(int ranks) {
  if (ranks > most_replayed_ranks)
    throw Error(Error::unsupported, fmt::format("a replay of {} ranks takes minutes", ranks),
                fmt::format("replay at most {} ranks", most_replayed_ranks));
}

std::vector<Replayed> replay_best(std::vector<Ranked> ranked, std::size_t count,
                                  const Problem& problem, const CostPredictor& predictor,
                                  const Options& options) {
  if (count > 0) require_replayable(predictor.ranks().ranks);
  std::vector<Replayed> all;
  for (Ranked& each : ranked) all.push_back({std::move(each)});
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
  const bool are_chunks_open = options.chunks == 0 && options.strategy.empty();
  for (auto each = all.begin(); each != end; ++each) {
    each->replay = replayed(each->strategy, each->cost, problem, predictor);
    if (are_chunks_open) improve_chunks(*each, problem, predictor);
  }
  std::stable_sort(all.begin(), end,
                   [](const Replayed& a, const Replayed& b) { return a.seconds() < b.seconds(); });
  return all;
}

}  // namespace weft
