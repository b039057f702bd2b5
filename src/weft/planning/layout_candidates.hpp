// planning/layout_candidates: the places where the data may be between exchanges, among which the
// planner searches.
#pragma once

#include <optional>
#include <vector>

#include "weft/planning/planner.hpp"
#include "weft/problem/axis_transform.hpp"

namespace weft {

/// A problem on one inner grid, with or without a split axis. Sets of transformed axes are bit
/// masks.
struct SearchView {
  const Problem& problem;
  const Machine& machine;
  const Choices& choices;
  std::optional<AxisSplit> split;
  FieldStates states;
  std::vector<int> axes;         ///< the inner axes to transform, ascending
  std::vector<Extents> extents;  ///< the extents that the field may have, by number of the state
  int pieces = 1;                ///< number of pieces of the process grids of stages
  int nodes = 1;                 ///< of the machine; counting them takes a step for each rank

  SearchView(const Problem& problem, const Machine& machine, const Choices& choices,
             std::optional<AxisSplit> split);

  const View& view() const { return states.input_view(); }
  unsigned bit(int axis) const {
    const auto at = std::find(axes.begin(), axes.end(), axis) - axes.begin();
    return 1U << at;
  }
  unsigned all() const { return (1U << axes.size()) - 1; }
  /// The number of the field's state when the axes in `done` are transformed: which of the axes
  /// that change their extents these are.
  std::size_t state(unsigned done) const { return state_of_[done]; }
  bool is_spectral(unsigned done) const { return states.is_spectral(inner_set(done)); }
  double point_bytes(unsigned done) const {
    return static_cast<double>(states.scalar(inner_set(done)).bytes());
  }
  /// A set of the axes to transform, as FieldStates has it.
  unsigned inner_set(unsigned done) const;
  /// The number of ranks that can compute.
  int workers() const { return std::min(pieces, machine.ranks); }

 private:
  std::vector<std::size_t> state_of_;  // by set of axes
};

/// A place, and the properties of it that the search uses.
struct Candidate {
  Place place;
  /// The decomposition in each state of the field; empty where the data cannot be at this place.
  std::vector<std::optional<Decomposition>> at;
  unsigned whole = 0;          ///< axes that can be transformed here
  std::vector<double> points;  ///< of the busiest rank, in each state

  const std::optional<Decomposition>& first() const { return at.front(); }
  const std::optional<Decomposition>& last() const { return at.back(); }
};

/// All places of a search: process grids, where the input may start, and where the output must end.
class LayoutCandidates {
 public:
  explicit LayoutCandidates(const SearchView& search);

  std::vector<Candidate> candidates;
  std::vector<std::size_t> starts;
  std::optional<std::size_t> output;  ///< empty if the output is free, or depends on the start

 private:
  bool may_stage(const Dims& parts) const;
  void prefer_grids_without_empty_ranks(std::vector<Dims>& grids) const;
  void add_grids();
  void add_input();
  void add_states(Candidate& candidate, const Decomposition& known) const;
  void add_output();
  bool starts_on_grids() const;
  std::size_t find_or_add(Candidate candidate);
  void measure(Candidate& candidate, bool computes) const;
  Candidate on(const ProcessGrid& grid) const;
  Place end(Place::Form form, const Distribution& distribution) const;

  const SearchView& search_;
  std::vector<int> slab_owners_;  // the ranks of slabs at ends that the problem leaves free
};

}  // namespace weft
