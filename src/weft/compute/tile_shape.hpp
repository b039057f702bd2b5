// compute/tile_shape: how tiles of one shape are transformed. Lines come in by groups that fit the
// level-1 cache, through the transform of the first axis; lines of the last axis go out through
// theirs, made contiguous: the local libraries are fastest from one array to another, with
// contiguous results, and neither walk costs anything, since a group is loaded and stored anyway.
#pragma once

#include <optional>
#include <vector>

#include "weft/base/scalar.hpp"
#include "weft/compute/tile_layout.hpp"
#include "weft/fft/engine.hpp"
#include "weft/grid/box.hpp"

namespace weft {

/// What is the same for all tiles of a pass.
struct TileTransform {
  std::vector<int> axes;  ///< in the order in which they run
  int half_axis = -1;     ///< the one that r2c halves, if it is among them
  int twiddle_axis = -1;  ///< the one with factors behind it (backward: before it), if it is
  bool forward = true;
  Scalar real_scalar, spectral_scalar;
  /// Whether columns may go out by groups: not where that would store parts of cache lines.
  bool columns_go_out_by_groups = true;
  /// Whether columns go out as columns: the engine is fastest so. Else as contiguous lines.
  bool keeps_columns = false;
  std::int64_t group_points = 4096;
  std::int64_t least_run = 8;  ///< points of the last axis that a group has at least

  Scalar source_scalar() const { return forward ? real_scalar : spectral_scalar; }
  Scalar target_scalar() const { return forward ? spectral_scalar : real_scalar; }
};

/// The steps of a tile: groups into the tile, axes in place, groups out of the tile. With one axis
/// the tile is one group, and is stored from where that went; with none there are no groups.
class TileShape {
 public:
  /// Part of a tile on its way in or out.
  struct Group {
    Box box;                   ///< from the tile's corner on
    Layout layout;             ///< in the group's buffer
    std::int64_t tile_offset;  ///< bytes, of its corner in the tile
    Lines lines;               ///< its transform, in or out
  };
  /// An axis in place, and whether factors stand around it.
  struct Axis {
    Lines lines;
    bool twiddle_before, twiddle_after;
  };

  TileShape(const TileTransform& transform, const Dims& real_extents, const Dims& spectral_extents);

  bool has_extents(const Dims& real_extents, const Dims& spectral_extents) const {
    return real_extents == real_extents_ && spectral_extents == spectral_extents_;
  }
  const Layout& tile() const { return tile_; }
  std::int64_t loaded_bytes() const { return loaded_bytes_; }
  const std::vector<Group>& loads() const { return loads_; }
  const std::vector<Axis>& axes() const { return axes_; }
  const std::vector<Group>& stores() const { return stores_; }
  /// Factors on groups as they come in (before their transform) and go out (after it), and on the
  /// whole tile after all came in and before the first goes out.
  bool twiddles_loads = false, twiddles_loaded = false;
  bool twiddles_stores = false, twiddles_stored = false;

  std::int64_t group_bytes() const { return group_bytes_; }
  std::int64_t tile_bytes() const { return tile_bytes_; }

 private:
  std::vector<Group> groups(const TileTransform& transform, int axis, const Dims& extents,
                            Scalar scalar, bool is_load, std::int64_t points);
  Lines lines_along(const TileTransform& transform, int axis, const Dims& extents, const Layout& in,
                    const Layout& out) const;

  Dims real_extents_, spectral_extents_;
  Layout tile_;
  Scalar tile_scalar_;
  std::vector<Group> loads_, stores_;
  std::vector<Axis> axes_;
  std::int64_t loaded_bytes_ = 0, group_bytes_ = 0, tile_bytes_ = 0;
};

}  // namespace weft
