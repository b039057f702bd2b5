// predicting/placements: tries nodes and orders, and searches from the best.

#include "weft/predicting/placements.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/ranking.hpp"
#include "weft/networks/network_of.hpp"
#include "weft/networks/node_choice.hpp"

namespace weft {

namespace {

// A choice: with four times as many, 512 ranks are placed in 0.57 s instead of 0.39, and the
// busiest link of 64 ranks on a torus is loaded no less.
constexpr std::int64_t swaps_per_node = 100;

// Rows and columns of the nodes of a job, by the first process grid of its strategy.
Dims node_grid(const Strategy& strategy, int nodes, int ranks_per_node) {
  std::vector<Place> places{strategy.from};
  for (const Stage& stage : strategy.stages)
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage)) places.push_back(exchange->to);
  for (const Place& place : places) {
    Dims divided;
    for (const auto parts : place.grid.parts)
      if (parts > 1) divided.push_back(parts);
    if (divided.size() == 2 && divided[1] % ranks_per_node == 0 &&
        divided[0] * (divided[1] / ranks_per_node) == nodes)
      return {divided[0], divided[1] / ranks_per_node};
  }
  return {1, nodes};
}

std::vector<int> random_nodes(std::vector<int> free, std::size_t count) {
  std::mt19937_64 random(1);
  for (std::size_t i = free.size() - 1; i > 0; --i) std::swap(free[i], free[random() % (i + 1)]);
  free.resize(count);
  return free;
}

class Search {
 public:
  Search(const CostPredictor& predictor, const Problem& problem, Strategy strategy)
      : predictor_(predictor), problem_(problem) {
    found.strategy = std::move(strategy);
    found.messages = predictor.messages(found.strategy, problem);
  }

  void add_orders(const std::string& nodes, const std::vector<int>& places) {
    const Dims grid = node_grid(found.strategy, static_cast<int>(places.size()),
                                predictor_.machine().ranks_per_node);
    for (RankOrder& order : named_orders(predictor_.machine().network, grid, places))
      add(nodes, std::move(order));
  }

  void add(const std::string& nodes, RankOrder order) {
    PlacedJob& one = found.placed.emplace_back();
    one.nodes = nodes;
    one.cost = predictor_.on(order.places).cost(found.strategy, problem_, exchange_kinds());
    one.link_seconds = link_seconds(predictor_.network(), found.messages, order.places);
    one.order = std::move(order);
  }

  // Negative: as many swaps as are usual.
  void improve_best(std::int64_t swaps) {
    const PlacedJob start = *std::min_element(
        found.placed.begin(), found.placed.end(),
        [](const PlacedJob& a, const PlacedJob& b) { return a.link_seconds < b.link_seconds; });
    if (swaps < 0)
      swaps = std::min(swaps_per_node * static_cast<std::int64_t>(start.order.places.size()),
                       affordable_swaps(predictor_.network(), found.messages, start.order.places));
    add(start.nodes, {"search", improved_order(predictor_.network(), found.messages,
                                               start.order.places, swaps)});
    std::stable_sort(
        found.placed.begin(), found.placed.end(),
        [](const PlacedJob& a, const PlacedJob& b) { return a.cost.seconds() < b.cost.seconds(); });
  }

  Placements found;

 private:
  const CostPredictor& predictor_;
  const Problem& problem_;
};

}  // namespace

Placements find_placements(const Problem& problem, const MachineModel& machine, int ranks,
                           const std::vector<int>& free, const Options& options,
                           std::int64_t swaps) {
  const int threads = std::max(1, options.threads);
  const auto nodes = static_cast<std::size_t>(ranks_of(machine, ranks, threads).nodes());
  if (nodes > free.size())
    throw Error(Error::invalid,
                fmt::format("{} ranks need {} nodes, and {} are free", ranks, nodes, free.size()),
                "use fewer ranks, or more nodes");
  const std::vector<int> first(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(nodes));
  const CostPredictor predictor(machine, network_of(machine.network), ranks, threads, first);
  const Problem known = with_placed_columns(as_r2c(validated(problem)), predictor.ranks(), options);
  Search search(predictor, known, ranked_strategies(known, predictor, options).front().strategy);
  search.add_orders("first free", first);
  if (nodes < free.size()) {
    search.add("random", {"launched", random_nodes(free, nodes)});
    search.add_orders("connected",
                      connected_nodes(predictor.network(), free, static_cast<int>(nodes)));
    search.add_orders("uncrowded",
                      uncrowded_nodes(predictor.network(), free, static_cast<int>(nodes)));
  }
  search.improve_best(swaps);
  return std::move(search.found);
}

}  // namespace weft
