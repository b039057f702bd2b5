// grid/overlap_points: counts the points of a box that each owner has, without making boxes.
// Why: models ask this for millions of pairs of ranks.
// Keeps: ascending owners, as Decomposition::for_each_overlap.
// Pure.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/grid/decomposition.hpp"
#include "weft/grid/split.hpp"

namespace weft {

/// The pieces of a process grid that overlap a box: along each axis, a range of parts, each with
/// some of the box's points.
class PiecesOverBox {
 public:
  /// `box` must not be empty, and must have the axes of `extents`, at least one.
  PiecesOverBox(const Dims& parts, const Extents& extents, const Box& box) : parts_(parts) {
    ensure(!parts.empty() && box.axes() == parts.size() && !box.empty(), to_string(box));
    for (int a = 0; a < parts.size(); ++a) {
      const auto at = static_cast<std::size_t>(a);
      first_[at] = part_of(extents[a], parts[a], box.lo[a]);
      const std::int64_t last = part_of(extents[a], parts[a], box.hi[a] - 1);
      begin_[at] = points_.size();
      for (std::int64_t i = first_[at]; i <= last; ++i) {
        const Range part = split(extents[a], parts[a], i);
        points_.push_back(std::min(box.hi[a], part.hi) - std::max(box.lo[a], part.lo));
      }
    }
    begin_[static_cast<std::size_t>(parts.size())] = points_.size();
  }

  /// Calls visit(piece, points) in ascending order of pieces.
  template <class Visit>
  void for_each(const Visit& visit) const {
    along(0, 0, 1, visit);
  }

 private:
  template <class Visit>
  void along(int axis, std::int64_t pieces, std::int64_t points, const Visit& visit) const {
    const auto at = static_cast<std::size_t>(axis);
    std::int64_t piece = pieces * parts_[axis] + first_[at];
    const bool is_last = axis + 1 == parts_.size();
    for (std::size_t i = begin_[at]; i < begin_[at + 1]; ++i, ++piece) {
      if (is_last)
        visit(piece, points * points_[i]);
      else
        along(axis + 1, piece, points * points_[i], visit);
    }
  }

  Dims parts_;
  std::array<std::int64_t, Dims::capacity> first_;     // part along each axis
  std::array<std::size_t, Dims::capacity + 1> begin_;  // of each axis in points_
  std::vector<std::int64_t> points_;                   // of each part of each axis
};

/// Calls visit(owner, points) for every box that intersects `box`, as
/// Decomposition::for_each_overlap does.
template <class Visit>
void for_each_overlap_points(const Decomposition& at, const Box& box, const Visit& visit) {
  if (box.empty()) return;
  if (!at.is_natural()) {
    at.for_each_overlap(box, [&](int owner, int, const Box& both) { visit(owner, both.volume()); });
    return;
  }
  PiecesOverBox(at.grid()->parts, at.extents(), box)
      .for_each(
          [&](std::int64_t piece, std::int64_t points) { visit(static_cast<int>(piece), points); });
}

}  // namespace weft
