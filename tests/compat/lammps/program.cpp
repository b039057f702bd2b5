// compat/lammps/program: runs the cases of both precisions, or makes and destroys many plans, of
// which nothing may be left.
#include <cstring>

#include "../fftmpi/cases.hpp"
#include "../fftmpi/left.hpp"
#include "fft3d.h"
#include "remap.h"

namespace {

void make_and_destroy(int n) {
  int nbuf, rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int lo = rank * n / ranks, hi = (rank + 1) * n / ranks - 1;
  fft_3d_destroy_plan(fft_3d_create_plan(MPI_COMM_WORLD, n, n, n, 0, n - 1, 0, n - 1, lo, hi, lo,
                                         hi, 0, n - 1, 0, n - 1, 0, 0, &nbuf, 0));
  remap_3d_destroy_plan(remap_3d_create_plan(MPI_COMM_WORLD, 0, n - 1, 0, n - 1, lo, hi, lo, hi, 0,
                                             n - 1, 0, n - 1, 1, 0, 0, 2, 0));
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(
      argc, argv,
      [](Findings& findings) {
        check_double(findings);
        check_single(findings);
      },
      make_and_destroy);
}
