// weft/placement: which rank holds which piece of the stages' process grids, as the user says.
// Floor: problem.
#pragma once

#include <functional>

#include "weft/process_grid.hpp"

namespace weft {

/// Which rank holds which piece. The process grid of a stage cuts the field into pieces; without a
/// placement there is one piece for every rank, and piece i is on rank i. With a placement, passes
/// compute on the ranks that it names and nowhere else; a strategy shows it as "4x2x1 on 0-3,0-3".
///
///     options.placement = {8, [](const Dims& grid, const Dims& piece) {
///       return static_cast<int>(ProcessGrid{grid}.piece(piece) % 4);  // eight pieces, four ranks
///     }};
struct Placement {
  /// The number of pieces of every process grid; 0: one for every rank. What cannot be divided has
  /// a grid of one piece.
  int pieces = 0;
  /// The rank of `piece` (its coordinates) of a process grid of grid[a] pieces along axis a. The
  /// axes are those of a strategy: a batch is axis 0, and a split axis counts as two. Where an axis
  /// is split, free inputs and outputs lie in slabs of the field's own axes. The function must
  /// return the same on every rank, whenever it is called: making a plan is Error::mismatch on all
  /// ranks if it does not, and Error::invalid if it returns a number that is no rank of the plan.
  std::function<int(const Dims& grid, const Dims& piece)> rank_of;

  /// Whether there is a function.
  bool is_given() const { return static_cast<bool>(rank_of); }
  /// How many pieces the process grids of a plan over `ranks` ranks have.
  int pieces_among(int ranks) const { return is_given() && pieces > 0 ? pieces : ranks; }
};

}  // namespace weft
