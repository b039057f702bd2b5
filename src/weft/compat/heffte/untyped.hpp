// compat/heffte/untyped: runs of plans whose arrays come from C and Fortran, as a void* and a type.
#pragma once

#include <mpi.h>

#include <array>

#include "include/heffte_transform.h"

namespace heffte::over_weft {

/// A box of C's: three first and last indices, and an order or null.
ordered_box box_of(const int* low, const int* high, const int* order);

/// A plan of C's and Fortran's, which have complex and real transforms.
transform* made(const ordered_box& in, const ordered_box& out, int r2c_direction, MPI_Comm comm);

/// One field or several; `scale` is 0 for none, 1 for full, 2 for symmetric, anything else
/// std::invalid_argument; so are complex numbers on both sides of a plan of real ones.
struct UntypedRun {
  bool is_forward;
  int batch;
  number from_type;
  const void* from;
  number to_type;
  void* to;
  void* workspace;
  int scale;
};
void run(const transform& plan, bool is_r2c, const UntypedRun& run);

}  // namespace heffte::over_weft
