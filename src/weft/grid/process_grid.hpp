// grid/process_grid: blocks of the grid - pieces - arranged on axes, and the ranks that hold them.
// Keeps: pieces are numbered row-major, the last axis fastest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/dims.hpp"
#include "weft/grid/box.hpp"

namespace weft {

/// A grid cut into pieces, parts[a] of them along axis a, each with a rank.
struct ProcessGrid {
  Dims parts;
  /// The rank of every piece; several pieces, or none, for some. Empty: piece i is with rank i, and
  /// ranks from count() on own nothing.
  std::vector<int> owners = {};

  /// With a table, which is left out if it says no more than none does.
  static ProcessGrid placed(const Dims& parts, std::vector<int> owners);

  std::int64_t count() const { return volume(parts); }
  /// Coordinates of `piece`, which is below count().
  Dims coordinates(std::int64_t piece) const;
  std::int64_t piece(const Dims& coordinates) const;
  int owner(std::int64_t piece) const {
    return owners.empty() ? static_cast<int>(piece) : owners[static_cast<std::size_t>(piece)];
  }
  /// The region of a grid of `extents` that `piece` is; empty from count() on.
  Box box(const Extents& extents, std::int64_t piece) const;

  friend bool operator==(const ProcessGrid&, const ProcessGrid&) = default;
};

/// "4x2x1"; with a table "4x2x1 on 0-3,0-3".
std::string to_string(const ProcessGrid& grid);

/// Every way to write `count` as a product of `axes` factors, in lexicographic order, largest
/// first factors first.
std::vector<Dims> factorizations(std::int64_t count, int axes);

/// The factorization of `count` over the axes of `extents` whose blocks have the least surface,
/// so that bricks are as cubic as they can be. Only axes named in `allowed` are divided.
Dims balanced_factorization(std::int64_t count, const Extents& extents,
                            const std::vector<int>& allowed);

}  // namespace weft
