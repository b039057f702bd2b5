// compute/pass_run: loads, transforms and stores a tile.

#include <algorithm>
#include <cstring>

#include "weft/base/simulation.hpp"
#include "weft/compute/pass.hpp"

namespace weft {

void Pass::store_part(const Part& part, const std::byte* from, const Addresses& addresses) const {
  const auto copy = static_cast<std::size_t>(part.copy);
  std::byte* const to = addresses[static_cast<std::size_t>(part.buffer)];
  const Scalar scalar = transform_.target_scalar();
  if (spec_->target_points)
    point_copies_[copy].store(from + part.near_offset, to, part.far_offset, *spec_->target_points,
                              scalar.precision, factor_);
  else
    copies_[copy].store(from + part.near_offset, to + part.far_offset, scalar, factor_,
                        streams_to(part));
}

// A tile while it runs: what Pass::run() does with it, step by step.
class Pass::TileRun {
 public:
  TileRun(const Pass& pass, std::size_t number, const Thread& thread, const Addresses& addresses,
          PrefetchQueue& prefetches)
      : pass_(pass),
        parts_(pass.tiles_[number]),
        shape_(pass.shapes_[parts_.shape]),
        kernels_(thread.kernels[parts_.shape]),
        corner_((*pass.tile_boxes_)[number].spectral.lo),
        tile_(thread.memory->tile()),
        group_(thread.memory->group()),
        addresses_(addresses),
        prefetches_(prefetches) {}

  // The kernel for lines that are in an array on one side or both, which have this number; null if
  // there is none, or none for these addresses. `of_group` is that of their group.
  Kernel* direct(int number, const void* in, const void* out, Kernel* of_group = nullptr) const {
    if (number == not_direct) return nullptr;
    Kernel* const kernel =
        number == as_in_group ? of_group : kernels_.direct[static_cast<std::size_t>(number)];
    return kernel != nullptr && kernel->suits(in, out) ? kernel : nullptr;
  }
  // The number of the lines that store a group, or the tile, without a copy.
  int direct_store(std::size_t g) const {
    if (pass_.stores_through_copies_) return not_direct;
    return pass_.group_parts_[parts_.first_store + g].direct;
  }
  std::byte* address(const Part& part) const {
    return addresses_[static_cast<std::size_t>(part.buffer)] + part.far_offset;
  }

  // Runs the only transform of a tile from array to array, or copies the tile, if it can.
  bool runs_through(const Part* source, const Part* target) {
    if (parts_.through == not_direct || pass_.stores_through_copies_) return false;
    std::byte *const from = address(*source), *const to = address(*target);
    if (pass_.transform_.axes.empty()) {
      pass_.copies_[static_cast<std::size_t>(parts_.through)].copy(
          from, to, pass_.transform_.source_scalar().bytes(), pass_.streams_to(*target));
      return true;
    }
    Kernel* const kernel = direct(parts_.through, from, to);
    if (kernel != nullptr) kernel->run(from, to, prefetches_);
    return kernel != nullptr;
  }
  // Loads a tile without groups, and runs its first axis if that loads it.
  void load_tile(const Part*& part) {
    const GroupParts& parts = pass_.group_parts_[parts_.first_load];
    std::byte* const from = parts.direct != not_direct ? address(*part) : nullptr;
    Kernel* const kernel = direct(parts.direct, from, tile_);
    if (kernel == nullptr) return load(0, tile_, shape_.tile(), part);
    kernel->run(from, tile_, before_stores());
    next_axis_ = 1;
  }
  // The last axis of a tile without groups may store it.
  void find_last_axis(const Part* part) {
    const int number = direct_store(0);
    if (number != not_direct) last_axis_ = direct(number, tile_, address(*part));
  }
  void store_tile(const Part*& part) {
    if (last_axis_ == nullptr) return store(0, tile_, part);
    last_axis_->run(tile_, address(*part), prefetches_);
  }

  // Copies what the parts from `part` on hold of a group, or of the tile. The rest is zero.
  void load(std::size_t g, std::byte* into, const Layout& layout, const Part*& part) {
    const GroupParts& parts = pass_.group_parts_[parts_.first_load + g];
    const Scalar scalar = pass_.transform_.source_scalar();
    if (!parts.are_all)
      std::memset(into, 0, static_cast<std::size_t>(layout.span() * scalar.bytes()));
    const auto& points = pass_.spec_->source_points;
    for (std::size_t left = parts.count; left > 0; --left, ++part) {
      const auto copy = static_cast<std::size_t>(part->copy);
      std::byte* const to = into + part->near_offset;
      const std::byte* const from = addresses_[static_cast<std::size_t>(part->buffer)];
      if (points)
        pass_.point_copies_[copy].load(to, from, part->far_offset, *points, scalar.precision);
      else
        pass_.copies_[copy].load(to, from + part->far_offset, scalar.bytes());
    }
  }
  void store(std::size_t g, const std::byte* from, const Part*& part) {
    for (std::size_t left = pass_.group_parts_[parts_.first_store + g].count; left > 0;
         --left, ++part)
      pass_.store_part(*part, from, addresses_);
  }

  // A group is copied to its buffer, and the transform along the first axis writes into the tile.
  void load_group(std::size_t g, const Part*& part) {
    const TileShape::Group& group = shape_.loads()[g];
    std::byte* const to = tile_ + group.tile_offset;
    const int number = pass_.group_parts_[parts_.first_load + g].direct;
    std::byte* const from = number != not_direct ? address(*part) : nullptr;
    Kernel* const kernel = direct(number, from, to, kernels_.loads[g]);
    if (kernel == nullptr)
      load(g, group_, group.layout, part);
    else
      ++part;
    if (shape_.loads_slabs()) prefetch_group(g + 1, part);
    if (kernel != nullptr) return kernel->run(from, to, before_stores());
    if (shape_.twiddles_loads) twiddle(group_, group.layout, group.box);
    kernels_.loads[g]->run(group_, to, before_stores());
  }
  // While the slab of a group is transformed, the next group is prefetched; its parts begin at
  // `part`.
  void prefetch_group(std::size_t g, const Part* part) {
    group_prefetches_.clear();
    if (g == shape_.loads().size() || !pass_.prefetches()) return;
    const std::size_t count = pass_.group_parts_[parts_.first_load + g].count;
    for (const Part* const end = part + count; part != end; ++part)
      pass_.queue_part(*part, addresses_, group_prefetches_);
  }
  // The transform along the last axis writes a group into its buffer, from which it is copied.
  void store_group(std::size_t g, const Part*& part) {
    const TileShape::Group& group = shape_.stores()[g];
    std::byte* const from = tile_ + group.tile_offset;
    const int number = direct_store(g);
    std::byte* const to = number != not_direct ? address(*part) : nullptr;
    if (Kernel* const kernel = direct(number, from, to)) {
      kernel->run(from, to, prefetches_);
      ++part;
      return;
    }
    kernels_.stores[g]->run(from, group_, prefetches_);
    if (shape_.twiddles_stores) twiddle(group_, group.layout, group.box);
    store(g, group_, part);
  }

  // What is prefetched until the first group is stored. The next tile would leave the cache again
  // before it is loaded, where this one exceeds it.
  PrefetchQueue& before_stores() { return shape_.loads_slabs() ? group_prefetches_ : prefetches_; }

  // Runs those of the axes left that need no more groups to be loaded, or stored, before them.
  void run_axes(std::size_t loaded, std::size_t stored) {
    const auto& axes = shape_.axes();
    const std::size_t end = axes.size() - (last_axis_ != nullptr ? 1 : 0);
    for (; next_axis_ < end; ++next_axis_) {
      const TileShape::Axis& axis = axes[next_axis_];
      if (axis.loads > loaded || axis.stores > stored) return;
      if (axis.twiddle_before) twiddle_before_axis(next_axis_);
      std::byte* const slab = tile_ + axis.tile_offset;
      kernels_.axes[next_axis_]->run(slab, slab, before_stores());
      if (axis.twiddle_after) twiddle_before_axis(next_axis_ + 1);
    }
  }
  void twiddle(std::byte* data, const Layout& layout, const Box& box) const {
    pass_.twiddle_.apply(data, layout, moved(box, corner_), pass_.spec_->spectral_scalar.precision,
                         pass_.spec_->forward ? -1 : 1);
  }
  // Applies twiddle factors before axes[i], or after the last of the axes.
  void twiddle_before_axis(std::size_t i) {
    const auto& axes = shape_.axes();
    const Dims& extents = i < axes.size() ? axes[i].extents : shape_.last_extents();
    twiddle(tile_, shape_.tile(), Box::whole(extents));
  }

 private:
  const Pass& pass_;
  const TileParts& parts_;
  const TileShape& shape_;
  const Kernels& kernels_;
  const Dims& corner_;  // of the tile, where twiddle factors are applied
  std::byte* const tile_;
  std::byte* const group_;
  const Addresses& addresses_;
  PrefetchQueue& prefetches_;
  PrefetchQueue group_prefetches_;
  std::size_t next_axis_ = 0;
  Kernel* last_axis_ = nullptr;  // that stores the tile
};

void Pass::queue_part(const Part& part, const Addresses& addresses,
                      PrefetchQueue& prefetches) const {
  if (spec_->source_points) return;
  copies_[static_cast<std::size_t>(part.copy)].queue_prefetch(
      addresses[static_cast<std::size_t>(part.buffer)] + part.far_offset,
      transform_.source_scalar().bytes(), prefetches);
}

void Pass::queue_prefetch(std::size_t tile, const Addresses& addresses, PrefetchQueue& prefetches,
                          const std::vector<int>* messages) const {
  for (const Part& part : sources(tile))
    if (messages == nullptr || part.message == Patch::resident ||
        std::ranges::find(*messages, part.message) != messages->end())
      queue_part(part, addresses, prefetches);
}

void Pass::run_whole(const Addresses& addresses, PrefetchQueue& prefetches) {
  const auto at = [&](const Part& part) {
    return addresses[static_cast<std::size_t>(part.buffer)] + part.far_offset;
  };
  whole_->run(at(sources_.front()), at(targets_.front()), scale_, prefetches);
  spend_pass(shapes_.front().loaded_bytes());
}

// The axes run when what they need is loaded, and before it is stored.
void Pass::run(std::size_t tile, int thread, const Addresses& addresses,
               PrefetchQueue& prefetches) {
  if (whole_) return run_whole(addresses, prefetches);
  TileRun run(*this, tile, threads_[static_cast<std::size_t>(thread)], addresses, prefetches);
  const TileParts& parts = tiles_[tile];
  const TileShape& shape = shapes_[parts.shape];
  const Part* source = sources_.data() + parts.first_source;
  const Part* target = targets_.data() + parts.first_target;
  const std::size_t loads = shape.loads().size(), stores = shape.stores().size();
  if (!run.runs_through(source, target)) {
    if (loads == 0) run.load_tile(source);
    if (stores == 0) run.find_last_axis(target);
    for (std::size_t g = 0; g < loads; ++g) {
      run.run_axes(g, 0);
      run.load_group(g, source);
    }
    if (shape.twiddles_loaded) run.twiddle_before_axis(0);
    run.run_axes(loads, 0);
    if (shape.twiddles_stored) run.twiddle_before_axis(shape.axes().size());
    if (stores == 0) run.store_tile(target);
    for (std::size_t g = 0; g < stores; ++g) {
      run.run_axes(loads, g);
      run.store_group(g, target);
    }
  }
  spend_pass(shape.loaded_bytes());
}

}  // namespace weft
