// grid/share: the layout of the arrays that plans make and take.

#include "weft/share.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "weft/base/checked.hpp"
#include "weft/base/ensure.hpp"
#include "weft/grid/box_algebra.hpp"

namespace weft {

namespace {

std::int64_t points_of(const std::vector<Box>& boxes) {
  std::int64_t points = 0;
  for (const Box& box : boxes) points += box.volume();
  return points;
}

// Which elements of an array have a point: a bit for each element, or a list where the array is
// large for its points.
class TakenElements {
 public:
  TakenElements(std::int64_t elements, std::int64_t points)
      : is_sparse_(elements / most_bits_of_point > points),
        is_taken_(is_sparse_ ? 0 : static_cast<std::size_t>(elements), false) {}
  // Whether the element was free.
  bool take(std::int64_t element) {
    if (is_sparse_) return list_.insert(element).second;
    const auto bit = static_cast<std::size_t>(element);
    const bool was_free = !is_taken_[bit];
    is_taken_[bit] = true;
    return was_free;
  }

 private:
  static constexpr std::int64_t most_bits_of_point = 256;  // about what an entry of the list takes
  bool is_sparse_;
  std::vector<bool> is_taken_;
  std::unordered_set<std::int64_t> list_;
};

// Points per axis, with the ghost points at both ends.
Dims with_ghosts(Dims extents, const Storage& storage) {
  for (const Dims* ghosts : {&storage.before, &storage.after})
    for (int axis = 0; axis < ghosts->size(); ++axis)
      extents[axis] = bounded_sum(extents[axis], (*ghosts)[axis]);
  return extents;
}

// Error::invalid unless 64 bits hold the extents of the box, and sums of several of them.
void require_bounds(const Box& box) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  const auto is_large = [](std::int64_t bound) { return bound < -most || bound > most; };
  if (std::ranges::none_of(box.lo, is_large) && std::ranges::none_of(box.hi, is_large)) return;
  throw Error(Error::invalid, fmt::format("the box {} has bounds beyond {}", to_string(box), most),
              "give the first index along each axis, and one past the last");
}

// Error::invalid unless boxes can be laid out so. For the problem of a plan, other checks say more,
// by axis and side.
void require_layable(const std::vector<Box>& boxes, const Storage& storage, std::int64_t batch) {
  if (batch < 1)
    throw Error(Error::invalid, fmt::format("an array of {} fields", batch), "give at least 1");
  std::vector<int> order = storage.order;
  std::ranges::sort(order);
  for (const Box& box : boxes) {
    require_bounds(box);
    std::vector<int> axes;
    if (!order.empty()) axes.resize(static_cast<std::size_t>(box.axes()));
    std::iota(axes.begin(), axes.end(), 0);
    const auto suits = [&](const Dims& ghosts) {
      return ghosts.empty() || ghosts.size() == box.axes();
    };
    if (order != axes || !suits(storage.before) || !suits(storage.after))
      throw Error(Error::invalid,
                  fmt::format("the storage is not one of {} axes, which the box {} has", box.axes(),
                              to_string(box)),
                  "give every axis once in the order, and a number of ghost points for every axis");
  }
}

// Whether 64 bits count `last`, the elements from the first point of `box` to its last one.
bool count_steps(const Box& box, const Dims& strides, std::int64_t& last) {
  for (int axis = 0; axis < std::min(box.axes(), strides.size()); ++axis) {
    const auto steps = checked_product(box.extent(axis) - 1, strides[axis]);
    const auto sum = steps ? checked_sum(last, *steps) : std::nullopt;
    if (!sum) return false;
    last = *sum;
  }
  return last < std::numeric_limits<std::int64_t>::max();
}

}  // namespace

UserArray UserArray::of(const std::vector<Box>& boxes, const Storage& storage, std::int64_t batch,
                        std::int64_t room_of_row) {
  require_layable(boxes, storage, batch);
  UserArray array;
  const std::int64_t step = storage.interleaves_batch ? batch : 1;
  std::int64_t points = 0;  // ghosts included
  for (const Box& box : boxes) {
    const Dims extents = box.extents();
    const Dims corner = storage.before.empty() ? Dims::filled(extents.size(), 0) : storage.before;
    Dims room = with_ghosts(extents, storage);
    const int fastest = storage.order.empty() ? extents.size() - 1 : storage.order.back();
    room[fastest] = std::max(room[fastest], room_of_row);
    constexpr std::int64_t most = std::int64_t{1} << 58;
    const auto more = checked_volume(room);
    if (!more || *more > most / batch - points)
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
    points += *more;
  }
  array.elements = points * batch;
  array.field_stride = storage.interleaves_batch ? 1 : points;
  return array;
}

// It is made on one rank, and must not throw: the others would wait for this rank in their plan.
UserArray UserArray::strided(const Box& box, const Dims& strides, std::int64_t batch,
                             std::int64_t field_stride) {
  UserArray array;
  array.layouts = {{box.extents(), strides}};
  array.offsets = {0};
  array.field_stride = field_stride;
  std::int64_t last = 0;
  const bool is_counted = count_steps(box, strides, last);
  if (is_counted && field_stride == 0) array.field_stride = box.empty() ? 0 : last + 1;
  const auto steps = is_counted ? checked_product(batch - 1, array.field_stride) : std::nullopt;
  const auto sum = steps ? checked_sum(last, *steps) : std::nullopt;
  last = sum ? checked_sum(*sum, 1).value_or(-1) : -1;
  array.elements = box.empty() ? 0 : last;
  return array;
}

void require_type(const Share& share, Scalar type) {
  if (share.scalar == type) return;
  throw Error(
      Error::invalid,
      fmt::format("a field of {} does not hold {} elements", type.name(), share.scalar.name()),
      "take the type that the plan's problem says: its kind and its precision");
}

void require_apart(const std::vector<Box>& boxes, const UserArray& array, std::int64_t batch) {
  TakenElements taken(array.elements, points_of(boxes) * batch);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::int64_t field = 0; field < batch; ++field) {
      const Box& box = boxes[i];
      const Layout& layout = array.layouts[i];
      Dims at = Dims::filled(box.axes(), 0);
      for (std::int64_t left = box.volume(); left > 0; --left) {
        const std::int64_t element = array.offsets[i] + layout.at(at) + field * array.field_stride;
        if (element < 0 || element >= array.elements || !taken.take(element))
          throw Error(
              Error::invalid,
              fmt::format("with the strides {} of the box {}, a point of field {} is element "
                          "{}, which {}",
                          to_string(layout.strides), to_string(box), field, element,
                          element < 0 || element >= array.elements
                              ? fmt::format("is not one of the array's {}", array.elements)
                              : "another point has"),
              "give every point an element of its own within the array");
        for (int a = box.axes() - 1; a >= 0; --a) {
          if (++at[a] < box.extent(a)) break;
          at[a] = 0;
        }
      }
    }
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
