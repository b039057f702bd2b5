// grid/share: the layout of the arrays that plans make and take.

#include "weft/share.hpp"

#include <algorithm>

namespace weft {

UserArray UserArray::packed(const std::vector<Box>& boxes, std::int64_t room_of_row) {
  UserArray array;
  for (const Box& box : boxes) {
    const Dims extents = box.extents();
    Dims room = extents;
    room.back() = std::max(room.back(), room_of_row);
    array.layouts.push_back(Layout::padded(extents, room));
    array.offsets.push_back(array.field_stride);
    array.field_stride += volume(room);
  }
  return array;
}

}  // namespace weft
