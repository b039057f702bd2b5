// faces/reshape: a plan without transforms, whose numbers are the elements, or what they consist
// of.

#include "weft/reshape.hpp"

#include <utility>

#include "weft/comm/agreement.hpp"
#include "weft/comm/duplicates.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/faces/elements.hpp"
#include "weft/problem/limits.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

namespace {

// Collective.
Problem agreed_problem(MPI_Comm comm, const Extents& extents, ElementSize size,
                       const Distribution& from, const Distribution& to, bool in_place = false) {
  const auto ranks = shared_duplicate(comm);
  return agree(*ranks, [&] {
    const Element element = element_of(size);
    require_form(from, "the distribution to move from");
    require_form(to, "the distribution to move to");
    Problem problem = movement_of(extents, element);
    problem.input = from;
    problem.output = to;
    problem.in_place = in_place;
    problem = validated(problem);
    if (element.numbers == 1) return problem;
    if (extents.size() >= most_axes)
      throw Error(Error::unsupported,
                  fmt::format("elements of {} bytes on {} axes need one axis more than {}",
                              size.bytes, extents.size(), most_axes),
                  "merge axes that are not divided, or move parts of 4, 8 or 16 bytes");
    problem.extents.push_back(element.numbers);
    const auto with = [&](const Distribution& side, const char* name) {
      return with_numbers(side, extents, ranks->size(), element.numbers, name);
    };
    problem.input = with(problem.input, "input");
    problem.output = with(problem.output, "output");
    return problem;
  });
}

}  // namespace

AnyReshape::AnyReshape(MPI_Comm comm, const Extents& extents, ElementSize element,
                       const Distribution& from, const Distribution& to, const Options& options)
    : AnyReshape(comm, {extents, element}, agreed_problem(comm, extents, element, from, to),
                 options) {}

AnyReshape AnyReshape::in_place(MPI_Comm comm, const Extents& extents, ElementSize element,
                                const Distribution& from, const Distribution& to,
                                const Options& options) {
  return AnyReshape(comm, {extents, element},
                    agreed_problem(comm, extents, element, from, to, true), options);
}

AnyReshape::AnyReshape(MPI_Comm comm, const Grid& grid, const Problem& movement,
                       const Options& options)
    : element_bytes_(grid.element.bytes),
      axes_(grid.extents.size()),
      numbers_(element_of(grid.element).numbers),
      plan_(comm, movement, options) {}

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
