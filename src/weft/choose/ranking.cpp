// choose/ranking: lists candidates, and sorts them by their costs.

#include "weft/choose/ranking.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/choose/chosen_strategy.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/planning/constants.hpp"
#include "weft/planning/pass_grouping.hpp"
#include "weft/planning/split_candidates.hpp"
#include "weft/problem/axis_transform.hpp"

namespace weft {

namespace {

// All pairs of numbers whose product is `ranks`.
std::vector<Dims> grids_of(int ranks) {
  std::vector<Dims> grids;
  for (int rows = 1; rows <= ranks; ++rows)
    if (ranks % rows == 0) grids.push_back({rows, ranks / rows});
  return grids;
}

// Whether all axes are transformed, all points stored, and the field may start and end anywhere.
bool is_free(const Problem& problem, const Options& options) {
  const bool is_whole =
      problem.modes.empty() && problem.support.axes() == 0 && !problem.cutoff.is_given() &&
      static_cast<int>(problem.axes.size()) == problem.extents.size() && problem.batch == 1;
  return is_whole && problem.input.form == Distribution::free &&
         problem.output.form == Distribution::free && options.ranks == 0 &&
         !options.placement.is_given();
}

bool may_be(Distribution::Form asked, Distribution::Form form) {
  return asked == Distribution::free || asked == form;
}

// Pencils along the axes of `order`, one after another, on a process grid of rows and columns: the
// first exchange is within its rows, the second within its columns. Axes that are together on a
// rank are grouped into passes.
Strategy pencils(const Strategy& like, const std::string& exchange, const std::array<int, 3>& order,
                 const Dims& grid, const PassGrouping& grouping) {
  const auto place = [&](int row_axis, int column_axis) {
    Place pieces;
    pieces.grid.parts = Dims::filled(3, 1);
    pieces.grid.parts[row_axis] = grid[0];
    pieces.grid.parts[column_axis] = grid[1];
    return pieces;
  };
  const auto [first, second, third] = order;
  Strategy strategy;
  strategy.engine = like.engine;
  strategy.from = place(second, third);
  std::vector<int> together{first};
  const auto transform = [&] {
    for (const PassStage& pass : grouping.passes(together)) strategy.stages.emplace_back(pass);
    together.clear();
  };
  if (grid[0] > 1) {
    transform();
    strategy.stages.emplace_back(ExchangeStage{exchange, place(first, third)});
  }
  together.push_back(second);
  if (grid[1] > 1) {
    transform();
    strategy.stages.emplace_back(ExchangeStage{exchange, place(first, second)});
  }
  together.push_back(third);
  transform();
  return strategy;
}

// Slabs with one exchange, before which the axes from `second` on are transformed, and after it
// those before `second`. The grouping has the passes of either side.
Strategy slabs(const Strategy& like, const std::string& exchange, int axes, int second, int ranks,
               const PassGrouping& grouping) {
  const auto place = [&](int axis) {
    Place pieces;
    pieces.grid.parts = Dims::filled(axes, 1);
    pieces.grid.parts[axis] = ranks;
    return pieces;
  };
  Strategy strategy;
  strategy.engine = like.engine;
  const auto transform = [&](int first, int end) {
    std::vector<int> together;
    for (int axis = end - 1; axis >= first; --axis) together.push_back(axis);
    for (const PassStage& pass : grouping.passes(together)) strategy.stages.emplace_back(pass);
  };
  strategy.from = place(0);
  transform(second, axes);
  strategy.stages.emplace_back(ExchangeStage{exchange, place(second)});
  transform(0, second);
  return strategy;
}

// The name of the first exchange of a strategy; of one without, that of MPI's.
std::string exchange_of(const Strategy& strategy) {
  for (const Stage& stage : strategy.stages)
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage)) return exchange->exchange;
  return "alltoallv";
}

class Ranking {
 public:
  Ranking(const Problem& problem, const CostPredictor& predictor)
      : problem_(problem), predictor_(predictor), kinds_(exchange_kinds()) {}

  void add(Strategy strategy) {
    const bool is_known =
        std::any_of(candidates_.begin(), candidates_.end(),
                    [&](const Ranked& each) { return each.strategy == strategy; });
    if (is_known) return;
    StrategyCost cost = predictor_.cost(strategy, problem_, kinds_, CostPredictor::busiest_rank);
    candidates_.push_back({std::move(strategy), std::move(cost)});
  }

  // All links are looked at for those that seem to be the fastest without.
  std::vector<Ranked> ranked() {
    sort();
    const auto entry = std::ranges::find_if(
        constants::compared,
        [&](const constants::Compared& each) { return predictor_.ranks().ranks <= each.ranks; });
    const std::size_t most = entry->strategies;
    if (candidates_.size() > most) candidates_.resize(most);
    for (Ranked& each : candidates_) each.cost = predictor_.cost(each.strategy, problem_, kinds_);
    sort();
    return std::move(candidates_);
  }

 private:
  void sort() {
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const Ranked& a, const Ranked& b) {
      return a.cost.seconds() < b.cost.seconds();
    });
  }

  const Problem& problem_;
  const CostPredictor& predictor_;
  std::vector<ExchangeKind> kinds_;
  std::vector<Ranked> candidates_;
};

// Calls visit(order, grid) for every order of three axes and every grid that they have points for.
template <class Visit>
void for_each_rotation(const Problem& problem, const std::vector<Dims>& grids, bool needs_pencils,
                       const Visit& visit) {
  const int half = half_axis(problem);
  const Dims extents = output_extents(problem);
  std::array<int, 3> order{0, 1, 2};
  do {
    if (half >= 0 && order.front() != half) continue;
    for (const Dims& grid : grids) {
      if (grid.size() != 2) continue;
      if (needs_pencils && (grid[0] == 1 || grid[1] == 1)) continue;
      // The rows divide the second axis, then the first; the columns the third, then the second.
      const auto least = [&](std::size_t a, std::size_t b) {
        return std::min(extents[order[a]], extents[order[b]]);
      };
      if (grid[0] <= least(0, 1) && grid[1] <= least(1, 2)) visit(order, grid);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

// Calls visit(second) for slabs along axis 0 and then `second`, with two axes and more on either
// side of the exchange. With one axis, they are the planner's own. The last axis is transformed
// first, so that no other one may be halved.
template <class Visit>
void for_each_pair_of_slabs(const Problem& problem, int ranks, const Visit& visit) {
  const int half = half_axis(problem);
  if (half >= 0 && half + 1 != problem.extents.size()) return;
  if (ranks == 1 || problem.extents[0] < ranks) return;
  for (int second = 2; second + 2 <= problem.extents.size(); ++second)
    if (problem.extents[second] >= ranks) visit(second);
}

bool can_end(const Strategy& strategy, const Problem& problem, const Machine& machine) {
  try {
    check_ends(Blueprint::of(problem, strategy, machine));
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The number of exchanges of a strategy, of its stages, and of the exchanges before each axis.
std::array<std::size_t, 3> size_of(const Strategy& strategy) {
  std::size_t exchanges = 0, before_axes = 0;
  for (const Stage& stage : strategy.stages)
    if (const auto* pass = std::get_if<PassStage>(&stage))
      before_axes += exchanges * pass->axes.size();
    else
      ++exchanges;
  return {exchanges, strategy.stages.size(), before_axes};
}

// The strategy with the fewest exchanges and passes among those that can run and are predicted to
// take about as long as the fastest.
std::optional<Strategy> simplest(const std::vector<Ranked>& ranked, const Problem& problem,
                                 const Machine& machine) {
  const Ranked *fastest = nullptr, *best = nullptr;
  for (const Ranked& each : ranked) {
    if (fastest != nullptr &&
        each.cost.seconds() > constants::equal_predictions * fastest->cost.seconds())
      break;
    if (best != nullptr && size_of(each.strategy) >= size_of(best->strategy)) continue;
    if (!can_end(each.strategy, problem, machine)) continue;
    if (fastest == nullptr) fastest = &each;
    best = &each;
  }
  if (best == nullptr) return std::nullopt;
  return best->strategy;
}

}  // namespace

std::vector<ExchangeKind> exchange_kinds() {
  std::vector<ExchangeKind> kinds;
  for (const ExchangeEntry& entry : exchanges())
    kinds.push_back({entry.name, entry.shares_memory, entry.cuts, entry.limits_sends});
  return kinds;
}

void require_predictable(int ranks) {
  constexpr int most = constants::compared.back().ranks;
  if (ranks > most)
    throw Error(Error::unsupported, fmt::format("predictions for {} ranks take minutes", ranks),
                fmt::format("ask for at most {} ranks", most));
}

std::vector<Ranked> ranked_strategies(const Problem& problem, const CostPredictor& predictor,
                                      const Options& options) {
  const Machine& ranks = predictor.ranks();
  require_predictable(ranks.ranks);
  Ranking ranking(problem, predictor);
  const Strategy chosen = planned_strategy(problem, predictor, options);
  for (const Stage& stage : chosen.stages)
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage))
      find_exchange(exchange->exchange, problem, ranks);
  // What a plan would refuse is not predicted; the planner's own strategies need no check.
  if (!options.strategy.empty()) check_ends(Blueprint::of(problem, chosen, ranks));
  ranking.add(chosen);
  if (!options.strategy.empty()) return ranking.ranked();
  const std::vector<Dims> grids =
      options.grid.empty() ? grids_of(ranks.ranks) : std::vector<Dims>{options.grid};
  Options with_grid = options;
  const bool needs_pencils = options.decomposition == Distribution::pencil && options.grid.empty();
  for (const Dims& grid : grids) {
    if (needs_pencils && (grid[0] == 1 || grid[1] == 1)) continue;
    with_grid.grid = grid;
    try {
      ranking.add(planned_strategy(problem, predictor, with_grid));
    } catch (const Error&) {  // the field has too few points for this grid
    }
  }
  // These see each axis as a whole.
  if (is_free(problem, options) && !split_candidates(problem, ranks).is_needed) {
    const FieldStates states(problem, std::nullopt);
    const PassGrouping grouping(states, ranks);
    const auto add = [&](Strategy strategy) {
      ranking.add(with_chunks(std::move(strategy), problem, predictor, options));
    };
    if (problem.extents.size() == 3 && may_be(options.decomposition, Distribution::pencil))
      for_each_rotation(problem, grids, needs_pencils, [&](const auto& order, const Dims& grid) {
        add(pencils(chosen, exchange_of(chosen), order, grid, grouping));
      });
    if (options.grid.empty() && may_be(options.decomposition, Distribution::slab))
      for_each_pair_of_slabs(problem, ranks.ranks, [&](int second) {
        add(slabs(chosen, exchange_of(chosen), problem.extents.size(), second, ranks.ranks,
                  grouping));
      });
  }
  return ranking.ranked();
}

Strategy fastest_strategy(const Problem& problem, const CostPredictor& predictor,
                          const Options& options) {
  const Machine& machine = predictor.ranks();
  const bool is_open = options.strategy.empty() && !problem.input.is_of_parts();
  if (is_open && machine.nodes() > 1 && machine.speeds.are_links_known() &&
      machine.ranks <= constants::most_ranks_of_compared_plans)
    if (auto best = simplest(ranked_strategies(problem, predictor, options), problem, machine))
      return *best;
  return planned_strategy(problem, predictor, options);
}

}  // namespace weft
