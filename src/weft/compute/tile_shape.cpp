// compute/tile_shape: layouts and transforms of groups and tiles.

#include "weft/compute/tile_shape.hpp"

#include <algorithm>
#include <limits>

namespace weft {

namespace {

// Rows of fewer bytes than one way of a level-1 cache lie without gaps in the buffer of a group, as
// they usually do in an array, so that a library's plan for the one is a plan for the other. Longer
// ones could share the sets of that cache: they have gaps, and libraries do not read them directly.
constexpr std::int64_t least_padded_row_bytes = 4096;

// Whether lines along `axis` are contiguous.
bool has_rows(const Dims& extents, int axis) {
  for (int a = axis + 1; a < extents.size(); ++a)
    if (extents[a] > 1) return false;
  return true;
}

// A Fourier line of one point is its own transform; only r2c and c2r still change its type.
std::vector<int> axes_to_transform(const TileTransform& transform, const Dims& real_extents) {
  std::vector<int> axes;
  for (int axis : transform.axes)
    if (real_extents[axis] > 1 || axis == transform.half_axis || !transform.is_fourier(axis) ||
        !kept_along(transform.kept, axis).is_all())
      axes.push_back(axis);
  return axes;
}

// Whether twiddle factors are applied before, or after, the transform along `axis`.
bool twiddles(const TileTransform& transform, int axis, bool before) {
  return axis == transform.twiddle_axis && before != transform.forward;
}

// The groups that hold a range of one axis, and with it a slab of the tile.
struct Slab {
  Range range;
  std::size_t first_group, last_group;  // [first, last)
};

// The slabs that the groups of a tile make up, one after the other, if `axis` is the outermost.
std::vector<Slab> slabs_along(int axis, const Dims& extents,
                              const std::vector<TileShape::Group>& groups) {
  for (int a = 0; a < axis; ++a)
    if (extents[a] > 1) return {};
  std::vector<Slab> slabs;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (const Range range = groups[g].box.range(axis); slabs.empty() || slabs.back().range != range)
      slabs.push_back({range, g, g + 1});
    else
      ++slabs.back().last_group;
  return slabs;
}

// Lines of complex values become twice as many of real ones.
void make_real(Lines& lines) {
  lines.in_stride *= 2;
  lines.out_stride *= 2;
  for (Lines::Loop& loop : lines.loops) {
    loop.in_stride *= 2;
    loop.out_stride *= 2;
  }
  if (!lines.loops.empty() && lines.loops.back().in_stride == 2 &&
      lines.loops.back().out_stride == 2)
    lines.loops.back() = {2 * lines.loops.back().count, 1, 1};
  else
    lines.loops.push_back({2, 1, 1});
}

// What decides, of the strides of lines, by which code they are transformed: whether their points,
// and whether some lines, are adjacent.
struct Adjacency {
  bool points_in, points_out, lines_in, lines_out;
  friend bool operator==(const Adjacency&, const Adjacency&) = default;
};
Adjacency adjacency_of(const Lines& lines) {
  const auto& loops = lines.loops;
  return {lines.in_stride == 1, lines.out_stride == 1,
          std::ranges::count(loops, 1, &Lines::Loop::in_stride) > 0,
          std::ranges::count(loops, 1, &Lines::Loop::out_stride) > 0};
}

// Whether the same code computes both, with the same bits. Which code computes lines depends on
// what is adjacent in memory, and on the number of lines where no lines are adjacent.
bool are_alike(const Lines& a, const Lines& b) {
  const Adjacency adjacency = adjacency_of(a);
  if (adjacency_of(b) != adjacency) return false;
  return adjacency.lines_in || adjacency.lines_out ||
         std::ranges::equal(a.loops, b.loops, {}, &Lines::Loop::count, &Lines::Loop::count);
}

}  // namespace

TileShape::TileShape(const TileTransform& transform, const Dims& real_extents,
                     const Dims& spectral_extents)
    : real_extents_(real_extents), spectral_extents_(spectral_extents) {
  const std::vector<int> axes = axes_to_transform(transform, real_extents);
  const Dims& source_extents = transform.forward ? real_extents : spectral_extents;
  const Dims& target_extents = transform.forward ? spectral_extents : real_extents;
  loaded_bytes_ = volume(source_extents) * transform.source_scalar().bytes();
  const bool is_single = axes.size() <= 1;
  tile_scalar_ = is_single ? transform.target_scalar() : transform.spectral_scalar;
  // Groups of columns would be loaded by short rows. So where more axes follow, the whole tile is
  // loaded at once and the first axis is transformed in place.
  const bool has_loads = !axes.empty() && (is_single || axes.front() == transform.half_axis ||
                                           has_rows(source_extents, axes.front()));
  const bool has_stores =
      !is_single && (transform.columns_go_out_by_groups || axes.back() == transform.half_axis ||
                     has_rows(target_extents, axes.back()));
  const bool stays_in_tile = is_single && transform.keeps_columns;
  // A tile has room for an axis as it comes in, or as it goes out, or both where it stays.
  Dims tile_extents = target_extents;
  for (std::size_t i = has_loads && !stays_in_tile ? 1 : 0; i < axes.size(); ++i) {
    const int axis = axes[i];
    const bool goes_out = has_stores && i + 1 == axes.size();
    tile_extents[axis] =
        goes_out ? source_extents[axis] : std::max(source_extents[axis], target_extents[axis]);
  }
  const bool lines_become_contiguous = axes.size() == 1 && !transform.keeps_columns;
  tile_ = tile_layout(tile_extents, tile_scalar_.bytes(),
                      lines_become_contiguous ? axes.front() : transform.run_axis);
  tile_bytes_ = tile_.span() * tile_scalar_.bytes();
  last_extents_ = target_extents;
  if (axes.empty()) return;
  if (has_loads && !stays_in_tile) {
    loads_ = groups(transform, axes.front(), source_extents, transform.source_scalar(), true,
                    is_single ? std::numeric_limits<std::int64_t>::max() : transform.groups.points);
    twiddles_loads = twiddles(transform, axes.front(), true);
    twiddles_loaded = twiddles(transform, axes.front(), false);
  }
  if (has_stores) {
    stores_ = groups(transform, axes.back(), target_extents, transform.target_scalar(), false,
                     transform.groups.points);
    twiddles_stored = twiddles(transform, axes.back(), true);
    twiddles_stores = twiddles(transform, axes.back(), false);
  }
  add_axes(transform, axes);
}

// The axes that neither loads nor stores transform are transformed in place: in the whole tile, but
// those between the first and the last one in slabs of an axis that is not yet transformed, or
// already is.
void TileShape::add_axes(const TileTransform& transform, const std::vector<int>& axes) {
  const Dims& source_extents = transform.forward ? real_extents_ : spectral_extents_;
  const Dims& target_extents = transform.forward ? spectral_extents_ : real_extents_;
  // What is in the tile changes from axis to axis.
  const auto extents_before = [&](std::size_t number) {
    Dims extents = source_extents;
    for (std::size_t i = 0; i < number; ++i) extents[axes[i]] = target_extents[axes[i]];
    return extents;
  };
  const auto add = [&](std::size_t i, const Dims& extents) -> Axis& {
    return axes_.emplace_back(Axis{axes[i], lines_along(transform, axes[i], extents, tile_, tile_),
                                   twiddles(transform, axes[i], true),
                                   twiddles(transform, axes[i], false), extents});
  };
  const auto add_whole = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) add(i, extents_before(i)).loads = loads_.size();
  };

  const bool after_loads = !loads_.empty();
  const std::size_t first = after_loads ? 1 : 0, last = axes.size() - (stores_.empty() ? 0 : 1);
  const int slab_axis = after_loads ? axes.back() : axes.front();
  std::vector<Slab> slabs;
  if (axes.size() > 2 && tile_.span() > transform.cached_points && transform.twiddle_axis < 0)
    slabs = after_loads ? slabs_along(slab_axis, source_extents, loads_)
                        : slabs_along(slab_axis, target_extents, stores_);
  last_extents_ = extents_before(last);
  if (slabs.size() < 2) return add_whole(first, last);
  add_whole(first, 1);
  for (const Slab& slab : slabs)
    for (std::size_t i = 1; i + 1 < axes.size(); ++i) {
      Dims extents = extents_before(i), corner = Dims::filled(extents.size(), 0);
      extents[slab_axis] = slab.range.size();
      corner[slab_axis] = slab.range.lo;
      Axis& added = add(i, extents);
      added.tile_offset = tile_.at(corner) * tile_scalar_.bytes();
      added.loads = after_loads ? slab.last_group : 0;
      added.stores = after_loads ? 0 : slab.first_group;
    }
  add_whole(axes.size() - 1, last);
}

std::vector<TileShape::Group> TileShape::groups(const TileTransform& transform, int axis,
                                                const Dims& extents, Scalar scalar, bool is_load,
                                                std::int64_t points) {
  std::vector<Group> all;
  for (const Box& box :
       tiles_of(Box::whole(extents), {axis},
                {points, transform.groups.run(extents[axis]), transform.run_axis}, {})) {
    Group group;
    group.axis = axis;
    group.box = box;
    const bool stays = is_load || transform.keeps_columns;
    const int fastest = stays ? transform.run_axis : axis;
    const bool are_rows = fastest >= 0 ? axis == fastest : has_rows(extents, axis);
    const bool has_gaps =
        !is_load || !are_rows || extents[axis] * scalar.bytes() >= least_padded_row_bytes;
    group.layout = tile_layout(box.extents(), scalar.bytes(), fastest, has_gaps);
    group.tile_offset = tile_.at(box.lo) * tile_scalar_.bytes();
    const Layout& in = is_load ? group.layout : tile_;
    const Layout& out = is_load ? tile_ : group.layout;
    group.lines = lines_along(transform, axis, box.extents(), in, out);
    group_bytes_ = std::max(group_bytes_, group.layout.span() * scalar.bytes());
    all.push_back(std::move(group));
  }
  return all;
}

std::optional<TileShape::Step> TileShape::first_step(std::size_t g) const {
  return loads_.empty() && axes_.empty() ? std::nullopt
         : loads_.empty()                ? Step::of(axes_.front(), axes_.front().extents)
                                         : Step::of(loads_[g], loads_[g].layout.extents);
}
std::optional<TileShape::Step> TileShape::last_step(std::size_t g) const {
  return stores_.empty() && axes_.empty() ? std::nullopt
         : stores_.empty()                ? Step::of(axes_.back(), axes_.back().extents)
                                          : Step::of(stores_[g], stores_[g].layout.extents);
}

std::optional<TileShape::ArrayLines> TileShape::in_array(const TileTransform& transform,
                                                         const std::optional<Step>& step,
                                                         const Layout& in,
                                                         const Layout& out) const {
  if (!step || step->lines->kept || transform.twiddle_axis >= 0) return std::nullopt;
  Lines lines = lines_along(transform, step->axis, *step->extents, in, out);
  if (!are_alike(lines, *step->lines)) return std::nullopt;
  return ArrayLines{step->axis, std::move(lines)};
}

std::optional<TileShape::ArrayLines> TileShape::direct_load(const TileTransform& transform,
                                                            std::size_t g,
                                                            const Dims& strides) const {
  const auto step = first_step(g);
  // Some kernels destroy what they read.
  if (!step || (step->lines->kind != LineKind::c2c && step->lines->kind != LineKind::r2c))
    return std::nullopt;
  return in_array(transform, step, {*step->extents, strides}, tile_);
}

std::optional<TileShape::ArrayLines> TileShape::direct_store(const TileTransform& transform,
                                                             std::size_t g,
                                                             const Dims& strides) const {
  return in_array(transform, last_step(g), tile_, {real_extents_, strides});
}

std::optional<TileShape::ArrayLines> TileShape::direct_through(const TileTransform& transform,
                                                               const Dims& strides) const {
  const auto step = first_step(0);
  if (!stores_.empty() || loads_.size() + axes_.size() != 1 || step->lines->kind != LineKind::c2c)
    return std::nullopt;
  const Layout array{real_extents_, strides};
  return in_array(transform, step, array, array);
}

Lines TileShape::lines_along(const TileTransform& transform, int axis, const Dims& extents,
                             const Layout& in, const Layout& out) const {
  Lines lines;
  lines.precision = transform.spectral_scalar.precision;
  lines.sign = transform.forward ? -1 : 1;
  if (axis == transform.half_axis) lines.kind = transform.forward ? LineKind::r2c : LineKind::c2r;
  lines.n = real_extents_[axis];
  if (const KeptLine kept = kept_along(transform.kept, axis); !kept.is_all()) {
    lines.n = kept.points;
    lines.kept = LineEnds{transform.forward ? kept.real : kept.spectral,
                          transform.forward ? kept.spectral : kept.real};
  }
  lines.in_stride = in.strides[axis];
  lines.out_stride = out.strides[axis];
  for (int a = 0; a < extents.size(); ++a) {
    const std::int64_t count = extents[a];
    if (a == axis || count == 1) continue;
    const Lines::Loop loop{count, in.strides[a], out.strides[a]};
    if (!lines.loops.empty() && lines.loops.back().in_stride == loop.count * loop.in_stride &&
        lines.loops.back().out_stride == loop.count * loop.out_stride) {
      lines.loops.back() = {lines.loops.back().count * count, loop.in_stride, loop.out_stride};
    } else {
      lines.loops.push_back(loop);
    }
  }
  if (!transform.is_fourier(axis)) {
    lines.kind = LineKind::r2r;
    lines.real = transform.lines[static_cast<std::size_t>(axis)];
    if (transform.spectral_scalar.is_complex) make_real(lines);
  }
  return lines;
}

}  // namespace weft
