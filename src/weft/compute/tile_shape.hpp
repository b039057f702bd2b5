// compute/tile_shape: how tiles of one shape are transformed.
// Lines are loaded in groups that fit the level-1 cache, and the transform of the first axis writes
// them into the tile; the transform of the last axis writes contiguous lines into a group, which is
// stored. The local libraries are fastest from one array to another with contiguous results, and
// this costs no extra walk over memory, since a group is loaded and stored anyway. Groups of
// columns may be larger, for the sake of longer rows in memory. Where a group, or a tile without
// groups, lies in one piece of an array, the transform may read or write the array itself.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "weft/compute/tile_layout.hpp"
#include "weft/fft/engine.hpp"
#include "weft/grid/box_algebra.hpp"
#include "weft/grid/kept_points.hpp"
#include "weft/grid/tiling.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// The parts of a transform that are the same for all tiles of a pass.
struct TileTransform {
  std::vector<int> axes;  ///< in the order in which they run
  int half_axis = -1;     ///< the axis that r2c halves; -1 if it is not in `axes`
  /// As in PassSpec; what is not Fourier is the same for real and complex values.
  std::vector<LineTransform> lines = {};
  std::vector<KeptLine> kept = {};  ///< as in PassSpec
  int twiddle_axis = -1;  ///< the axis with twiddle factors after (backward: before) it; -1: none
  bool forward = true;
  Scalar real_scalar, spectral_scalar;
  /// Whether columns may be stored in groups: they may not where that would store parts of cache
  /// lines.
  bool columns_go_out_by_groups = true;
  /// Whether columns are stored as columns, because the engine is fastest so, and not made
  /// contiguous lines first.
  bool keeps_columns = false;
  GroupLimits groups = {};
  std::int64_t cached_points = 65536;  ///< tiles of more points exceed the cache of a core
  int run_axis = -1;                   ///< as in TileLimits; only where `axes` has one axis

  Basis sums(int axis) const {
    return lines.empty() ? Basis::fourier : lines[static_cast<std::size_t>(axis)].kind;
  }
  bool is_fourier(int axis) const { return sums(axis) == Basis::fourier; }
  Scalar source_scalar() const { return forward ? real_scalar : spectral_scalar; }
  Scalar target_scalar() const { return forward ? spectral_scalar : real_scalar; }
};

/// The steps of a tile: groups are loaded into the tile, axes are transformed in place, groups are
/// stored from the tile. A tile with one axis is loaded as one group and stored as a whole; a tile
/// without axes has no groups. Where a tile of three or more axes exceeds the cache of a core, the
/// axes in the middle are transformed slab by slab: as soon as the groups of a slab are loaded, or
/// just before they are stored.
class TileShape {
 public:
  /// A part of a tile that is loaded or stored on its own, through the group's buffer if not
  /// directly.
  struct Group {
    int axis;                  ///< the axis transformed between the group's buffer and the tile
    Box box;                   ///< relative to the corner of the tile
    Layout layout;             ///< of the box in the group's buffer
    std::int64_t tile_offset;  ///< bytes from the start of the tile to the group's corner
    Lines lines;               ///< the transform between the group's buffer and the tile
  };
  /// An axis that is transformed in place, in the whole tile or in a slab of it, and whether
  /// twiddle factors are applied around it.
  struct Axis {
    int axis;
    Lines lines;
    bool twiddle_before, twiddle_after;
    Dims extents;                  ///< points per axis in the tile before the transform
    std::int64_t tile_offset = 0;  ///< bytes from the start of the tile to the slab's corner
    /// The number of groups that are loaded, and that are stored, before it.
    std::size_t loads = 0, stores = 0;
  };

  TileShape(const TileTransform& transform, const Dims& real_extents, const Dims& spectral_extents);

  /// Whether tiles with these extents have this shape.
  bool has_extents(const Dims& real_extents, const Dims& spectral_extents) const {
    return real_extents == real_extents_ && spectral_extents == spectral_extents_;
  }
  const Layout& tile() const { return tile_; }
  /// Bytes that are loaded for one tile.
  std::int64_t loaded_bytes() const { return loaded_bytes_; }
  const std::vector<Group>& loads() const { return loads_; }
  /// Whether axes run after each group that is loaded.
  bool loads_slabs() const { return !axes_.empty() && axes_.front().loads < loads_.size(); }
  /// In the order in which they run.
  const std::vector<Axis>& axes() const { return axes_; }
  const std::vector<Group>& stores() const { return stores_; }
  /// Extents of what is in the tile after the last of the axes.
  const Dims& last_extents() const { return last_extents_; }
  /// Whether twiddle factors are applied to each loaded group before its transform, and to the
  /// whole tile after all groups have been loaded.
  bool twiddles_loads = false, twiddles_loaded = false;
  /// Whether they are applied to each group between its transform and its store, and to the whole
  /// tile before the first group is stored.
  bool twiddles_stores = false, twiddles_stored = false;

  /// Lines of which one side, or both, are in an array instead of a tile or a group.
  struct ArrayLines {
    int axis;
    Lines lines;
    friend bool operator==(const ArrayLines&, const ArrayLines&) = default;
  };
  /// The lines of loads()[g], or of the first of axes() if there are no groups to load, when the
  /// transform reads them from an array with these strides and writes to the tile; and the lines of
  /// stores()[g], or of the last of axes(), when the transform writes to the array. Nothing if
  /// other code, with other bits, would compute these lines, or if other steps come in between.
  std::optional<ArrayLines> direct_load(const TileTransform& transform, std::size_t g,
                                        const Dims& strides) const;
  std::optional<ArrayLines> direct_store(const TileTransform& transform, std::size_t g,
                                         const Dims& strides) const;
  /// The lines of a tile with a single transform, from an array to another one with the same
  /// strides, or in place.
  std::optional<ArrayLines> direct_through(const TileTransform& transform,
                                           const Dims& strides) const;
  /// Whether nothing but a transform of columns happens to tiles.
  bool is_one_axis_of_columns() const {
    return loads_.empty() && stores_.empty() && axes_.size() == 1;
  }

  /// Bytes of the largest group, and of the tile.
  std::int64_t group_bytes() const { return group_bytes_; }
  std::int64_t tile_bytes() const { return tile_bytes_; }

 private:
  struct Step {
    int axis;
    const Lines* lines;
    const Dims* extents;

    template <class Part>
    static std::optional<Step> of(const Part& part, const Dims& extents) {
      return Step{part.axis, &part.lines, &extents};
    }
  };
  std::optional<Step> first_step(std::size_t g) const;
  std::optional<Step> last_step(std::size_t g) const;
  std::optional<ArrayLines> in_array(const TileTransform& transform,
                                     const std::optional<Step>& step, const Layout& in,
                                     const Layout& out) const;
  std::vector<Group> groups(const TileTransform& transform, int axis, const Dims& extents,
                            Scalar scalar, bool is_load, std::int64_t points);
  void add_axes(const TileTransform& transform, const std::vector<int>& axes);
  Lines lines_along(const TileTransform& transform, int axis, const Dims& extents, const Layout& in,
                    const Layout& out) const;

  Dims real_extents_, spectral_extents_, last_extents_;
  Layout tile_;
  Scalar tile_scalar_;
  std::vector<Group> loads_, stores_;
  std::vector<Axis> axes_;
  std::int64_t loaded_bytes_ = 0, group_bytes_ = 0, tile_bytes_ = 0;
};

}  // namespace weft
