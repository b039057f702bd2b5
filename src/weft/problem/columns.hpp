// problem/columns: the waves of a cut-off as columns of the spectrum, and which rank has them.
// Pure. Keeps: agreement - every rank derives the columns of all ranks from the same problem.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "weft/cutoff.hpp"
#include "weft/grid/point_map.hpp"
#include "weft/problem/validated.hpp"
#include "weft/share.hpp"

namespace weft {

/// Which axis of a cut-off is what.
struct ColumnAxes {
  int column;      ///< along which the columns run
  int slow, fast;  ///< the other two, in the order of memory
  int half;        ///< that r2c halves; -1 for c2c
  int outer() const { return half == slow ? fast : slow; }  ///< with `half`, the third axis
};

/// The axes of a validated problem with a cut-off.
ColumnAxes column_axes(const Problem& problem);

/// The waves of a cut-off, rank by rank. On the grid of the spectrum that has just enough modes for
/// them, columns that are adjacent along the faster of the other axes are one box; so the boxes
/// contain points that no wave of the cut-off has. For r2c, where the negatives of the waves of a
/// column are on the grid, too, the rank of the column also has the column of these negatives.
class Columns {
 public:
  /// `problem` is validated, c2c or r2c, and its cut-off is gathered. Error::invalid, with the
  /// wave, if the grid lacks a wave, if two elements have the same wave, if r2c lists a wave and
  /// its negative, if a column is on two ranks, or if there are no waves.
  Columns(const Problem& problem, int ranks);

  /// Which axis of the user's grid is what.
  const ColumnAxes& axes() const { return axes_; }
  /// The modes that hold all waves, as Problem::modes takes them.
  const Extents& modes() const { return modes_; }
  /// The boxes of every rank, on the grid of the spectrum of these modes.
  std::vector<std::vector<Box>> boxes_of_rank() const;
  /// The number of waves of a rank, and the waves.
  std::int64_t count(int rank) const;
  Waves waves(int rank) const;
  /// Where the points of a rank's boxes, which are numbered as `whole` lays them out, lie in an
  /// array of its waves. Error::unsupported if there are more than 2^31.
  PointMap map(int rank, const UserArray& whole) const;

 private:
  // Waves with the same numbers along the axes `slow` and `fast`, ascending from `first`.
  struct Column {
    std::int32_t slow, fast, first, count;
  };
  // A wave of a list.
  struct Listed {
    std::int32_t slow, fast, along;
    int rank;
    friend auto operator<=>(const Listed&, const Listed&) = default;
  };
  void list_sphere(int ranks);
  std::vector<Listed> sorted_lists(int ranks) const;
  void check_lists(int ranks);
  void find_modes();
  std::vector<Column> columns_of_list(const Waves& waves, int rank) const;
  std::int64_t index(int axis, std::int32_t wave) const;
  std::vector<std::pair<std::int64_t, std::int64_t>> places(int rank) const;
  std::vector<Box> boxes(int rank) const;
  void require_on_grid(const Wave& wave) const;
  void require_kept(const Wave& wave, int rank) const;
  Wave wave_of(const Column& column, std::int32_t along) const;

  Cutoff cutoff_;
  Extents extents_, modes_;
  ColumnAxes axes_;
  std::vector<std::vector<Column>> columns_;  // by rank
};

/// The problem (validated, c2c or r2c) with the modes and the distribution of the spectrum that its
/// cut-off asks for; without a cut-off the same problem. Errors as of Columns.
Problem with_columns(Problem problem, int ranks);

}  // namespace weft
