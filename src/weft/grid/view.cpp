// grid/view: splits boxes and strides along an axis that is seen as two.

#include "weft/grid/view.hpp"

#include <algorithm>
#include <utility>

namespace weft {

namespace {

// A range of the split axis that is a box of its two digits: `slow` x `fast`, from index `start`.
struct Stretch {
  Range slow, fast;
  std::int64_t start;
};

// Divides `range` into boxes of the digits (index / fast_extent, index % fast_extent): the end of
// one row, whole rows, the start of another row. Empty boxes are omitted.
std::vector<Stretch> stretches(Range range, std::int64_t fast_extent) {
  std::vector<Stretch> all;
  std::int64_t at = range.lo;
  while (at < range.hi) {
    const std::int64_t row = at / fast_extent, within = at % fast_extent;
    if (within == 0 && range.hi - at >= fast_extent) {
      const std::int64_t rows = (range.hi - at) / fast_extent;
      all.push_back({{row, row + rows}, {0, fast_extent}, at});
      at += rows * fast_extent;
    } else {
      const std::int64_t end = std::min(range.hi, (row + 1) * fast_extent);
      all.push_back({{row, row + 1}, {within, within + end - at}, at});
      at = end;
    }
  }
  return all;
}

struct SplitBoxes {
  const View& view;
  int axis() const { return view.inner_axis(view.split->axis); }
  bool first_slow() const { return view.order == SplitOrder::first_slow; }
  std::int64_t fast_extent() const { return first_slow() ? view.split->second : view.split->first; }
  void set(Box& box, const Stretch& stretch) const {
    box.set(axis(), first_slow() ? stretch.slow : stretch.fast);
    box.set(axis() + 1, first_slow() ? stretch.fast : stretch.slow);
  }
  void set_strides(Dims& strides, std::int64_t stride) const {
    strides[axis()] = first_slow() ? stride * fast_extent() : stride;
    strides[axis() + 1] = first_slow() ? stride : stride * fast_extent();
  }
};

// The grid whose axis i is axis source[i] of `grid`; every piece keeps its owner. Pieces are
// numbered along the last axis first, so owners that were in order need a table.
ProcessGrid reordered(const ProcessGrid& grid, const std::vector<int>& source) {
  Dims parts = grid.parts;
  for (int axis = 0; axis < parts.size(); ++axis)
    parts[axis] = grid.parts[source[static_cast<std::size_t>(axis)]];
  std::vector<int> owners;
  Dims at = Dims::filled(parts.size(), 0), from = at;
  for (std::int64_t piece = 0; piece < grid.count(); ++piece) {
    for (int axis = 0; axis < parts.size(); ++axis)
      from[source[static_cast<std::size_t>(axis)]] = at[axis];
    owners.push_back(grid.owner(grid.piece(from)));
    for (int axis = parts.size() - 1; axis >= 0; --axis) {
      if (++at[axis] < parts[axis]) break;
      at[axis] = 0;
    }
  }
  return ProcessGrid::placed(parts, std::move(owners));
}

Box with_batch(const View& view, Box box) {
  if (view.has_batch_axis()) {
    box.lo.insert(0, 0);
    box.hi.insert(0, view.batch);
  }
  return box;
}

}  // namespace

int View::place_of(int axis) const {
  if (slowest_first.empty()) return axis;
  return static_cast<int>(std::find(slowest_first.begin(), slowest_first.end(), axis) -
                          slowest_first.begin());
}

Dims View::in_memory_order(const Dims& dims) const {
  Dims ordered = dims;
  for (int axis = 0; axis < dims.size(); ++axis) ordered[place_of(axis)] = dims[axis];
  return ordered;
}

int View::inner_axis(int axis) const {
  const int place = place_of(axis);
  return place + (has_batch_axis() ? 1 : 0) + (split && place > place_of(split->axis) ? 1 : 0);
}

int View::user_axis(int inner) const {
  int place = inner - (has_batch_axis() ? 1 : 0);
  if (split && place > place_of(split->axis)) --place;
  return slowest_first.empty() || place < 0 ? place
                                            : slowest_first[static_cast<std::size_t>(place)];
}

std::vector<int> View::inner_axes(const std::vector<int>& axes) const {
  std::vector<int> inner;
  for (const int axis : axes) {
    inner.push_back(inner_axis(axis));
    if (split && axis == split->axis) inner.push_back(inner.back() + 1);
  }
  std::sort(inner.begin(), inner.end());
  return inner;
}

Extents View::inner_extents() const {
  Extents inner = in_memory_order(extents);
  if (has_batch_axis()) inner.insert(0, batch);
  if (split) {
    const int axis = inner_axis(split->axis);
    inner[axis] = split->first;
    inner.insert(axis + 1, split->second);
  }
  return inner;
}

Decomposition View::on_user_grid(ProcessGrid grid, int count) const {
  if (has_batch_axis()) grid.parts.erase(0);
  if (slowest_first.empty()) return Decomposition::on_grid(extents, grid, count);
  std::vector<int> places;
  places.reserve(static_cast<std::size_t>(extents.size()));
  for (int axis = 0; axis < extents.size(); ++axis) places.push_back(place_of(axis));
  return Decomposition::on_grid(extents, reordered(grid, places), count);
}

Decomposition View::inner(const Decomposition& user) const {
  if (!split && slowest_first.empty() && !has_batch_axis()) return user;
  if (!split && user.grid()) {
    ProcessGrid grid = *user.grid();
    if (!slowest_first.empty()) grid = reordered(grid, slowest_first);
    if (has_batch_axis()) grid.parts.insert(0, 1);
    return Decomposition::on_grid(inner_extents(), grid, user.owners());
  }
  std::vector<std::vector<Box>> boxes(static_cast<std::size_t>(user.owners()));
  for (int owner = 0; owner < user.owners(); ++owner) {
    auto& mine = boxes[static_cast<std::size_t>(owner)];
    for (const Box& box : user.boxes(owner)) {
      const Patches patches = this->patches({box}, {Layout::packed(box.extents())}, {0}, 0, 0);
      for (const Patch& patch : patches) mine.push_back(patch.box);
    }
  }
  return user.is_of_parts() ? Decomposition::of_parts(inner_extents(), std::move(boxes), "inner")
                            : Decomposition::of_boxes(inner_extents(), std::move(boxes), "inner");
}

Patches View::patches(const std::vector<Box>& user_boxes, const std::vector<Layout>& layouts,
                      const std::vector<std::int64_t>& offsets, std::int64_t field_stride,
                      int buffer) const {
  ensure(layouts.size() == user_boxes.size() && offsets.size() == user_boxes.size(),
         user_boxes.size(), layouts.size(), offsets.size());
  Patches patches;
  for (std::size_t i = 0; i < user_boxes.size(); ++i) {
    const Box box{in_memory_order(user_boxes[i].lo), in_memory_order(user_boxes[i].hi)};
    Patch patch{with_batch(*this, box), buffer, offsets[i], in_memory_order(layouts[i].strides)};
    if (has_batch_axis()) patch.strides.insert(0, field_stride);
    if (!split) {
      patches.push_back(patch);
      continue;
    }
    const SplitBoxes digits{*this};
    const int axis = digits.axis();
    const Range range = patch.box.range(axis);
    const std::int64_t stride = patch.strides[axis];
    patch.box.lo.insert(axis + 1, 0);
    patch.box.hi.insert(axis + 1, 0);
    patch.strides.insert(axis + 1, 0);
    for (const Stretch& stretch : stretches(range, digits.fast_extent())) {
      Patch part = patch;
      digits.set(part.box, stretch);
      digits.set_strides(part.strides, stride);
      part.offset += (stretch.start - range.lo) * stride;
      patches.push_back(part);
    }
  }
  return patches;
}

}  // namespace weft
