// compat/swfft/layout: which ranks SWFFT puts where: the process grids of slabs, cubes and pencils,
// and the ranks of their places. Keeps: pure but for MPI_Dims_create, which SWFFT divides ranks
// with.
#pragma once

#include <array>

namespace weft::swfft {

/// Numbers along x, y and z.
using Triple = std::array<int, 3>;

/// A process grid, and the points that each rank has in it.
struct Grid {
  Triple ranks{1, 1, 1}, points{};
  friend bool operator==(const Grid&, const Grid&) = default;
};

/// All of a number of ranks and a number of points. pencils[a] are those along axis a.
struct Layout {
  Grid slabs, cubes;
  std::array<Grid, 3> pencils;
};

/// What SWFFT chooses. Error::invalid where points do not divide, which SWFFT refuses, too.
Layout choose_layout(int ranks, const Triple& points);
/// The grids that are given, with their points. Error::invalid where points do not divide.
Layout explicit_layout(const Triple& points, const Triple& slabs, const Triple& cubes,
                       const std::array<Triple, 3>& pencils);

/// The place of a rank among the pencils along `axis`, and the rank of a place.
Triple place_in_pencils(const Layout& layout, int axis, int rank);
int rank_in_pencils(const Layout& layout, int axis, const Triple& place);
/// The place of a rank in a grid where ranks are numbered along z first, then along y.
Triple place_in_order(const Triple& ranks, int rank);

}  // namespace weft::swfft
