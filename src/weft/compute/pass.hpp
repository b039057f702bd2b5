// compute/pass: load tiles from patches, transform them while they are in the cache, store them to
// patches.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weft/compute/tile_shape.hpp"
#include "weft/compute/twiddle.hpp"
#include "weft/fft/engine.hpp"
#include "weft/grid/patches.hpp"
#include "weft/memory/addresses.hpp"
#include "weft/memory/box_copy.hpp"
#include "weft/memory/tile_memory.hpp"
#include "weft/program/program.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// The tiles of a pass over the boxes of this rank, and how to run one of them. What a thread
/// changes is its own, so several threads may run different tiles at once.
class Pass {
 public:
  /// `program` outlives the pass; `engine` is the one whose kernels it will be given.
  Pass(const PassProgram& program, const Engine& engine);

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
  std::span<const Part> sources(std::size_t tile) const {
    return std::span(sources_).subspan(tiles_[tile].first_source, tiles_[tile].sources);
  }
  std::span<const Part> targets(std::size_t tile) const {
    return std::span(targets_).subspan(tiles_[tile].first_target, tiles_[tile].targets);
  }
  int target_messages() const { return spec_->target_messages; }
  bool streams() const { return spec_->streaming; }

  /// Queues prefetches of what a run of `tile` will load.
  void queue_prefetch(std::size_t tile, const Addresses& addresses,
                      PrefetchQueue& prefetches) const;
  /// Loads, transforms and stores a tile in the memory of `thread`, and issues prefetches of
  /// `prefetches`.
  void run(std::size_t tile, int thread, const Addresses& addresses, PrefetchQueue& prefetches);

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
  struct TileParts {
    std::size_t shape;
    std::size_t first_source, sources;    // in sources_
    std::size_t first_target, targets;    // in targets_
    std::size_t first_load, first_store;  // in group_parts_
  };
  using CopyNumbers = std::map<BoxCopy, int>;

  bool keeps_columns(const Engine& engine) const;
  void add_parts_of_tiles(const std::vector<Tile>& tiles);
  std::size_t shape_of(const Dims& real_extents, const Dims& spectral_extents);
  void add_tile_parts(const Patches& patches, const Box& tile,
                      const std::vector<TileShape::Group>& groups, const Layout& whole,
                      std::int64_t element_bytes, CopyNumbers& numbers, std::vector<Part>& parts);
  void add_parts(const Patches& patches, const Box& box, const Layout& layout,
                 std::int64_t element_bytes, CopyNumbers& numbers, std::vector<Part>& parts);
  static Kernels kernels_for(const TileShape& shape, const TileMemory& memory, Engine& engine,
                             Effort effort);
  void twiddle(std::byte* data, const Layout& layout, const Box& box) const;
  void load(std::size_t tile, const Thread& thread, const Addresses& addresses,
            PrefetchQueue& prefetches) const;
  void store(std::size_t tile, const Thread& thread, const Addresses& addresses,
             PrefetchQueue& prefetches) const;

  const PassSpec* spec_;
  const std::vector<Tile>* boxes_;  // of the tiles
  TileTransform transform_;
  std::vector<TileParts> tiles_;
  std::vector<TileShape> shapes_;
  std::vector<Part> sources_, targets_;
  std::vector<std::size_t> group_parts_;  // how many parts each group of a tile has
  std::vector<BoxCopy> copies_;           // groups cut alike by patches share them
  Twiddle twiddle_;
  std::vector<Thread> threads_;
};

}  // namespace weft
