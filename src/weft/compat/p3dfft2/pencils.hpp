// compat/p3dfft2/pencils: which part of the grid each rank has, of real space and of the spectrum.
// Keeps: real space is in X pencils and the spectrum in Z pencils; the last ranks of an axis have
// the larger parts.
#pragma once

#include <array>
#include <cstdint>

#include <weft/box.hpp>

namespace weft::p3dfft2 {

/// What a program was compiled for, as the header and the module say it.
enum Layout : int {
  single_precision = 1,  ///< SINGLE_PREC
  z_contiguous = 2,  ///< STRIDE1: the spectrum is (z, y, x) in Fortran's order, and not (x, y, z)
  rows_adjacent = 4  ///< DIMS_C: ranks of the second dimension of the process grid are neighbours
};

/// A side of a transform.
enum class Side { real_space, spectrum };

/// The grid, the modes that are kept along each axis, and the process grid. Axes are x, y, z here.
struct Grid {
  std::array<std::int64_t, 3> points{}, modes{};
  std::array<int, 2> dims{1, 1};  ///< the process grid
  int layout = 0;                 ///< of Layout

  /// What `rank` has of a side: first and last index from 1 on, and the number of points, in the
  /// order in which the axes lie in memory.
  struct Dimensions {
    std::array<int, 3> start, end, size;
  };

  /// Points of the whole side, along x, y and z.
  std::array<std::int64_t, 3> extents(Side side) const;
  /// What `rank` has of it, with the axes z, y, x, as weft has them.
  Box box(Side side, int rank) const;
  /// The box of complex points when only x is transformed: as X pencils.
  Box box_of_half_spectrum(int rank) const;
  /// As a program is told it.
  Dimensions dimensions(Side side, int rank) const;
  /// Dimensions of real space with room for the spectrum: the last one is larger.
  Dimensions padded_dimensions(int rank) const;
};

}  // namespace weft::p3dfft2
