// faces/elements: chooses numbers, and adds their axis.

#include "weft/faces/elements.hpp"

#include <utility>

#include "weft/base/checked.hpp"
#include "weft/problem/distribution.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

Element element_of(ElementSize size) {
  const std::int64_t bytes = size.bytes;
  const bool by_8 = size.alignment >= 8;
  if (by_8 && bytes == 16) return {Kind::c2c, Precision::double_precision, 1};
  if (by_8 && bytes > 0 && bytes % 8 == 0)
    return {Kind::r2r, Precision::double_precision, bytes / 8};
  if (bytes == 8) return {Kind::c2c, Precision::single_precision, 1};
  if (bytes > 0 && bytes % 4 == 0) return {Kind::r2r, Precision::single_precision, bytes / 4};
  throw Error(Error::unsupported, fmt::format("elements of {} bytes cannot be moved", bytes),
              "use elements whose size is a multiple of 4 bytes");
}

Problem movement_of(const Extents& extents, Element element) {
  Problem problem;
  problem.kind = element.kind;
  problem.precision = element.precision;
  problem.axes = Axes::none();
  problem.extents = extents;
  return problem;
}

void require_form(const Distribution& distribution, const char* name) {
  if (distribution.form == Distribution::free || distribution.form == Distribution::same)
    throw Error(Error::invalid,
                fmt::format("{} is '{}', which does not say where the data are", name,
                            to_string(distribution.form)),
                "one of: slab, pencil, brick, boxes");
}

Box with_numbers(const Box& box, std::int64_t numbers) {
  Dims lo = box.lo, hi = box.hi;
  lo.push_back(0);
  hi.push_back(numbers);
  return {lo, hi};
}

UserArray with_numbers(UserArray array, std::int64_t numbers) {
  // A product that no memory can hold becomes the largest number, which the check of arrays
  // refuses.
  const auto scale = [numbers](std::int64_t& elements) {
    elements = bounded_product(elements, numbers);
  };
  for (Layout& layout : array.layouts) {
    for (auto& stride : layout.strides) scale(stride);
    layout.extents.push_back(numbers);
    layout.strides.push_back(1);
  }
  for (auto& offset : array.offsets) scale(offset);
  scale(array.field_stride);
  scale(array.elements);
  return array;
}

Storage with_numbers(Storage storage, int axes) {
  if (!storage.order.empty()) storage.order.push_back(axes);
  for (Dims* const ghosts : {&storage.before, &storage.after})
    if (!ghosts->empty()) ghosts->push_back(0);
  return storage;
}

Distribution with_numbers(const Distribution& distribution, const Extents& extents, int ranks,
                          std::int64_t numbers, const char* name) {
  const Storage storage = with_numbers(distribution.storage, extents.size());
  if (distribution.is_of_mine()) {
    std::vector<Box> mine;
    for (const Box& box : distribution.my_boxes()) mine.push_back(with_numbers(box, numbers));
    Distribution gathered_later =
        distribution.my_array()
            ? Distribution::of_my_boxes(std::move(mine),
                                        with_numbers(*distribution.my_array(), numbers))
            : Distribution::of_my_boxes(std::move(mine));
    gathered_later.storage = storage;
    return gathered_later;
  }
  const Decomposition at = resolve(distribution, extents, ranks, name);
  std::vector<std::vector<Box>> of_rank;
  for (int rank = 0; rank < ranks; ++rank) {
    of_rank.emplace_back();
    for (const Box& box : at.boxes(rank)) of_rank.back().push_back(with_numbers(box, numbers));
  }
  std::vector<UserArray> arrays;
  for (const UserArray& array : distribution.arrays_of_rank())
    arrays.push_back(with_numbers(array, numbers));
  Distribution known = distribution.gathered(std::move(of_rank), std::move(arrays));
  known.storage = storage;
  return known;
}

}  // namespace weft
