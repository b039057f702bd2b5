// planning/split_candidates: the axis that a planner may split in two, and into which factors.
#pragma once

#include <vector>

#include "weft/machine/machine.hpp"
#include "weft/problem/axis_transform.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// The ways to split one axis, of which none has to be better than no split.
struct SplitCandidates {
  std::vector<AxisSplit> ways;  ///< of equally good ones, the first should be taken
  /// Whether lines along the axis take more than one walk over memory; in place, where a split
  /// takes a further field, and on several nodes, where it takes a further exchange, whether one
  /// line exceeds the cache of a core.
  bool is_long = false;
  /// Whether devices cannot transform the axis as a whole, and can in these ways.
  bool is_needed = false;
};

/// The axis whose lines take most walks over memory (PassGrouping::walks_of_long_lines), then the
/// longest, among the axes that can be split: these are Fourier, transformed complex to complex,
/// and stored as a whole. On devices, the longest of those whose lines a block cannot hold, if
/// there are any, else the longest.
SplitCandidates split_candidates(const Problem& problem, const Machine& machine);

}  // namespace weft
