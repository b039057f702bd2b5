// compute/pass: the parts of tiles, and kernels for their shapes.

#include "weft/compute/pass.hpp"

#include <algorithm>
#include <cstring>

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"
#include "weft/compute/direct_rule.hpp"
#include "weft/fft/kept_lines.hpp"
#include "weft/grid/tiling.hpp"

namespace weft {

Pass::Pass(const PassProgram& program, EngineSet& engines)
    : spec_(&program.spec),
      loads_directly_(!spec_->source_points &&
                      spec_->loads_directly.value_or(direct_rule(*spec_).loads)),
      stores_directly_(may_store_directly(*spec_) &&
                       spec_->stores_directly.value_or(direct_rule(*spec_).stores)),
      factor_(spec_->factor),
      tile_boxes_(&program.tiles) {
  // A tile that a library transforms as a whole is loaded and stored like one without axes.
  if (!spec_->is_whole) transform_.axes = spec_->axes_in_order();
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
  if (spec_->is_whole) return 0;
  std::int64_t bytes = 0;
  for (const TileShape& shape : shapes_) bytes = std::max(bytes, shape.group_bytes());
  return bytes;
}

std::int64_t Pass::tile_bytes() const {
  if (spec_->is_whole) return 0;
  std::int64_t bytes = 0;
  for (const TileShape& shape : shapes_) bytes = std::max(bytes, shape.tile_bytes());
  return bytes;
}

std::int64_t Pass::table_bytes() const {
  // What program/size plans for a tile, and for each of its groups.
  static_assert(sizeof(TileParts) <= 64 && sizeof(Part) + sizeof(GroupParts) <= 44);
  return static_cast<std::int64_t>(tiles_.capacity() * sizeof(TileParts) +
                                   (sources_.capacity() + targets_.capacity()) * sizeof(Part) +
                                   group_parts_.capacity() * sizeof(GroupParts) +
                                   copies_.capacity() * sizeof(BoxCopy) +
                                   point_copies_.capacity() * sizeof(PointCopy));
}

void Pass::add_parts_of_tiles(const std::vector<Tile>& tiles) {
  CopyNumbers numbers;
  const Side source{.patches = spec_->source,
                    .index = index_of(spec_->source),
                    .element_bytes = transform_.source_scalar().bytes(),
                    .points = spec_->source_points.get(),
                    .end = End::load,
                    .parts = sources_};
  const Side target{.patches = spec_->target,
                    .index = index_of(spec_->target),
                    .element_bytes = transform_.target_scalar().bytes(),
                    .points = spec_->target_points.get(),
                    .end = End::store,
                    .parts = targets_};
  for (const Tile& box : tiles) {
    TileParts tile{};
    tile.shape = shape_of(box.real.extents(), box.spectral.extents());
    tile.first_source = sources_.size();
    tile.first_load = group_parts_.size();
    const auto from = add_tile_parts(source, spec_->forward ? box.real : box.spectral, tile.shape,
                                     shapes_[tile.shape].loads(), numbers);
    tile.sources = sources_.size() - tile.first_source;
    tile.first_target = targets_.size();
    tile.first_store = group_parts_.size();
    const auto to = add_tile_parts(target, spec_->forward ? box.spectral : box.real, tile.shape,
                                   shapes_[tile.shape].stores(), numbers);
    tile.targets = targets_.size() - tile.first_target;
    // The arrays may be one, in which other points must not be overwritten before they are read.
    const bool may_be_in_place =
        from && from == to && sources_.back().far_offset == targets_.back().far_offset;
    if (copies_arrays())
      tile.through = from && to ? copy_number(box.real.extents(), *from, *to, numbers) : not_direct;
    else
      tile.through = loads_directly_ && stores_directly_ && may_be_in_place
                         ? direct_number(tile.shape, End::both, 0, from, numbers)
                         : not_direct;
    tiles_.push_back(tile);
    if (spec_->is_whole) add_whole(box, from, to);
  }
  tiles_.shrink_to_fit();
  sources_.shrink_to_fit();
  targets_.shrink_to_fit();
  group_parts_.shrink_to_fit();
}

// making/whole_pass has seen that the tile lies in one piece on both sides.
void Pass::add_whole(const Tile& tile, const std::optional<Dims>& from,
                     const std::optional<Dims>& to) {
  ensure(from && to && tiles_.size() == 1);
  WholeTransform::Form form{tile.real.extents(), tile.spectral.extents(), *from, *to};
  // The arrays may be one if points begin at the same bytes in both.
  const std::int64_t from_bytes = spec_->source_scalar().bytes(),
                     to_bytes = spec_->target_scalar().bytes();
  form.may_be_in_place = sources_.back().far_offset == targets_.back().far_offset;
  for (int a = 0; a < from->size(); ++a)
    if (a != spec_->half_axis && (*from)[a] * from_bytes != (*to)[a] * to_bytes)
      form.may_be_in_place = false;
  whole_.emplace(*spec_, form);
}

// Adds the parts of `tile` that lie in the patches of `side`: for each group in turn, or for the
// whole tile where it has no groups. Returns the strides of a tile that lies in one piece and is
// loaded, or stored, as a whole.
std::optional<Dims> Pass::add_tile_parts(const Side& side, const Box& tile, std::size_t shape,
                                         const std::vector<TileShape::Group>& groups,
                                         CopyNumbers& numbers) {
  // A tile meets only a few patches of what may be thousands.
  Patches near;
  for (const std::size_t number : side.index.overlapping(tile))
    near.push_back(side.patches[number]);
  const Side near_side{.patches = near,
                       .index = {},
                       .element_bytes = side.element_bytes,
                       .points = side.points,
                       .end = side.end,
                       .parts = side.parts};
  // With both sides direct, columns need no tile, or, where that is not possible, are copied twice:
  // cache lines that come or go one by one on one side cost more than the copy.
  const bool may_be_direct =
      (side.end == End::load ? loads_directly_ : stores_directly_) &&
      (!loads_directly_ || !stores_directly_ || !shapes_[shape].is_one_axis_of_columns());
  const auto add = [&](std::size_t group, const Box& box, const Layout& layout) {
    const std::size_t before = side.parts.size();
    const Cover cover = add_parts(near_side, box, layout, numbers);
    const int direct =
        may_be_direct ? direct_number(shape, side.end, group, cover.strides, numbers) : not_direct;
    group_parts_.push_back(
        {static_cast<std::uint32_t>(side.parts.size() - before), cover.is_all, direct});
    return cover.strides;
  };
  if (groups.empty()) return add(0, tile, shapes_[shape].tile());
  if (groups.size() == 1) return add(0, tile, groups.front().layout);
  for (std::size_t g = 0; g < groups.size(); ++g)
    add(g, moved(groups[g].box, tile.lo), groups[g].layout);
  return std::nullopt;
}

// The number of the lines of a group, or of a tile, in an array with these strides.
int Pass::direct_number(std::size_t shape, End end, std::size_t group,
                        const std::optional<Dims>& strides, CopyNumbers& numbers) {
  if (!strides) return not_direct;
  auto& [last_strides, of_groups] = numbers.directs[{shape, end}];
  if (last_strides != *strides) of_groups.clear();
  last_strides = *strides;
  if (of_groups.size() <= group) of_groups.resize(group + 1);
  if (!of_groups[group]) of_groups[group] = add_direct_lines(shape, end, group, *strides);
  return *of_groups[group];
}

// Whether tiles without axes may be copied from array to array.
bool Pass::copies_arrays() const {
  return spec_->axes.empty() && !spec_->source_points && !spec_->target_points &&
         spec_->real_scalar == spec_->spectral_scalar && spec_->factor == 1 && !spec_->takes_scale;
}

// The index in copies_ of the copy of a tile between arrays with these strides. Where no axis is
// contiguous in both, the tile lies between, so that both are walked by rows.
int Pass::copy_number(const Dims& extents, const Dims& from, const Dims& to, CopyNumbers& numbers) {
  const BoxCopy copy(extents, from, to);
  if (!copy.has_rows()) return not_direct;
  const auto [found, is_new] = numbers.boxes.try_emplace(copy, static_cast<int>(copies_.size()));
  if (is_new) copies_.push_back(copy);
  return found->second;
}

// Groups that differ only in where they are have the same number.
int Pass::add_direct_lines(std::size_t shape, End end, std::size_t group, const Dims& strides) {
  const TileShape& tile_shape = shapes_[shape];
  auto lines = end == End::load    ? tile_shape.direct_load(transform_, group, strides)
               : end == End::store ? tile_shape.direct_store(transform_, group, strides)
                                   : tile_shape.direct_through(transform_, strides);
  if (!lines) return not_direct;
  if (end != End::load) lines->lines.factor = spec_->factor;
  if (end == End::load && !tile_shape.loads().empty() &&
      tile_shape.loads()[group].lines == lines->lines)
    return as_in_group;
  auto& known = direct_lines_[shape];
  const auto same = std::ranges::find_if(
      known, [&](const DirectLines& one) { return one.end == end && one.in_array == *lines; });
  if (same != known.end()) return static_cast<int>(same - known.begin());
  known.push_back({end, std::move(*lines)});
  return static_cast<int>(known.size()) - 1;
}

Pass::Cover Pass::add_parts(const Side& side, const Box& box, const Layout& layout,
                            CopyNumbers& numbers) {
  const std::size_t before = side.parts.size();
  std::int64_t points = 0;
  std::optional<Dims> strides;
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
    strides = part.strides;
  }
  const bool is_all = points == box.volume();
  if (!is_all || side.parts.size() - before != 1) strides.reset();
  return {is_all, strides};
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
  if (number == shapes_.size()) {
    shapes_.emplace_back(transform_, real_extents, spectral_extents);
    direct_lines_.emplace_back();
  }
  return number;
}

Pass::Kernels Pass::kernels_for(std::size_t number, const TileMemory& memory, EngineSet& engines,
                                Effort effort) const {
  const TileShape& shape = shapes_[number];
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
  for (const DirectLines& direct : direct_lines_[number]) {
    auto own = engine_of(direct.in_array.axis, engines).make_own(direct.in_array.lines);
    kernels.direct.push_back(own.get());
    if (own != nullptr) kernels.all.push_back(std::move(own));
  }
  return kernels;
}

void Pass::make_kernels(const std::vector<TileMemory>& memory, EngineSet& engines, Effort effort) {
  if (whole_)
    return whole_->make_kernels(engine_of(spec_->axes.back(), engines),
                                static_cast<int>(memory.size()));
  for (const TileMemory& mine : memory) {
    Thread& thread = threads_.emplace_back(Thread{&mine, {}});
    for (std::size_t shape = 0; shape < shapes_.size(); ++shape)
      thread.kernels.push_back(kernels_for(shape, mine, engines, effort));
  }
}

}  // namespace weft
