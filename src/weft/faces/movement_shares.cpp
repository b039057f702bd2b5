// faces/movement_shares: leaves out the axis of numbers that a reshape's plan may have.

#include "weft/faces/movement_shares.hpp"

#include "weft/halo.hpp"

namespace weft {

Share share_of(const AnyReshape& reshape, int axes, bool is_input) {
  const Share& numbers = is_input ? reshape.plan().input() : reshape.plan().output();
  const std::int64_t each = numbers.extents.size() > axes ? numbers.extents[axes] : 1;
  Share share;
  for (int a = 0; a < axes; ++a) share.extents.push_back(numbers.extents[a]);
  share.boxes = is_input ? reshape.from_boxes() : reshape.to_boxes();
  share.elements = is_input ? reshape.from_elements() : reshape.to_elements();
  share.array = numbers.array;
  for (Layout& layout : share.array.layouts)
    for (auto& stride : layout.strides) stride /= each;
  for (auto& offset : share.array.offsets) offset /= each;
  share.array.field_stride /= each;
  return share;
}

Share share_of(const AnyHalo& halo, const Extents& extents) {
  Share share;
  share.extents = extents;
  share.boxes = halo.boxes();
  share.array = halo.array();
  share.elements = halo.elements();
  return share;
}

}  // namespace weft
