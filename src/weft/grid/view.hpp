// grid/view: maps the user's grid to the inner grid, on which a plan works: a batch becomes the
// first axis, an axis longer than one owner's share may become two, and axes are in the order of
// memory.
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

/// The user's grid of `extents`, repeated `batch` times, with at most one axis split in two. The
/// inner axes are in the order in which they lie in memory, the batch first.
struct View {
  Extents extents;
  std::int64_t batch = 1;
  std::optional<AxisSplit> split;
  SplitOrder order = SplitOrder::first_slow;
  std::vector<int> slowest_first = {};  ///< the user's axes; none: as they are numbered

  bool has_batch_axis() const { return batch > 1; }
  /// Extents of the inner grid.
  Extents inner_extents() const;
  /// The inner axis of the user's `axis`; for a split axis, the first of the two.
  int inner_axis(int axis) const;
  /// The user's axis of an inner one; -1 for the batch.
  int user_axis(int inner) const;
  /// The inner axes of the user's `axes`, ascending; for a split axis, both of the two.
  std::vector<int> inner_axes(const std::vector<int>& axes) const;
  /// A process grid over the inner axes, none of which is the batch's or a split one, as the user's
  /// decomposition of `count` ranks.
  Decomposition on_user_grid(ProcessGrid grid, int count) const;
  /// The user's decomposition on the inner grid. A box that is cut along a split axis becomes up to
  /// three boxes.
  Decomposition inner(const Decomposition& user) const;
  /// The patches of an owner's inner boxes, in the order of inner(user).boxes(owner). Box i of the
  /// user's grid has `layouts[i]` and starts at element offsets[i] of `buffer`; field f of the
  /// batch starts `field_stride` elements after field f - 1.
  Patches patches(const std::vector<Box>& user_boxes, const std::vector<Layout>& layouts,
                  const std::vector<std::int64_t>& offsets, std::int64_t field_stride,
                  int buffer) const;

 private:
  int place_of(int axis) const;  // of the user's axis in slowest_first
  Dims in_memory_order(const Dims& dims) const;
};

}  // namespace weft
