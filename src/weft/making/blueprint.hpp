// making/blueprint: problem, strategy and machine, from which the programs of a plan are made.
// Pure: no MPI, no memory. Keeps: agreement - it is the same on all ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/grid/cutting.hpp"
#include "weft/machine/machine.hpp"
#include "weft/options.hpp"
#include "weft/planning/route.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/problem/columns.hpp"
#include "weft/problem/validated.hpp"
#include "weft/share.hpp"

namespace weft {

/// Everything that the programs of both directions of a plan are made from.
struct Blueprint {
  Problem problem;  ///< c2c or r2c
  Strategy strategy;
  Machine machine;
  Route route;
  std::vector<Cutting> cuttings;     ///< per stage, on the way forward
  std::int64_t real_row_room = 0;    ///< least number of elements from row to row, real array
  std::int64_t largest_tag = 32767;  ///< the largest tag that MPI allows
  Arrays arrays = Arrays::of_weft;   ///< whose they are

  /// Makes a blueprint. `problem` is validated, and c2c or r2c; with_columns has seen it.
  /// Error::invalid if the strategy does not fit the problem.
  static Blueprint of(const Problem& problem, const Strategy& strategy, const Machine& machine);

  /// The arrays of any rank: the input (real) and the output (spectral) of the forward direction.
  UserArray real_array(int rank) const {
    if (problem.input.has_arrays())
      return problem.input.arrays_of_rank()[static_cast<std::size_t>(rank)];
    return UserArray::of(route.user_input.boxes(rank), problem.input.storage, problem.batch,
                         real_row_room);
  }
  UserArray spectral_array(int rank) const {
    if (problem.output.has_arrays())
      return problem.output.arrays_of_rank()[static_cast<std::size_t>(rank)];
    return UserArray::of(route.user_output.boxes(rank), problem.output.storage, problem.batch);
  }
  /// With a cut-off: the waves that the array of the spectrum holds. Its boxes have more points
  /// than that; spectral_array says how they are numbered.
  std::shared_ptr<const Columns> columns;
  /// Elements of the array of the spectrum.
  std::int64_t spectral_elements(int rank) const {
    return columns ? columns->count(rank) * problem.batch : spectral_array(rank).elements;
  }
  /// Whether it moves parts of a grid, in both directions the same.
  bool moves_parts() const { return problem.input.is_of_parts(); }
  /// Whether arrays have more than the points that are transformed, which nothing may overwrite.
  bool has_ghosts() const {
    return problem.input.has_arrays() || (problem.output.has_arrays() && !columns) ||
           problem.input.storage.has_ghosts() || problem.output.storage.has_ghosts();
  }
  /// Whether an exchange of the strategy shares memory within nodes.
  bool shares_memory() const;
};

/// Throws Error::invalid if the first or the last stage is an exchange that cannot work on users'
/// arrays.
void check_ends(const Blueprint& blueprint);

}  // namespace weft
