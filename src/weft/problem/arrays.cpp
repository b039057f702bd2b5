// problem/arrays: checks layouts, and finds the order of axes in memory.

#include "weft/problem/arrays.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/dims_text.hpp"
#include "weft/base/ensure.hpp"

namespace weft {

namespace {

// Whether `steps` steps of `stride` elements from `last` on stay below `elements`; if so, takes
// them. Nothing overflows, whatever the numbers are.
bool takes_steps(std::int64_t steps, std::int64_t stride, std::int64_t elements,
                 std::int64_t& last) {
  if (stride < 0 || (steps > 0 && stride > (elements - 1 - last) / steps)) return false;
  last += std::max<std::int64_t>(0, steps) * stride;
  return true;
}

// Every box of a rank lies within its array.
void check_array(const std::vector<Box>& boxes, const UserArray& array, std::size_t rank,
                 std::int64_t batch) {
  bool fits = array.elements >= 0 && array.layouts.size() == boxes.size() &&
              array.offsets.size() == boxes.size();
  for (std::size_t i = 0; fits && i < boxes.size(); ++i) {
    const Layout& layout = array.layouts[i];
    fits = layout.extents == boxes[i].extents() && layout.strides.size() == layout.extents.size();
    if (!fits || boxes[i].empty()) continue;
    std::int64_t last = array.offsets[i];
    fits = last >= 0 && last < array.elements &&
           takes_steps(batch - 1, array.field_stride, array.elements, last);
    for (int axis = 0; fits && axis < layout.strides.size(); ++axis)
      fits = takes_steps(layout.extents[axis] - 1, layout.strides[axis], array.elements, last);
  }
  if (!fits)
    throw Error(
        Error::invalid,
        fmt::format("the boxes of rank {} do not lie in its array of {}", rank,
                    array.elements < 0 ? "more elements than 64 bits can count"
                                       : fmt::format("{} elements", array.elements)),
        "give a layout with the extents of the box, strides of at least 0 and an offset for "
        "every box, within the array");
}

// Drops them, and what the array says about them.
template <class IsDropped>
void drop_boxes(std::vector<Box>& boxes, UserArray& array, const IsDropped& is_dropped) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (is_dropped(boxes[i])) continue;
    boxes[kept] = boxes[i];
    array.layouts[kept] = array.layouts[i];
    array.offsets[kept] = array.offsets[i];
    ++kept;
  }
  boxes.resize(kept);
  array.layouts.resize(kept);
  array.offsets.resize(kept);
}

void check_movement(const Problem& problem) {
  const Distribution &input = problem.input, &output = problem.output;
  if (!input.is_of_parts() && !output.is_of_parts()) return;
  const bool is_movement = problem.axes.empty() && !problem.in_place && problem.batch == 1;
  if (!input.is_of_parts() || !output.is_of_parts() || !is_movement)
    throw Error(Error::invalid, "parts of a grid can only be moved, to other parts",
                "take parts for input and output, Axes::none(), and no batch");
}

}  // namespace

void check_arrays(const Problem& problem) {
  check_movement(problem);
  for (const Distribution* side : {&problem.input, &problem.output}) {
    const bool is_given = side->has_arrays() || side->my_array();
    if (is_given && (side->storage.has_ghosts() || side->storage.interleaves_batch))
      throw Error(Error::invalid,
                  "a distribution has arrays with strides of their own, and a storage",
                  "say by the strides what lies between points and fields");
    if (!side->has_arrays() && !side->is_of_parts()) continue;
    if (side->arrays_of_rank().size() != side->boxes_of_rank().size())
      throw Error(Error::invalid,
                  fmt::format("there are boxes of {} ranks in the arrays of {}",
                              side->boxes_of_rank().size(), side->arrays_of_rank().size()),
                  "give one array for every rank");
    for (std::size_t rank = 0; rank < side->arrays_of_rank().size(); ++rank)
      check_array(side->boxes_of_rank()[rank], side->arrays_of_rank()[rank], rank, problem.batch);
  }
}

void drop_empty_boxes(Problem& problem) {
  // One of another grid is left to be refused.
  const auto is_dropped = [axes = problem.extents.size()](const Box& box) {
    return box.empty() && box.axes() == axes;
  };
  const auto has_dropped = [&](const std::vector<Box>& boxes) {
    return std::ranges::any_of(boxes, is_dropped);
  };
  for (Distribution* side : {&problem.input, &problem.output}) {
    if (!side->has_arrays() || std::ranges::none_of(side->boxes_of_rank(), has_dropped)) continue;
    auto of_rank = side->boxes_of_rank();
    auto arrays = side->arrays_of_rank();
    for (std::size_t rank = 0; rank < of_rank.size(); ++rank)
      drop_boxes(of_rank[rank], arrays[rank], is_dropped);
    *side = side->gathered(std::move(of_rank), std::move(arrays));
  }
}

std::vector<int> order_in(const std::vector<UserArray>& arrays) {
  for (const UserArray& array : arrays)
    for (const Layout& layout : array.layouts) {
      const int axes = layout.strides.size();
      if (layout.extents.size() != axes || volume(layout.extents) <= 1) continue;
      std::vector<int> order(static_cast<std::size_t>(axes));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return layout.strides[a] > layout.strides[b]; });
      if (std::is_sorted(order.begin(), order.end())) return {};
      return order;
    }
  return {};
}

}  // namespace weft
