// compat/heffte/geometry: the boxes of all ranks, checked, and as distributions of weft's.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "include/heffte_transform.h"
#include "weft/problem.hpp"

namespace heffte::over_weft {

/// The boxes of one side of a transform.
struct Side {
  std::vector<ordered_box> of_rank;
  int rank = 0;  ///< this process's

  /// This process's box, its points, and whether all boxes that have points have one order.
  const ordered_box& mine() const { return of_rank[static_cast<std::size_t>(rank)]; }
  bool has_one_order() const;
  /// The boxes with `batch` fields in each array, one after the other.
  weft::Distribution distribution(std::int64_t batch) const;
};

/// What all ranks want together.
struct Geometry {
  weft::Extents points;  ///< of the field, also where its spectrum is halved
  Side in, out;
  int computing = 0;        ///< how many ranks compute; 0: all
  bool lies_alike = false;  ///< whether every rank has the same box on both sides, in one order

  /// Gathers the boxes of all ranks. Collective. std::invalid_argument, the same on all ranks, if
  /// they are no grid, or if ranks want different things.
  Geometry(const wanted& mine, MPI_Comm comm);
};

/// Points of a box.
std::int64_t count(const ordered_box& box);

}  // namespace heffte::over_weft
