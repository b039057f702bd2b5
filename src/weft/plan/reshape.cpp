// plan/reshape: a plan without transforms, whose numbers are the elements, or what they consist of.

#include "weft/reshape.hpp"

#include <utility>

#include "weft/comm/agreement.hpp"
#include "weft/comm/duplicates.hpp"
#include "weft/model/limits.hpp"
#include "weft/model/problem.hpp"

namespace weft {

namespace {

// The numbers that a plan moves for an element: one complex or real number or, along an axis of
// their own, several real ones.
struct Element {
  Kind kind;
  Precision precision;
  std::int64_t numbers;
};

Element element_of(ElementSize size) {
  const std::int64_t bytes = size.bytes;
  const bool by_8 = size.alignment >= 8;
  if (by_8 && bytes == 16) return {Kind::c2c, Precision::double_precision, 1};
  if (by_8 && bytes > 0 && bytes % 8 == 0)
    return {Kind::r2r, Precision::double_precision, bytes / 8};
  if (bytes > 0 && bytes % 4 == 0) return {Kind::r2r, Precision::single_precision, bytes / 4};
  throw Error(Error::unsupported, fmt::format("elements of {} bytes cannot be moved", bytes),
              "use elements whose size is a multiple of 4 bytes");
}

Box with_numbers(const Box& box, std::int64_t numbers) {
  Dims lo = box.lo, hi = box.hi;
  lo.push_back(0);
  hi.push_back(numbers);
  return {lo, hi};
}

// The same distribution of elements that have an axis of numbers.
Distribution with_numbers(const Distribution& distribution, const Extents& extents, int ranks,
                          std::int64_t numbers, const char* name) {
  // The numbers of an element stay together.
  Storage storage = distribution.storage;
  if (!storage.order.empty()) storage.order.push_back(extents.size());
  for (Dims* const ghosts : {&storage.before, &storage.after})
    if (!ghosts->empty()) ghosts->push_back(0);
  if (distribution.is_of_mine()) {
    std::vector<Box> mine;
    for (const Box& box : distribution.my_boxes()) mine.push_back(with_numbers(box, numbers));
    Distribution gathered_later = Distribution::of_my_boxes(std::move(mine));
    gathered_later.storage = storage;
    return gathered_later;
  }
  const Decomposition at = resolve(distribution, extents, ranks, name);
  std::vector<std::vector<Box>> of_rank;
  for (int rank = 0; rank < ranks; ++rank) {
    of_rank.emplace_back();
    for (const Box& box : at.boxes(rank)) of_rank.back().push_back(with_numbers(box, numbers));
  }
  Distribution known = Distribution::of_boxes(std::move(of_rank));
  known.storage = storage;
  return known;
}

void require_form(const Distribution& distribution, const char* name) {
  if (distribution.form == Distribution::free || distribution.form == Distribution::same)
    throw Error(Error::invalid,
                fmt::format("{} is '{}', which says not where the data are", name,
                            to_string(distribution.form)),
                "one of: slab, pencil, brick, boxes");
}

// Collective.
Problem agreed_problem(MPI_Comm comm, const Extents& extents, ElementSize size,
                       const Distribution& from, const Distribution& to) {
  const auto ranks = shared_duplicate(comm);
  return agree(*ranks, [&] {
    const Element element = element_of(size);
    require_form(from, "the distribution to move from");
    require_form(to, "the distribution to move to");
    Problem problem;
    problem.kind = element.kind;
    problem.precision = element.precision;
    problem.axes = Axes::none();
    problem.extents = extents;
    problem.input = from;
    problem.output = to;
    problem = validated(problem);
    if (element.numbers == 1) return problem;
    if (extents.size() >= most_axes)
      throw Error(Error::unsupported,
                  fmt::format("elements of {} bytes on {} axes need one axis more than {}",
                              size.bytes, extents.size(), most_axes),
                  "merge axes that are not divided, or move parts of 4, 8 or 16 bytes");
    problem.extents.push_back(element.numbers);
    problem.input = with_numbers(from, extents, ranks->size(), element.numbers, "input");
    problem.output = with_numbers(to, extents, ranks->size(), element.numbers, "output");
    return problem;
  });
}

}  // namespace

AnyReshape::AnyReshape(MPI_Comm comm, const Extents& extents, ElementSize element,
                       const Distribution& from, const Distribution& to, const Options& options)
    : element_bytes_(element.bytes),
      axes_(extents.size()),
      numbers_(1),
      plan_(comm, agreed_problem(comm, extents, element, from, to), options) {
  numbers_ = element_of(element).numbers;
}

std::vector<Box> AnyReshape::boxes_of(const Share& share) const {
  std::vector<Box> boxes = share.boxes;
  for (Box& box : boxes)
    if (box.axes() > axes_) {
      box.lo.erase(axes_);
      box.hi.erase(axes_);
    }
  return boxes;
}

}  // namespace weft
