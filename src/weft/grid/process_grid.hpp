// grid/process_grid: the grid divided into pieces along its axes, and the rank that owns each.
// Keeps: pieces are numbered in row-major order, the last axis fastest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/dims.hpp"
#include "weft/grid/box.hpp"

namespace weft {

/// A grid divided into pieces, parts[a] of them along axis a, each owned by one rank.
struct ProcessGrid {
  Dims parts;
  /// The rank of every piece; a rank may own several pieces or none. If this table is empty, piece
  /// i belongs to rank i, and ranks from count() on own nothing.
  std::vector<int> owners = {};

  /// The grid with a table of owners. The table is omitted if it is the identity.
  static ProcessGrid placed(const Dims& parts, std::vector<int> owners);

  std::int64_t count() const { return volume(parts); }
  /// Coordinates of `piece`, which must be below count().
  Dims coordinates(std::int64_t piece) const;
  std::int64_t piece(const Dims& coordinates) const;
  int owner(std::int64_t piece) const {
    return owners.empty() ? static_cast<int>(piece) : owners[static_cast<std::size_t>(piece)];
  }
  /// The box that `piece` covers of a grid of `extents`; empty for numbers from count() on.
  Box box(const Extents& extents, std::int64_t piece) const;

  friend bool operator==(const ProcessGrid&, const ProcessGrid&) = default;
};

/// "4x2x1", or with a table "4x2x1 on 0-3,0-3".
std::string to_string(const ProcessGrid& grid);

/// The number of axes along which `parts` divides a grid.
int divided_axes(const Dims& parts);

/// Every way to write `count` as a product of `axes` factors, in descending lexicographic order.
std::vector<Dims> factorizations(std::int64_t count, int axes);

/// The factorization of `count` over the axes of `extents` whose pieces have the smallest surface,
/// so that bricks are as nearly cubic as possible. Only the axes in `allowed` are divided.
Dims balanced_factorization(std::int64_t count, const Extents& extents,
                            const std::vector<int>& allowed);

}  // namespace weft
