// grid/patches: boxes of the grid covered by strided pieces of memory.
// Keeps: the patches of a set are disjoint and each lies inside one box of its owner.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/box.hpp"
#include "weft/layout.hpp"

namespace weft {

/// A region of the grid and where its points lie: point p at element
/// offset + sum_a (p[a] - box.lo[a]) * strides[a] of buffer `buffer`.
/// Buffers are numbers here; the plan knows their addresses when it runs.
struct Patch {
  Box box;
  int buffer = 0;
  std::int64_t offset = 0;
  Dims strides;
  /// The message that carries this patch; `resident` when it rests where it is.
  int message = resident;

  static constexpr int resident = -1;

  std::int64_t at(const Dims& point) const {
    std::int64_t element = offset;
    for (int a = 0; a < point.size(); ++a) element += (point[a] - box.lo[a]) * strides[a];
    return element;
  }
  friend bool operator==(const Patch&, const Patch&) = default;
};

/// Memory that covers an owner's boxes, piece by piece: the user's array, a send buffer in message
/// order, a receive buffer in message order, or a mix of them.
using Patches = std::vector<Patch>;

/// The patch that covers all of `box`, packed from `offset` on.
inline Patch packed_patch(const Box& box, int buffer, std::int64_t offset,
                          int message = Patch::resident) {
  return {box, buffer, offset, Layout::packed(box.extents()).strides, message};
}

/// The part of `patch` inside `region`, which the patch contains or cuts.
inline Patch clipped(const Patch& patch, const Box& region) {
  Patch part = patch;
  part.box = intersect(patch.box, region);
  part.offset = patch.at(part.box.lo);
  return part;
}

/// Elements of buffer `buffer` that the patches reach.
std::int64_t span_of(const Patches& patches, int buffer);

}  // namespace weft
