// plan/pass: load tiles from patches, transform them while they are in the cache, store them to
// patches.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "weft/base/scalar.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/fft/engine.hpp"
#include "weft/grid/patches.hpp"
#include "weft/grid/tiling.hpp"
#include "weft/memory/box_copy.hpp"
#include "weft/memory/buffer.hpp"
#include "weft/plan/tile_layout.hpp"
#include "weft/plan/twiddle.hpp"

namespace weft {

/// The first half of a split axis, and the points of the whole axis.
struct SplitTwiddle {
  int axis;
  std::int64_t points;
};

/// What a pass is made for. "Real side" and "spectral side" are those before and after the forward
/// transform along `axes`; a backward pass loads from the spectral side and stores to the real one.
struct PassSpec {
  std::vector<Box> real_boxes, spectral_boxes;  ///< my boxes; differ along half_axis only
  std::vector<int> axes;                        ///< in forward order
  int half_axis = -1;                           ///< the one that r2c halves, if it is among them
  std::optional<SplitTwiddle> twiddle;          ///< if the first half of a split axis is among them
  bool forward = true;
  double factor = 1;  ///< every value is multiplied by it
  Scalar real_scalar, spectral_scalar;
  Patches source, target;
  int source_messages = 0, target_messages = 0;
  TileLimits limits;
  std::vector<std::vector<std::int64_t>> cuts;  ///< per axis: tiles do not cross these
  bool streaming = false;                       ///< targets are larger than the cache
};

/// A pass bound to an engine and to the boxes of this rank.
class Pass {
 public:
  Pass(PassSpec spec, Engine& engine, Effort effort);

  /// Loads, transforms and stores all tiles. `from` carried the source here and `to` will carry
  /// the target away, if they are there. Returns the seconds spent waiting for messages.
  double run(const Addresses& addresses, Exchange* from, Exchange* to);

  std::int64_t workspace_bytes() const { return real_buffer_.bytes() + spectral_buffer_.bytes(); }

 private:
  // Kernels for tiles of one shape, in the order in which they run.
  struct Shape {
    Dims real_extents, spectral_extents;
    Layout real_layout, spectral_layout;
    std::vector<std::unique_ptr<Kernel>> before_twiddle, after_twiddle;
  };
  // What a tile shares with one patch; offsets in bytes.
  struct Part {
    std::int64_t near_offset, far_offset;
    int copy;  // in copies_
    int buffer, message;
  };
  struct Tile {
    std::size_t shape, box;                 // box in twiddled_
    std::size_t first_source, last_source;  // in sources_
    std::size_t first_target, last_target;  // in targets_
  };
  using CopyNumbers = std::map<BoxCopy, int>;

  void make_tiles();
  void order_tiles();
  std::size_t shape_of(const Dims& real_extents, const Dims& spectral_extents);
  void add_parts(const Patches& patches, const Box& tile, const Layout& layout,
                 std::int64_t element_bytes, CopyNumbers& numbers, std::vector<Part>& parts);
  void make_kernels(Shape& shape, Engine& engine, Effort effort);
  std::unique_ptr<Kernel> make_kernel(const Shape& shape, int axis, Engine& engine, Effort effort);
  void transform(const Tile& tile);

  PassSpec spec_;
  Scalar source_scalar_, target_scalar_;
  std::vector<Tile> tiles_;
  std::vector<Shape> shapes_;
  std::vector<Part> sources_, targets_;
  std::vector<BoxCopy> copies_;                 // tiles cut alike by patches share them
  std::vector<Box> twiddled_;                   // if there are twiddle factors
  std::vector<std::int64_t> tiles_of_message_;  // targets: tiles that a message waits for
  std::vector<std::int64_t> missing_;
  std::vector<char> arrived_;
  Twiddle twiddle_;
  Buffer real_buffer_, spectral_buffer_;
};

}  // namespace weft
