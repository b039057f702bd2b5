// compat/swfft/moves: what a distribution_t of SWFFT keeps of weft: its layout, and moves between
// cubes and the others.
#pragma once

#include <mpi.h>

#include <array>
#include <complex>
#include <memory>

#include <weft/box.hpp>
#include <weft/reshape.hpp>

#include "distribution_c.h"
#include "layout.hpp"

namespace weft::swfft {

/// Moves are made when they are first needed, which is collective.
struct Moves {
  Layout layout;
  std::unique_ptr<Reshape<std::complex<double>>> slabs;
  std::array<std::unique_ptr<Reshape<std::complex<double>>>, 3> pencils;
};

/// A communicator of d's own, of the same ranks in the same order as the application's, which may
/// have been freed.
inline MPI_Comm comm_of(const distribution_t* d) { return d->process_topology_3.cart; }

/// The box of the place `self` in a grid.
Box box_of(const process_topology_t& grid);

}  // namespace weft::swfft
