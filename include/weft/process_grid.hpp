// weft/process_grid: blocks of the grid - pieces - arranged on axes, and the ranks that hold them.
// Floor: grid.
// Keeps: pieces are numbered row-major, the last axis fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/box.hpp"

namespace weft {

/// A grid cut into pieces, parts[a] of them along axis a, each with a rank.
struct ProcessGrid {
  Dims parts;  ///< pieces per axis
  /// The rank of every piece; a rank may have several pieces or none. Empty: piece i is on rank i,
  /// and ranks from count() on own nothing.
  std::vector<int> owners = {};

  /// A process grid with a table of owners; the table is left out if it is 0, 1, 2, ...
  static ProcessGrid placed(const Dims& parts, std::vector<int> owners);

  /// Number of pieces.
  std::int64_t count() const { return volume(parts); }
  /// Coordinates of `piece`, which is below count(), and the piece at `coordinates`.
  Dims coordinates(std::int64_t piece) const;
  std::int64_t piece(const Dims& coordinates) const;
  /// The rank that holds `piece`.
  int owner(std::int64_t piece) const {
    return owners.empty() ? static_cast<int>(piece) : owners[static_cast<std::size_t>(piece)];
  }
  /// The box of `piece` in a grid of `extents`; empty from count() on.
  Box box(const Extents& extents, std::int64_t piece) const;

  friend bool operator==(const ProcessGrid&, const ProcessGrid&) = default;
};

/// "4x2x1"; with a table "4x2x1 on 0-3,0-3".
std::string to_string(const ProcessGrid& grid);

}  // namespace weft
