// compat/fftmpi/bricks: the bricks of points that fftMPI's and LAMMPS's functions are given, as
// distributions of weft's, and the pencils between which data move.
// Keeps: callers name axes from the fastest on, and both bounds of a brick are in it; here axes are
// named from the slowest on, as weft does.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/error.hpp"
#include "weft/options.hpp"
#include "weft/problem.hpp"
#include "weft/process_grid.hpp"
#include "weft/shared_plan.hpp"

namespace weft::bricks {

/// The number of points along each of these axes of a caller, the slowest first.
inline Extents extents_of(const std::vector<int>& fastest_first) {
  Extents extents;
  for (std::size_t a = fastest_first.size(); a-- > 0;) extents.push_back(fastest_first[a]);
  return extents;
}

/// The brick with these bounds, ilo, ihi, jlo, jhi and so on; without points if a lower one exceeds
/// its upper one.
inline Box brick_of(const std::vector<int>& bounds) {
  Box box;
  for (std::size_t a = bounds.size() / 2; a-- > 0;) {
    box.lo.push_back(bounds[2 * a]);
    box.hi.push_back(std::int64_t{bounds[2 * a + 1]} + 1);
  }
  return box;
}

/// The axes in the order of memory, the slowest first, after `permute` permutations: each time the
/// fastest axis becomes the slowest one.
inline std::vector<int> order_of(int axes, int permute) {
  std::vector<int> order;
  for (int i = 0; i < axes; ++i) order.push_back((i - permute + axes) % axes);
  return order;
}

/// This rank's brick in this order of memory, as a side of a plan.
inline Distribution side_of(const Box& brick, int permute) {
  std::vector<Box> mine;
  if (!brick.empty()) mine.push_back(brick);
  auto side = Distribution::of_my_boxes(mine);
  side.storage.order = order_of(brick.axes(), permute);
  return side;
}

/// How these faces plan: at once, for arrays of the program's.
inline Options usual_options() {
  Options options;
  options.effort = Effort::estimate;
  options.arrays = Arrays::any;
  return options;
}

/// A plan that only moves `problem`'s complex numbers, between these sides.
inline Problem movement_of(Problem problem, const Distribution& from, const Distribution& to) {
  problem.axes = Axes::none();
  problem.input = from;
  problem.output = to;
  return problem;
}

/// Whether no rank divides `axis`, in bricks of all ranks.
inline bool are_whole(const std::vector<std::vector<Box>>& bricks_of_rank, int axis,
                      const Extents& extents) {
  for (const auto& bricks : bricks_of_rank)
    for (const Box& brick : bricks)
      if (brick.extent(axis) != extents[axis]) return false;
  return true;
}

/// `number` as an int; Error::unsupported for one that an int cannot hold.
inline int int_of(std::int64_t number, const char* what) {
  if (number > std::numeric_limits<int>::max())
    throw Error(Error::unsupported,
                std::to_string(number) + " " + what + " on one rank are more than an int counts",
                "more ranks");
  return static_cast<int>(number);
}

/// A process grid in which no rank divides `axis`, with bricks of the smallest surface.
inline ProcessGrid pencils_along(int axis, const Extents& extents, int ranks) {
  ProcessGrid best;
  double least = std::numeric_limits<double>::infinity();
  for (int parts = 1; parts <= ranks; ++parts) {
    if (ranks % parts != 0) continue;
    if (extents.size() == 2 && parts != 1) break;
    Dims grid = Dims::filled(extents.size(), 1);
    grid[(axis + 1) % extents.size()] = ranks / parts;
    if (extents.size() > 2) grid[(axis + 2) % extents.size()] = parts;
    double surface = 0;
    for (int a = 0; a < extents.size(); ++a)
      surface += static_cast<double>(grid[a]) / static_cast<double>(extents[a]);
    if (surface < least) {
      least = surface;
      best.parts = grid;
    }
  }
  return best;
}

}  // namespace weft::bricks
