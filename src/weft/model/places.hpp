// model/places: where the data may lie between exchanges, as the planner sees it.
#pragma once

#include <optional>
#include <vector>

#include "weft/model/planner.hpp"

namespace weft {

/// A problem seen through one view, with or without a split axis. Sets of transformed axes are bit
/// masks here.
struct Subject {
  const Problem& problem;
  const Machine& machine;
  const Choices& choices;
  std::optional<AxisSplit> split;
  View view;
  int half = -1;           ///< inner axis that r2c halves
  Extents real, spectral;  ///< inner extents before and after that
  std::vector<int> axes;   ///< inner axes to transform, ascending
  int pieces = 1;          ///< of the process grids of stages

  Subject(const Problem& problem, const Machine& machine, const Choices& choices,
          std::optional<AxisSplit> split);

  unsigned bit(int axis) const {
    const auto at = std::find(axes.begin(), axes.end(), axis) - axes.begin();
    return 1U << at;
  }
  unsigned all() const { return (1U << axes.size()) - 1; }
  bool is_spectral(unsigned done) const { return half < 0 || (done & bit(half)) != 0; }
  double point_bytes(unsigned done) const {
    return static_cast<double>(Scalar{problem.precision, is_spectral(done)}.bytes());
  }
};

/// A place, and what the search asks of it.
struct Candidate {
  Place place;
  std::optional<Decomposition> real, spectral;
  unsigned whole = 0;                           ///< axes that can be transformed here
  double real_points = 0, spectral_points = 0;  ///< of the busiest rank
};

/// All places of a search: process grids, where the input may start, where the output must end.
class Places {
 public:
  explicit Places(const Subject& subject);

  std::vector<Candidate> candidates;
  std::vector<std::size_t> starts;
  std::optional<std::size_t> output;  ///< none if free, or if it depends on the start

 private:
  bool may_stage(const Dims& parts) const;
  void prefer_grids_without_empty_ranks(std::vector<Dims>& grids) const;
  void add_grids();
  void add_input();
  void add_output();
  bool starts_on_grids() const;
  std::size_t find_or_add(Candidate candidate);
  void measure(Candidate& candidate, bool computes) const;
  Candidate on(const ProcessGrid& grid) const;
  Place end(Place::Form form, const Distribution& said) const;

  const Subject& subject_;
  std::vector<int> slab_owners_;  // of free ends
};

}  // namespace weft
