// grid/view: the user's grid as the grid a plan works on: a batch becomes the first axis, and an
// axis longer than one owner's share may become two.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/grid/decomposition.hpp"
#include "weft/grid/patches.hpp"

namespace weft {

/// An axis of first * second points seen as two axes.
struct AxisSplit {
  int axis = 0;
  std::int64_t first = 1, second = 1;

  friend bool operator==(const AxisSplit&, const AxisSplit&) = default;
};

/// How the two axes of a split count the points of the one: before the transform, index =
/// i1 * second + i2; after it (decimation leaves the digits reversed), index = i2 * first + i1.
enum class SplitOrder { first_slow, first_fast };

/// The user's grid of `extents`, `batch` times, with an axis split if one is.
struct View {
  Extents extents;
  std::int64_t batch = 1;
  std::optional<AxisSplit> split;
  SplitOrder order = SplitOrder::first_slow;

  bool has_batch_axis() const { return batch > 1; }
  /// The grid the plan works on.
  Extents inner_extents() const;
  /// The inner axis of the user's `axis`; of a split axis, the first of the two.
  int inner_axis(int axis) const;
  /// The user's decomposition on the inner grid; a box cut by a split becomes up to three.
  Decomposition inner(const Decomposition& user) const;
  /// Where the inner boxes of an owner lie: box i of the owner with `layouts[i]` from element
  /// offsets[i] of `buffer` on, field f of the batch `field_stride` elements behind field f - 1.
  /// In the order of inner(user).boxes(owner).
  Patches patches(const std::vector<Box>& user_boxes, const std::vector<Layout>& layouts,
                  const std::vector<std::int64_t>& offsets, std::int64_t field_stride,
                  int buffer) const;
};

}  // namespace weft
