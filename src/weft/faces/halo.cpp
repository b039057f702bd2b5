// faces/halo: a plan that moves points to ghost points.

#include "weft/halo.hpp"

#include <utility>

#include "weft/comm/agreement.hpp"
#include "weft/comm/duplicates.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/faces/elements.hpp"
#include "weft/plan/gathered.hpp"
#include "weft/problem/distribution.hpp"
#include "weft/problem/ghosts.hpp"
#include "weft/problem/limits.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

namespace {

// A distribution whose boxes are known on all ranks. Collective.
Problem known_problem(const Communicator& comm, const Extents& extents, ElementSize size,
                      const Distribution& distribution) {
  Problem problem = agree(comm, [&] {
    require_form(distribution, "the distribution");
    if (distribution.has_arrays() || distribution.my_array())
      throw Error(Error::unsupported, "the distribution has arrays with strides of their own",
                  "say by Distribution::storage where the ghost points lie");
    Problem known = movement_of(extents, element_of(size));
    known.input = distribution;
    return known;
  });
  require_same(
      comm, [&] { return fmt::format("{} of {} bytes", to_string(problem), size.bytes); },
      "grid of the halo");
  gather_boxes(comm, problem);
  return agree(comm, [&] { return validated(problem); });
}

void check_ghosts(const Problem& problem, std::int64_t numbers) {
  const int axes = problem.extents.size(), extra = numbers > 1 ? 2 : 1;
  if (axes + extra > most_axes)
    throw Error(
        Error::unsupported,
        fmt::format("a halo of {} axes needs {} of at most {}", axes, axes + extra, most_axes),
        "merge axes that are not divided");
  const Storage& storage = problem.input.storage;
  for (const Dims* ghosts : {&storage.before, &storage.after})
    for (int axis = 0; axis < ghosts->size(); ++axis)
      if ((*ghosts)[axis] > problem.extents[axis])
        throw Error(Error::invalid,
                    fmt::format("axis {} has {} points, and {} ghost points beside each box", axis,
                                problem.extents[axis], (*ghosts)[axis]),
                    "give at most as many ghost points as the axis has points");
}

// The ghost parts of a grid whose elements consist of several numbers.
GhostParts ghost_parts_of_numbers(const Problem& problem, int ranks, std::int64_t numbers,
                                  std::vector<bool> periodic) {
  Extents extents = problem.extents;
  extents.push_back(numbers);
  periodic.push_back(false);
  const Decomposition at =
      resolve(with_numbers(problem.input, problem.extents, ranks, numbers, "distribution"), extents,
              ranks, "distribution");
  return ghost_parts(at, with_numbers(problem.input.storage, problem.extents.size()), periodic);
}

// This rank's boxes, and the problem that fills their ghost points. Collective.
std::pair<Share, Problem> halo_problem(MPI_Comm comm, const Extents& extents, ElementSize size,
                                       const Distribution& distribution, const Periodic& axes) {
  const auto ranks = shared_duplicate(comm);
  const Problem known = known_problem(*ranks, extents, size, distribution);
  const auto periodic = agree(*ranks, [&] { return axes.of(extents.size()); });
  require_same(
      *ranks, [&] { return fmt::format("{}", fmt::join(periodic, ",")); }, "periodic axes");
  return agree(*ranks, [&] {
    const std::int64_t numbers = element_of(size).numbers;
    check_ghosts(known, numbers);
    const Decomposition at = resolve(known.input, extents, ranks->size(), "distribution");
    Share share;
    share.boxes = at.boxes(ranks->rank());
    share.array = UserArray::of(share.boxes, known.input.storage, 1);
    share.extents = extents;
    share.elements = share.array.elements;
    GhostParts parts = numbers == 1
                           ? ghost_parts(at, known.input.storage, periodic)
                           : ghost_parts_of_numbers(known, ranks->size(), numbers, periodic);
    Problem problem = known;
    problem.extents = parts.extents;
    problem.input = std::move(parts.from);
    problem.output = std::move(parts.to);
    return std::pair(share, problem);
  });
}

}  // namespace

std::vector<bool> Periodic::of(int count) const {
  std::vector<bool> all(static_cast<std::size_t>(count), is_all_);
  for (const int given : axes_) {
    const int axis = given < 0 ? given + count : given;
    if (axis < 0 || axis >= count)
      throw Error(Error::invalid,
                  fmt::format("the periodic axis {} is out of range for {} axes", given, count),
                  fmt::format("axes are 0 to {}, or -{} to -1 from the end", count - 1, count));
    all[static_cast<std::size_t>(axis)] = true;
  }
  return all;
}

AnyHalo::AnyHalo(MPI_Comm comm, const Extents& extents, ElementSize element,
                 const Distribution& distribution, const Periodic& periodic, const Options& options)
    : AnyHalo(comm, element, halo_problem(comm, extents, element, distribution, periodic),
              options) {}

AnyHalo::AnyHalo(MPI_Comm comm, ElementSize element, std::pair<Share, Problem> made,
                 const Options& options)
    : element_bytes_(element.bytes),
      share_(std::move(made.first)),
      plan_(comm, made.second, options) {}

std::shared_ptr<std::byte> AnyHalo::allocate() const {
  return plan_.allocate(share_.elements * element_bytes_);
}

}  // namespace weft
