// grid/box_index: finds, of many boxes, those that overlap another one.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/grid/box_algebra.hpp"

namespace weft {

/// Boxes sorted along the axis on which they are shortest relative to all of them together. Where
/// there are few boxes, all of them are compared instead.
class BoxIndex {
 public:
  /// An index of no boxes.
  BoxIndex() = default;
  /// An index of `boxes`, which all belong to one grid.
  explicit BoxIndex(std::vector<Box> boxes);

  std::size_t size() const { return boxes_.size(); }
  /// The numbers of the boxes that share points with `box`, ascending.
  std::vector<std::size_t> overlapping(const Box& box) const;

 private:
  std::vector<Box> boxes_;
  int axis_ = 0;
  std::vector<std::pair<std::int64_t, std::size_t>> begins_;  // first index along the axis, number
  std::int64_t longest_ = 0;                                  // along the axis
};

}  // namespace weft
