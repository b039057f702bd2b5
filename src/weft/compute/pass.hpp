// compute/pass: loads tiles from patches, transforms them while they are in the cache, and stores
// them to patches.
// Keeps: quiet execution - running a tile allocates nothing.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "weft/compute/tile_shape.hpp"
#include "weft/compute/twiddle.hpp"
#include "weft/compute/whole_transform.hpp"
#include "weft/fft/engine_set.hpp"
#include "weft/grid/patches.hpp"
#include "weft/memory/addresses.hpp"
#include "weft/memory/box_copy.hpp"
#include "weft/memory/point_copy.hpp"
#include "weft/memory/tile_memory.hpp"
#include "weft/program/program.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// The tiles of a pass over the boxes of this rank, and how to run one of them. Each thread works
/// in memory of its own, so several threads may run different tiles at the same time.
class Pass {
 public:
  /// `program` must outlive the pass. Errors: see EngineSet::of.
  Pass(const PassProgram& program, EngineSet& engines);

  /// Bytes of the largest group of lines.
  std::int64_t group_bytes() const;
  /// Bytes of the largest tile.
  std::int64_t tile_bytes() const;
  /// Bytes of the tables that say what tiles load and store.
  std::int64_t table_bytes() const;
  /// Makes the kernels of every thread: thread i computes in memory[i], which must outlive the
  /// pass.
  void make_kernels(const std::vector<TileMemory>& memory, EngineSet& engines, Effort effort);

  /// The points that a tile, or one of its groups, shares with one patch.
  struct Part {
    std::int64_t near_offset;  ///< bytes, in the tile or in the buffer of the group
    /// Bytes, in the buffer of the patch; of an array with a PointMap, the number of a point.
    std::int64_t far_offset;
    int copy;             ///< index of the BoxCopy or PointCopy that loads or stores it
    int buffer, message;  ///< those of the patch
  };
  std::size_t tiles() const { return tiles_.size(); }
  /// What a tile loads.
  std::span<const Part> sources(std::size_t tile) const {
    return std::span(sources_).subspan(tiles_[tile].first_source, tiles_[tile].sources);
  }
  /// What a tile stores.
  std::span<const Part> targets(std::size_t tile) const {
    return std::span(targets_).subspan(tiles_[tile].first_target, tiles_[tile].targets);
  }
  /// The number of messages that the pass stores to.
  int target_messages() const { return spec_->target_messages; }
  /// Whether stores bypass the cache.
  bool streams() const { return spec_->streaming; }
  /// Whether the next tile is prefetched while a tile is transformed.
  bool prefetches() const { return spec_->prefetches; }

  /// Prepares for the tiles of a run. If the pass takes the scale of runs, its results are
  /// multiplied by `scale`. The copies that store them do this, so no transform then stores
  /// directly to an array.
  void begin(double scale) {
    scale_ = spec_->takes_scale ? scale : 1;
    factor_ = spec_->factor * scale_;
    stores_through_copies_ = spec_->takes_scale && scale != 1;
  }
  /// Queues prefetches of the memory that run() will load for `tile`: of all of it, or only of what
  /// comes in no other messages than these.
  void queue_prefetch(std::size_t tile, const Addresses& addresses, PrefetchQueue& prefetches,
                      const std::vector<int>* messages = nullptr) const;
  /// Loads, transforms and stores a tile in the memory of `thread`. Meanwhile it issues the
  /// prefetches that `prefetches` holds.
  void run(std::size_t tile, int thread, const Addresses& addresses, PrefetchQueue& prefetches);

 private:
  // The kernels of the groups and axes of one shape. Equal groups share a kernel.
  struct Kernels {
    std::vector<std::unique_ptr<Kernel>> all;
    std::vector<Kernel*> loads, axes, stores;
    std::vector<Kernel*> direct;  // for each of direct_lines_; null where the engine has none
  };
  struct Thread {
    const TileMemory* memory;
    std::vector<Kernels> kernels;  // per shape
  };
  struct TileParts {
    std::size_t shape;
    std::size_t first_source, sources;    // range of sources_
    std::size_t first_target, targets;    // range of targets_
    std::size_t first_load, first_store;  // indices in group_parts_
    int through;                          // direct lines, or the copy, from array to array
  };
  struct GroupParts {
    std::uint32_t count;  // the parts of the group
    bool are_all;         // whether they hold all of its points; the others are zero
    int direct;           // direct lines that load or store the group, by number
  };
  // Direct lines are transforms that load from an array, store to one, or both, without a copy in
  // between. Their numbers are indices in direct_lines_ of a shape, or one of two special values.
  enum class End { load, store, both };
  struct DirectLines {
    End end;
    TileShape::ArrayLines in_array;
  };
  // There are no direct lines: data go through the buffer or the tile; and the lines lie in the
  // array as they do in the buffer of their group, so that its kernel can be used.
  static constexpr int not_direct = -1, as_in_group = -2;
  class TileRun;
  // Indices in copies_ and point_copies_; and in direct_lines_ of a shape, for each group in an
  // array with the strides that were looked up last.
  struct CopyNumbers {
    struct InArray {
      Dims strides;
      std::vector<std::optional<int>> of_groups;
    };
    std::map<BoxCopy, int> boxes;
    std::map<PointCopy, int> points;
    std::map<std::pair<std::size_t, End>, InArray> directs;
  };
  // The patches that tiles load from or store to, and where the parts of the tiles are listed.
  struct Side {
    const Patches& patches;
    BoxIndex index;  // finds the patches that meet a box
    std::int64_t element_bytes;
    const PointMap* points;  // where the array holds only some of the points; else null
    End end;
    std::vector<Part>& parts;
  };

  Engine& engine_of(int axis, EngineSet& engines) const;
  bool keeps_columns(EngineSet& engines) const;
  void add_parts_of_tiles(const std::vector<Tile>& tiles);
  void add_whole(const Tile& tile, const std::optional<Dims>& from, const std::optional<Dims>& to);
  std::size_t shape_of(const Dims& real_extents, const Dims& spectral_extents);
  // What patches hold of a box: whether all of it, and, if that is one piece, its strides.
  struct Cover {
    bool is_all;
    std::optional<Dims> strides;
  };
  std::optional<Dims> add_tile_parts(const Side& side, const Box& tile, std::size_t shape,
                                     const std::vector<TileShape::Group>& groups,
                                     CopyNumbers& numbers);
  int direct_number(std::size_t shape, End end, std::size_t group,
                    const std::optional<Dims>& strides, CopyNumbers& numbers);
  bool copies_arrays() const;
  int copy_number(const Dims& extents, const Dims& from, const Dims& to, CopyNumbers& numbers);
  int add_direct_lines(std::size_t shape, End end, std::size_t group, const Dims& strides);
  int number_of(const Side& side, const Dims& extents, const Dims& near, const Dims& far,
                CopyNumbers& numbers);
  Cover add_parts(const Side& side, const Box& box, const Layout& layout, CopyNumbers& numbers);
  Kernels kernels_for(std::size_t shape, const TileMemory& memory, EngineSet& engines,
                      Effort effort) const;
  void queue_part(const Part& part, const Addresses& addresses, PrefetchQueue& prefetches) const;
  void run_whole(const Addresses& addresses, PrefetchQueue& prefetches);
  void store_part(const Part& part, const std::byte* from, const Addresses& addresses) const;
  bool streams_to(const Part& part) const {
    return spec_->streaming && part.buffer != spec_->ring_buffer;
  }

  const PassSpec* spec_;
  bool loads_directly_, stores_directly_;  // whether lines are direct where they can be
  double scale_ = 1;                       // of the run, where the pass takes it
  double factor_ = 1;                      // by which the run multiplies what it stores
  bool stores_through_copies_ = false;     // whether no lines store directly in this run
  const std::vector<Tile>* tile_boxes_;    // the boxes of each of tiles_
  TileTransform transform_;
  std::vector<TileParts> tiles_;
  std::vector<TileShape> shapes_;
  std::vector<std::vector<DirectLines>> direct_lines_;  // per shape
  std::vector<Part> sources_, targets_;
  std::vector<GroupParts> group_parts_;  // for each group of each tile
  std::vector<BoxCopy> copies_;          // parts of the same shape and strides share one
  std::vector<PointCopy> point_copies_;  // instead, with a PointMap
  Twiddle twiddle_;
  std::optional<WholeTransform> whole_;  // instead of all kernels, of the only tile
  std::vector<Thread> threads_;
};

}  // namespace weft
