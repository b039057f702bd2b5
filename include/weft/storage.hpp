// weft/storage: the order of points in memory, and what lies between them.
// Floor: grid.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/dims.hpp"

namespace weft {

/// How the boxes of a rank lie in its array: one after another, each as an array of the points of
/// the box and of the ghost points around it. Plans neither read nor write ghost points: the
/// application may write to them even while a transform works on the array.
///
///     problem.input.storage = weft::Storage::column_major(3);        // as in Fortran
///     problem.output.storage.order = {2, 0, 1};                      // axis 1 is contiguous
///     problem.input.storage = weft::Storage::with_ghosts({1, 1, 1}, {1, 1, 1});
///     problem.input.storage.after = {0, 0, 6};                       // padded rows
///     problem.input.storage.interleaves_batch = true;                // u[x][y][z][field]
///
/// Where input and output have the same order of axes, the plan works in that order. Where the
/// orders differ, it transposes, which takes longer.
struct Storage {
  std::vector<int> order;  ///< the axes, the slowest first; none: as they are numbered
  Dims before, after;      ///< per axis, ghost points at both ends of a box; empty: no ghosts
  /// Whether the fields of a batch are interleaved, value by value, and not one after another.
  bool interleaves_batch = false;

  /// The first axis contiguous, nothing between the points.
  static Storage column_major(int axes) {
    Storage storage;
    for (int axis = axes - 1; axis >= 0; --axis) storage.order.push_back(axis);
    return storage;
  }
  /// The last axis contiguous, with so many ghost points before and after the points of each axis.
  static Storage with_ghosts(const Dims& before, const Dims& after) {
    Storage storage;
    storage.before = before;
    storage.after = after;
    return storage;
  }

  /// Whether there are ghost points.
  bool has_ghosts() const {
    std::int64_t ghosts = 0;
    for (const auto points : before) ghosts += points;
    for (const auto points : after) ghosts += points;
    return ghosts > 0;
  }
  friend bool operator==(const Storage&, const Storage&) = default;
};

}  // namespace weft
