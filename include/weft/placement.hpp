// weft/placement: which rank holds which piece of the stages' process grids, as the user says.
// Floor: problem.
#pragma once

#include <functional>

#include "weft/process_grid.hpp"

namespace weft {

/// Where pieces lie. A stage's process grid cuts the field into pieces; without a placement there
/// is one for every rank, and piece i is with rank i. With one, passes compute where it says, and
/// nowhere else; a strategy shows it as "4x2x1 on 0-3,0-3".
///
///     options.placement = {8, [](const Dims& grid, const Dims& piece) {
///       return static_cast<int>(ProcessGrid{grid}.piece(piece) % 4);  // eight pieces, four ranks
///     }};
struct Placement {
  /// Of every process grid; 0: one for every rank. Grids of one piece come beside those, for what
  /// cannot be divided.
  int pieces = 0;
  /// The rank of `piece` (its coordinates) of a process grid of grid[a] pieces along axis a. Axes
  /// are those of a strategy: with a batch it is axis 0, and a split axis counts as two; what is
  /// free of a field whose axis is split lies in slabs of the field's own axes. The same on every
  /// rank whenever it is asked.
  std::function<int(const Dims& grid, const Dims& piece)> rank_of;

  /// Whether there is a function.
  bool is_given() const { return static_cast<bool>(rank_of); }
  /// How many pieces the process grids of a plan over `ranks` ranks have.
  int pieces_among(int ranks) const { return is_given() && pieces > 0 ? pieces : ranks; }
};

}  // namespace weft
