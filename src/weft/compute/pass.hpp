// compute/pass: load tiles from patches, transform them while they are in the cache, store them to
// patches.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weft/base/scalar.hpp"
#include "weft/compute/tile_shape.hpp"
#include "weft/compute/twiddle.hpp"
#include "weft/exchange/exchange.hpp"
#include "weft/fft/engine.hpp"
#include "weft/grid/blocks.hpp"
#include "weft/grid/patches.hpp"
#include "weft/memory/box_copy.hpp"
#include "weft/memory/tile_memory.hpp"

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
  std::vector<Blocks> blocks;                   ///< per box; none: all tiles are one block
  bool streaming = false;                       ///< targets are larger than the cache
  const Engine* engine = nullptr;               ///< the one whose kernels the pass will be given
};

/// The tiles of a pass over the boxes of this rank, and how to run one of them. What a thread
/// changes is its own, so several threads may run different tiles at once.
class Pass {
 public:
  explicit Pass(PassSpec spec);

  /// Room that a group of lines, and a tile, need.
  std::int64_t group_bytes() const;
  std::int64_t tile_bytes() const;
  /// Kernels for threads that compute in `memory`, which outlives the pass.
  void make_kernels(const std::vector<TileMemory>& memory, Engine& engine, Effort effort);

  /// What a tile shares with one patch; offsets in bytes.
  struct Part {
    std::int64_t near_offset, far_offset;
    int copy;  ///< which loops
    int buffer, message;
  };
  std::size_t tiles() const { return tiles_.size(); }
  /// Tiles are in the order of their blocks; [first_tile(b), first_tile(b + 1)) are those of b.
  std::size_t blocks() const { return first_tiles_.size() - 1; }
  std::size_t first_tile(std::size_t block) const { return first_tiles_[block]; }
  std::span<const Part> sources(std::size_t tile) const {
    return std::span(sources_).subspan(tiles_[tile].first_source, tiles_[tile].sources);
  }
  std::span<const Part> targets(std::size_t tile) const {
    return std::span(targets_).subspan(tiles_[tile].first_target, tiles_[tile].targets);
  }
  int source_messages() const { return spec_.source_messages; }
  int target_messages() const { return spec_.target_messages; }
  bool streams() const { return spec_.streaming; }

  /// What a run of `tile` will load.
  void announce(std::size_t tile, const Addresses& addresses, PrefetchQueue& ahead) const;
  /// Loads, transforms and stores a tile in the memory of `thread`, and asks for what is `ahead`.
  void run(std::size_t tile, int thread, const Addresses& addresses, PrefetchQueue& ahead);

 private:
  // For tiles of one shape: which kernel each group or axis runs. Groups alike share one.
  struct Kernels {
    std::vector<std::unique_ptr<Kernel>> all;
    std::vector<Kernel*> loads, axes, stores;
  };
  struct Thread {
    const TileMemory* memory;
    std::vector<Kernels> kernels;  // per shape
  };
  struct Tile {
    std::size_t block;
    std::size_t shape, box;               // box in spectral_boxes_
    std::size_t first_source, sources;    // in sources_
    std::size_t first_target, targets;    // in targets_
    std::size_t first_load, first_store;  // in group_parts_
  };
  using CopyNumbers = std::map<BoxCopy, int>;

  bool keeps_columns() const;
  void make_tiles();
  void order_tiles();
  std::size_t shape_of(const Dims& real_extents, const Dims& spectral_extents);
  void add_tile_parts(const Patches& patches, const Box& tile,
                      const std::vector<TileShape::Group>& groups, const Layout& whole,
                      std::int64_t element_bytes, CopyNumbers& numbers, std::vector<Part>& parts);
  void add_parts(const Patches& patches, const Box& box, const Layout& layout,
                 std::int64_t element_bytes, CopyNumbers& numbers, std::vector<Part>& parts);
  static Kernels kernels_for(const TileShape& shape, const TileMemory& memory, Engine& engine,
                             Effort effort);
  void twiddle(std::byte* data, const Layout& layout, const Box& box) const;
  void load(const Tile& tile, const Thread& thread, const Addresses& addresses,
            PrefetchQueue& ahead) const;
  void store(const Tile& tile, const Thread& thread, const Addresses& addresses,
             PrefetchQueue& ahead) const;

  PassSpec spec_;
  TileTransform transform_;
  std::vector<Tile> tiles_;
  std::vector<std::size_t> first_tiles_;
  std::vector<TileShape> shapes_;
  std::vector<Part> sources_, targets_;
  std::vector<std::size_t> group_parts_;  // how many parts each group of a tile has
  std::vector<BoxCopy> copies_;           // groups cut alike by patches share them
  std::vector<Box> spectral_boxes_;       // of tiles, if there are twiddle factors
  Twiddle twiddle_;
  std::vector<Thread> threads_;
};

}  // namespace weft
