// compute/pass: the parts of tiles, and kernels for their shapes.

#include "weft/compute/pass.hpp"

#include <algorithm>
#include <cstring>

#include "weft/base/simulation.hpp"
#include "weft/fft/kept_lines.hpp"
#include "weft/grid/tiling.hpp"

namespace weft {

Pass::Pass(const PassProgram& program, EngineSet& engines)
    : spec_(&program.spec), boxes_(&program.tiles) {
  transform_.axes = spec_->axes;
  // The order of the axes matters only for the halved axis and for a split axis with twiddle
  // factors: what comes first in the forward direction must come last in the backward direction.
  if (!spec_->forward && (spec_->half_axis >= 0 || spec_->twiddle))
    std::reverse(transform_.axes.begin(), transform_.axes.end());
  transform_.half_axis = spec_->half_axis;
  transform_.lines = spec_->lines;
  transform_.kept = spec_->kept;
  if (spec_->twiddle) transform_.twiddle_axis = spec_->twiddle->axis;
  transform_.forward = spec_->forward;
  transform_.real_scalar = spec_->real_scalar;
  transform_.spectral_scalar = spec_->spectral_scalar;
  transform_.columns_go_out_by_groups = spec_->columns_go_out_by_groups;
  transform_.keeps_columns = keeps_columns(engines);
  transform_.groups =
      group_limits(spec_->limits, spec_->spectral_scalar.bytes(), transform_.keeps_columns);
  transform_.run_axis = spec_->limits.run_axis;
  transform_.cached_points = tiles_in_a_cache * spec_->limits.points;
  add_parts_of_tiles(program.tiles);
  if (spec_->twiddle) twiddle_ = Twiddle(spec_->twiddle->axis, spec_->twiddle->points);
}

Engine& Pass::engine_of(int axis, EngineSet& engines) const {
  if (spec_->engines.empty()) return engines.of("");
  if (spec_->engines.size() == 1) return engines.of(spec_->engines.front());
  const auto at = std::find(spec_->axes.begin(), spec_->axes.end(), axis) - spec_->axes.begin();
  return engines.of(spec_->engines[static_cast<std::size_t>(at)]);
}

// Whether the lines of the last axis are columns that are transformed as columns: because this was
// chosen, or because the engine transforms them best so.
bool Pass::keeps_columns(EngineSet& engines) const {
  if (transform_.axes.empty() || spec_->real_boxes.empty()) return false;
  const int axis = transform_.axes.back();
  const Box& box = spec_->real_boxes.front();
  const int run_axis = transform_.run_axis >= 0 ? transform_.run_axis : box.axes() - 1;
  // Lines of one point are left out, so that another axis may be the last.
  const KeptLine kept = kept_along(spec_->kept, axis);
  const std::int64_t points = kept.is_all() ? box.extent(axis) : kept.points;
  if (axis == transform_.half_axis || axis == run_axis || points == 1) return false;
  if (spec_->keeps_columns) return *spec_->keeps_columns;
  return engine_of(axis, engines).keeps_columns(points, transform_.sums(axis));
}

std::int64_t Pass::group_bytes() const {
  std::int64_t bytes = 0;
  for (const TileShape& shape : shapes_) bytes = std::max(bytes, shape.group_bytes());
  return bytes;
}

std::int64_t Pass::tile_bytes() const {
  std::int64_t bytes = 0;
  for (const TileShape& shape : shapes_) bytes = std::max(bytes, shape.tile_bytes());
  return bytes;
}

std::int64_t Pass::table_bytes() const {
  return static_cast<std::int64_t>(tiles_.capacity() * sizeof(TileParts) +
                                   (sources_.capacity() + targets_.capacity()) * sizeof(Part) +
                                   group_parts_.capacity() * sizeof(GroupParts) +
                                   copies_.capacity() * sizeof(BoxCopy) +
                                   point_copies_.capacity() * sizeof(PointCopy));
}

void Pass::add_parts_of_tiles(const std::vector<Tile>& tiles) {
  CopyNumbers numbers;
  const Side source{spec_->source, index_of(spec_->source), transform_.source_scalar().bytes(),
                    spec_->source_points.get(), sources_};
  const Side target{spec_->target, index_of(spec_->target), transform_.target_scalar().bytes(),
                    spec_->target_points.get(), targets_};
  for (const Tile& box : tiles) {
    TileParts tile{};
    tile.shape = shape_of(box.real.extents(), box.spectral.extents());
    const TileShape& shape = shapes_[tile.shape];
    tile.first_source = sources_.size();
    tile.first_load = group_parts_.size();
    add_tile_parts(source, spec_->forward ? box.real : box.spectral, shape.loads(), shape.tile(),
                   numbers);
    tile.sources = sources_.size() - tile.first_source;
    tile.first_target = targets_.size();
    tile.first_store = group_parts_.size();
    add_tile_parts(target, spec_->forward ? box.spectral : box.real, shape.stores(), shape.tile(),
                   numbers);
    tile.targets = targets_.size() - tile.first_target;
    tiles_.push_back(tile);
  }
  tiles_.shrink_to_fit();
  sources_.shrink_to_fit();
  targets_.shrink_to_fit();
  group_parts_.shrink_to_fit();
}

// Adds the parts of `tile` that lie in the patches of `side`: for each group in turn, or for the
// whole tile where it has no groups.
void Pass::add_tile_parts(const Side& side, const Box& tile,
                          const std::vector<TileShape::Group>& groups, const Layout& whole,
                          CopyNumbers& numbers) {
  // A tile meets only a few patches of what may be thousands.
  Patches near;
  for (const std::size_t number : side.index.overlapping(tile))
    near.push_back(side.patches[number]);
  const Side near_side{near, {}, side.element_bytes, side.points, side.parts};
  const auto add = [&](const Box& box, const Layout& layout) {
    const std::size_t before = side.parts.size();
    const bool are_all = add_parts(near_side, box, layout, numbers);
    group_parts_.push_back({static_cast<std::uint32_t>(side.parts.size() - before), are_all});
  };
  if (groups.empty()) add(tile, whole);
  for (const TileShape::Group& group : groups) add(moved(group.box, tile.lo), group.layout);
}

// Whether the patches hold all of `box`.
bool Pass::add_parts(const Side& side, const Box& box, const Layout& layout, CopyNumbers& numbers) {
  std::int64_t points = 0;
  for (const Patch& patch : side.patches) {
    if (intersect(patch.box, box).empty()) continue;
    const Patch part = clipped(patch, box);
    Dims within = part.box.lo;
    for (int a = 0; a < within.size(); ++a) within[a] -= box.lo[a];
    side.parts.push_back(
        {layout.at(within) * side.element_bytes,
         side.points != nullptr ? part.offset : part.offset * side.element_bytes,
         number_of(side, part.box.extents(), layout.strides, part.strides, numbers), part.buffer,
         part.message});
    points += part.box.volume();
  }
  return points == box.volume();
}

// The index of the copy with these extents and strides; a new one is added.
int Pass::number_of(const Side& side, const Dims& extents, const Dims& near, const Dims& far,
                    CopyNumbers& numbers) {
  const auto number = [](auto copy, auto& known, auto& all) {
    const auto [found, is_new] = known.try_emplace(copy, static_cast<int>(all.size()));
    if (is_new) all.push_back(copy);
    return found->second;
  };
  if (side.points == nullptr) return number(BoxCopy(extents, near, far), numbers.boxes, copies_);
  return number(PointCopy(extents, near, far, side.points->row_axis), numbers.points,
                point_copies_);
}

// The index in shapes_ of the shape with these extents; a new shape is added there.
std::size_t Pass::shape_of(const Dims& real_extents, const Dims& spectral_extents) {
  std::size_t number = 0;
  while (number < shapes_.size() && !shapes_[number].has_extents(real_extents, spectral_extents))
    ++number;
  if (number == shapes_.size()) shapes_.emplace_back(transform_, real_extents, spectral_extents);
  return number;
}

Pass::Kernels Pass::kernels_for(const TileShape& shape, const TileMemory& memory,
                                EngineSet& engines, Effort effort) const {
  struct Made {
    int axis;  // equal lines of another axis may have another engine
    Lines lines;
    std::int64_t offset_in_line;
    Kernel* kernel;
  };
  std::vector<Made> made;
  Kernels kernels;
  std::byte* const group = memory.group();
  std::byte* const tile = memory.tile();
  // Groups share a kernel if their lines are equal and they begin at the same byte of a cache line.
  const auto kernel = [&](int axis, const Lines& lines, std::byte* in, std::byte* out,
                          std::int64_t tile_offset) {
    constexpr std::int64_t line = 64;
    for (const Made& one : made)
      if (one.axis == axis && one.offset_in_line == tile_offset % line && one.lines == lines)
        return one.kernel;
    kernels.all.push_back(make_kernel(engine_of(axis, engines), lines, in, out, effort));
    made.push_back({axis, lines, tile_offset % line, kernels.all.back().get()});
    return made.back().kernel;
  };
  for (const auto& load : shape.loads())
    kernels.loads.push_back(
        kernel(load.axis, load.lines, group, tile + load.tile_offset, load.tile_offset));
  made.clear();
  for (const auto& axis : shape.axes())
    kernels.axes.push_back(kernel(axis.axis, axis.lines, tile + axis.tile_offset,
                                  tile + axis.tile_offset, axis.tile_offset));
  made.clear();
  for (const auto& store : shape.stores())
    kernels.stores.push_back(
        kernel(store.axis, store.lines, tile + store.tile_offset, group, store.tile_offset));
  return kernels;
}

void Pass::make_kernels(const std::vector<TileMemory>& memory, EngineSet& engines, Effort effort) {
  for (const TileMemory& mine : memory) {
    Thread& thread = threads_.emplace_back(Thread{&mine, {}});
    for (const TileShape& shape : shapes_)
      thread.kernels.push_back(kernels_for(shape, mine, engines, effort));
  }
}

}  // namespace weft
