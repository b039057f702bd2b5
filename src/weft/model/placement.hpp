// model/placement: which rank holds which piece of the stages' process grids, as the user says.
#pragma once

#include <functional>
#include <vector>

#include "weft/grid/process_grid.hpp"
#include "weft/model/machine.hpp"

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

  bool is_given() const { return static_cast<bool>(rank_of); }
  int pieces_among(int ranks) const { return is_given() && pieces > 0 ? pieces : ranks; }
};

/// Error::invalid if it cannot be: pieces without a function, or too many of them.
void check(const Placement& placement);

/// The process grid of `parts` as `placement` says. Error::invalid, naming the piece, if it is to
/// lie with a rank that is not there.
ProcessGrid placed(const Dims& parts, const Placement& placement, int ranks);

/// The ranks of slabs along the first of `axes` axes: where the ends lie that the problem leaves
/// free and a split axis forbids a process grid. Empty if there is one for every rank, in order.
std::vector<int> slab_owners(int axes, const Placement& placement, int ranks);

/// A piece for each of `ranks`.
Placement one_piece_on(std::vector<int> ranks);

/// `count` ranks on as few nodes as can hold them, ascending: the largest nodes are filled first,
/// of equal ones the first. Error::invalid if there are not so many.
std::vector<int> ranks_on_fewest_nodes(int count, const Machine& machine);

}  // namespace weft
