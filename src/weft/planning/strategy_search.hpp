// planning/strategy_search: a shortest path in a graph whose vertices are pairs of (place of the
// data, axes transformed so far).
// Pure: makes no MPI call.
#pragma once

#include <optional>
#include <vector>

#include "weft/planning/planner.hpp"
#include "weft/planning/search_costs.hpp"

namespace weft {

/// The search for one problem on one inner grid, with or without a split axis.
class StrategySearch {
 public:
  /// All must outlive this.
  StrategySearch(const Problem& problem, const CostPredictor& predictor, const Choices& choices,
                 std::optional<AxisSplit> split);

  /// The fastest strategy from all places where the input may start; none if there is none.
  std::optional<Planned> best() const;
  /// The busiest rank's share of the points relative to an even share, in the most uneven pass that
  /// transforms.
  double imbalance(const Strategy& strategy) const;

 private:
  struct Way;
  struct Exploration;

  // A vertex is place * masks() + set of transformed axes.
  std::size_t masks() const { return std::size_t{1} << view_.axes.size(); }
  std::size_t vertex(std::size_t place, unsigned done) const { return place * masks() + done; }
  std::size_t place_of(std::size_t vertex) const { return vertex / masks(); }
  unsigned done_at(std::size_t vertex) const { return static_cast<unsigned>(vertex % masks()); }
  const std::optional<Decomposition>& at(std::size_t place, unsigned done) const {
    return layouts_.candidates[place].at[view_.state(done)];
  }

  std::vector<int> available(std::size_t place, unsigned done) const;
  std::vector<std::vector<int>> selections(const std::vector<int>& available, unsigned done) const;
  bool may_become_parts(std::size_t place, unsigned done) const;
  bool may_end(std::size_t place, std::size_t start) const;
  bool is_useful(std::size_t next, unsigned done, std::size_t first_start) const;

  std::optional<Planned> best_from(const std::vector<std::size_t>& starts, double limit) const;
  void reach(Exploration& found, std::size_t vertex, const Way& way) const;
  void extend(Exploration& found, std::size_t here) const;
  void finish(Exploration& found, std::size_t here, const std::vector<int>& axes) const;
  void exchange_from(Exploration& found, std::size_t here, const std::vector<int>& axes,
                     unsigned done) const;
  double seconds_after(const Exploration& found, std::size_t here,
                       const std::vector<int>& axes) const;

  Strategy strategy_to(const Exploration& found) const;
  void add_copies(std::vector<Stage>& stages, bool first_takes_arrays,
                  bool last_takes_arrays) const;

  SearchView view_;
  LayoutCandidates layouts_;
  SearchCosts costs_;
};

}  // namespace weft
