// program/pass_spec: what a pass loads, transforms and stores, as a value.
// Pure: knows no memory, no FFT library. Keeps: both sides cover the same boxes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/grid/blocks.hpp"
#include "weft/grid/kept_points.hpp"
#include "weft/grid/patches.hpp"
#include "weft/grid/point_map.hpp"
#include "weft/grid/tiling.hpp"
#include "weft/problem/line_transform.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// The first half of a split axis, and the points of the whole axis.
struct SplitTwiddle {
  int axis;
  std::int64_t points;

  friend bool operator==(const SplitTwiddle&, const SplitTwiddle&) = default;
};

/// A pass over the boxes of one rank. The "real" side is the one before the forward transform along
/// `axes`, the "spectral" side the one after it; a backward pass loads from the spectral side and
/// stores to the real one.
struct PassSpec {
  std::vector<Box> real_boxes, spectral_boxes;  ///< they differ along `axes` only
  std::vector<int> axes;                        ///< in forward order; none: the pass only copies
  int half_axis = -1;                           ///< the axis that r2c halves, if it is among `axes`
  /// What is computed along each axis of the boxes in this direction; none: Fourier along `axes`.
  std::vector<LineTransform> lines = {};
  /// Per axis of the boxes, what is stored of its lines; none: all along all axes.
  std::vector<KeptLine> kept = {};
  std::optional<SplitTwiddle> twiddle;  ///< if the first half of a split axis is in `axes`
  bool forward = true;
  double factor = 1;         ///< by which every value that is stored is multiplied
  bool takes_scale = false;  ///< whether it is multiplied by the scale of the run, too
  Scalar real_scalar, spectral_scalar;
  Patches source, target;  ///< where the pass loads from and stores to
  /// If the source or the target is an array that holds only some of the points of its patches:
  /// which ones, and where. Offsets and strides of the patches are then numbers of points. Else
  /// null.
  std::shared_ptr<const PointMap> source_points, target_points;
  int source_messages = 0, target_messages = 0;
  TileLimits limits;
  std::vector<std::vector<std::int64_t>> cuts;  ///< per axis: positions that no tile crosses
  std::vector<Blocks> blocks;                   ///< per box; none: all tiles are one block
  bool streaming = false;                       ///< stores bypass the cache
  /// The buffer of a ring, or -1. Stores to it do not bypass the cache, as receivers copy from it
  /// at once.
  int ring_buffer = -1;
  /// Columns of the last axis are stored in groups as they are transformed, or all together when
  /// the tile is complete. The last bits of results differ between the two, so this depends neither
  /// on the exchanges nor on the number of threads.
  bool columns_go_out_by_groups = true;
  bool prefetches = true;  ///< loads of the next tile begin while a tile is transformed
  /// The pass stores at most a fifth of a rank's part of the shared caches, so that these also hold
  /// what the pass reads and what others leave there.
  bool fits_caches = true;
  std::vector<std::string> engines;                                    ///< as in PassChoice
  std::optional<bool> keeps_columns, loads_directly, stores_directly;  ///< as in PassChoice
  /// One tile, which a library transforms from array to array with all threads (making/whole_pass).
  bool is_whole = false;
  int stage = -1;  ///< number of its stage in the strategy; -1: a copy that the step plan added

  /// The axes in the order in which this direction transforms them. It matters only for the halved
  /// axis and for a split axis with twiddle factors: what comes first in the forward direction must
  /// come last in the backward direction.
  std::vector<int> axes_in_order() const {
    const bool is_reversed = !forward && (half_axis >= 0 || twiddle);
    return is_reversed ? std::vector<int>(axes.rbegin(), axes.rend()) : axes;
  }
  /// Whether the lines that are transformed first are contiguous in the order of the tiles.
  bool loads_rows() const {
    if (axes.empty() || real_boxes.empty()) return false;
    const int run_axis = limits.run_axis >= 0 ? limits.run_axis : real_boxes.front().axes() - 1;
    return axes_in_order().front() == run_axis;
  }
  Scalar source_scalar() const { return forward ? real_scalar : spectral_scalar; }
  Scalar target_scalar() const { return forward ? spectral_scalar : real_scalar; }

  friend bool operator==(const PassSpec&, const PassSpec&) = default;
};

}  // namespace weft
