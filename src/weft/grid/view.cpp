// grid/view: splitting boxes and strides.

#include "weft/grid/view.hpp"

namespace weft {

namespace {

// A stretch of the split axis as digits: `slow` x `fast` covers [start, ...).
struct Stretch {
  Range slow, fast;
  std::int64_t start;
};

// [range) in digits (index / fast_extent, index % fast_extent): a ragged head, whole rows, a
// ragged tail; those that are empty are left out.
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

Box with_batch(const View& view, Box box) {
  if (view.has_batch_axis()) {
    box.lo.insert(0, 0);
    box.hi.insert(0, view.batch);
  }
  return box;
}

}  // namespace

int View::inner_axis(int axis) const {
  return axis + (has_batch_axis() ? 1 : 0) + (split && axis > split->axis ? 1 : 0);
}

Extents View::inner_extents() const {
  Extents inner = extents;
  if (has_batch_axis()) inner.insert(0, batch);
  if (split) {
    const int axis = inner_axis(split->axis);
    inner[axis] = split->first;
    inner.insert(axis + 1, split->second);
  }
  return inner;
}

Decomposition View::inner(const Decomposition& user) const {
  if (!split && user.grid()) {
    ProcessGrid grid = *user.grid();
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
  return Decomposition::of_boxes(inner_extents(), std::move(boxes), "inner");
}

Patches View::patches(const std::vector<Box>& user_boxes, const std::vector<Layout>& layouts,
                      const std::vector<std::int64_t>& offsets, std::int64_t field_stride,
                      int buffer) const {
  Patches patches;
  for (std::size_t i = 0; i < user_boxes.size(); ++i) {
    Patch patch{with_batch(*this, user_boxes[i]), buffer, offsets[i], layouts[i].strides};
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
