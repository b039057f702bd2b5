// program/blueprint: what the programs of a plan are made of: problem, strategy and machine.
// Pure: no MPI, no memory.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/cutting.hpp"
#include "weft/model/machine.hpp"
#include "weft/model/problem.hpp"
#include "weft/model/route.hpp"
#include "weft/model/strategy.hpp"
#include "weft/share.hpp"

namespace weft {

/// What both directions of a plan are made of, the same on all ranks.
struct Blueprint {
  Problem problem;  ///< c2c or r2c
  Strategy strategy;
  Machine machine;
  Route route;
  std::vector<Cutting> cuttings;     ///< per stage, on the way forward
  std::int64_t real_row_room = 0;    ///< elements a row of the real array has at least
  std::int64_t largest_tag = 32767;  ///< that MPI allows

  /// Of a validated problem, c2c or r2c. Error::invalid if the strategy does not answer it.
  static Blueprint of(const Problem& problem, const Strategy& strategy, const Machine& machine);

  /// The arrays of any rank: input and output of the forward direction.
  UserArray real_array(int rank) const {
    return UserArray::packed(route.user_input.boxes(rank), real_row_room);
  }
  UserArray spectral_array(int rank) const {
    return UserArray::packed(route.user_output.boxes(rank));
  }
  /// Whether an exchange of the strategy shares memory within nodes.
  bool shares_memory() const;
};

/// Error::invalid if an exchange at an end of the strategy cannot touch users' arrays.
void check_ends(const Blueprint& blueprint);

}  // namespace weft
