// grid/patches: boxes of the grid, and the strided memory regions that hold their points.
// Keeps: the patches of a set are disjoint, and each lies inside one box of its owner.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/box_index.hpp"
#include "weft/layout.hpp"

namespace weft {

/// A region of the grid and its location in memory: point p is element
/// offset + sum_a (p[a] - box.lo[a]) * strides[a] of buffer `buffer`.
/// Buffers are numbered; their addresses are known only when a plan runs.
struct Patch {
  Box box;
  int buffer = 0;
  std::int64_t offset = 0;
  Dims strides;
  /// The message that carries this patch, or `resident` if it is not sent.
  int message = resident;

  static constexpr int resident = -1;

  std::int64_t at(const Dims& point) const {
    std::int64_t element = offset;
    for (int a = 0; a < point.size(); ++a) element += (point[a] - box.lo[a]) * strides[a];
    return element;
  }
  friend bool operator==(const Patch&, const Patch&) = default;
};

/// Where the points of an owner's boxes are: in the user's array, in a send or a receive buffer in
/// message order, or partly in each.
using Patches = std::vector<Patch>;

/// Finds the patches that hold points of a box.
inline BoxIndex index_of(const Patches& patches) {
  std::vector<Box> boxes;
  for (const Patch& patch : patches) boxes.push_back(patch.box);
  return BoxIndex(std::move(boxes));
}

/// The patch that holds all of `box` contiguously from `offset` on.
inline Patch packed_patch(const Box& box, int buffer, std::int64_t offset,
                          int message = Patch::resident) {
  return {box, buffer, offset, Layout::packed(box.extents()).strides, message};
}

/// The part of `patch` inside `region`, which must intersect the patch.
inline Patch clipped(const Patch& patch, const Box& region) {
  Patch part = patch;
  part.box = intersect(patch.box, region);
  part.offset = patch.at(part.box.lo);
  return part;
}

/// Number of elements, from the start of buffer `buffer`, up to the last one that a patch uses.
std::int64_t span_of(const Patches& patches, int buffer);

}  // namespace weft
