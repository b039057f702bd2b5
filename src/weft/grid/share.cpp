// grid/share: the layout of the arrays that plans make and take.

#include "weft/share.hpp"

#include <algorithm>

#include "weft/base/dims.hpp"
#include "weft/base/error.hpp"
#include "weft/grid/box.hpp"

namespace weft {

UserArray UserArray::of(const std::vector<Box>& boxes, const Storage& storage, std::int64_t batch,
                        std::int64_t room_of_row) {
  UserArray array;
  const std::int64_t step = storage.interleaves_batch ? batch : 1;
  std::int64_t points = 0;  // ghosts included
  for (const Box& box : boxes) {
    const Dims extents = box.extents();
    Dims room = extents, corner = Dims::filled(extents.size(), 0);
    for (int axis = 0; axis < extents.size(); ++axis) {
      if (!storage.before.empty()) corner[axis] = storage.before[axis];
      room[axis] += corner[axis];
      if (!storage.after.empty()) room[axis] += storage.after[axis];
    }
    const int fastest = storage.order.empty() ? extents.size() - 1 : storage.order.back();
    room[fastest] = std::max(room[fastest], room_of_row);
    constexpr std::int64_t most = std::int64_t{1} << 58;
    if (!box.empty() &&
        (volume_exceeds(room, most / batch) || points > most / batch - volume(room)))
      throw Error(Error::invalid,
                  fmt::format("the array of a rank's boxes, the first {}, with ghost points and {} "
                              "fields has more than {} elements",
                              to_string(boxes.front()), batch, most),
                  "give fewer ghost points, or a smaller batch");
    Layout layout = storage.order.empty() ? Layout::padded(extents, room)
                                          : Layout::ordered(room, storage.order);
    layout.extents = extents;
    for (auto& stride : layout.strides) stride *= step;
    array.offsets.push_back(points * step + layout.at(corner));
    array.layouts.push_back(layout);
    points += volume(room);
  }
  array.elements = points * batch;
  array.field_stride = storage.interleaves_batch ? 1 : points;
  return array;
}

void require_rows(const Share& share) {
  if (share.waves.are_given())
    throw Error(Error::unsupported, "the waves of a cut-off have no rows", "walk over points()");
  for (const Layout& layout : share.array.layouts)
    if (layout.extents.back() > 1 && layout.strides.back() != 1)
      throw Error(Error::unsupported,
                  fmt::format("there are no rows: points along axis {} are {} elements apart",
                              layout.extents.size() - 1, layout.strides.back()),
                  "walk over points(), or let the last axis be contiguous in memory");
}

}  // namespace weft
