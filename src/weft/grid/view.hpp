// grid/view: maps the user's grid to the inner grid, on which a plan works: a batch becomes the
// first axis, and an axis longer than one owner's share may become two.
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

/// The order of the two digits of a split axis. Before the transform, index = i1 * second + i2;
/// after it, the decimation has reversed the digits, and index = i2 * first + i1.
enum class SplitOrder { first_slow, first_fast };

/// The user's grid of `extents`, repeated `batch` times, with at most one axis split in two.
struct View {
  Extents extents;
  std::int64_t batch = 1;
  std::optional<AxisSplit> split;
  SplitOrder order = SplitOrder::first_slow;

  bool has_batch_axis() const { return batch > 1; }
  /// Extents of the inner grid.
  Extents inner_extents() const;
  /// The inner axis of the user's `axis`; for a split axis, the first of the two.
  int inner_axis(int axis) const;
  /// The user's axis of an inner one; -1 for the batch.
  int user_axis(int inner) const;
  /// The inner axes of the user's `axes`, ascending; for a split axis, both of the two.
  std::vector<int> inner_axes(const std::vector<int>& axes) const;
  /// The user's decomposition on the inner grid. A box that is cut along a split axis becomes up to
  /// three boxes.
  Decomposition inner(const Decomposition& user) const;
  /// The patches of an owner's inner boxes, in the order of inner(user).boxes(owner). Box i of the
  /// user's grid has `layouts[i]` and starts at element offsets[i] of `buffer`; field f of the
  /// batch starts `field_stride` elements after field f - 1.
  Patches patches(const std::vector<Box>& user_boxes, const std::vector<Layout>& layouts,
                  const std::vector<std::int64_t>& offsets, std::int64_t field_stride,
                  int buffer) const;
};

}  // namespace weft
