// compat/fftmpi/program: runs the cases of both precisions, makes and destroys many transforms, or
// does what is refused.
#include <cstring>

#include "cases.hpp"
#include "fft3d.h"
#include "left.hpp"
#include "remap3d.h"

namespace {

void make_and_destroy(int n) {
  int fftsize, sendsize, recvsize, rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int lo = rank * n / ranks, hi = (rank + 1) * n / ranks - 1;
  FFTMPI_NS::FFT3d fft(MPI_COMM_WORLD, 2);
  fft.setup(n, n, n, 0, n - 1, 0, n - 1, lo, hi, lo, hi, 0, n - 1, 0, n - 1, 2, fftsize, sendsize,
            recvsize);
  FFTMPI_NS::Remap3d remap(MPI_COMM_WORLD);
  remap.setup(0, n - 1, 0, n - 1, lo, hi, lo, hi, 0, n - 1, 0, n - 1, 1, 0, 1, sendsize, recvsize);
}

// Ends the program.
void be_refused(const char* what) {
  int fftsize, sendsize, recvsize;
  double numbers[16] = {};
  FFTMPI_NS::FFT3d fft(MPI_COMM_WORLD, std::strcmp(what, "precision") == 0 ? 1 : 2);
  if (std::strcmp(what, "early") == 0) fft.compute(numbers, numbers, 1);
  fft.memoryflag = std::strcmp(what, "memory") == 0 ? 0 : 1;
  const int last = std::strcmp(what, "gap") == 0 ? 0 : 1;
  fft.setup(2, 2, 2, 0, 1, 0, 1, 0, last, 0, 1, 0, 1, 0, 1,
            std::strcmp(what, "permute") == 0 ? 3 : 0, fftsize, sendsize, recvsize);
  fft.compute(numbers, numbers, std::strcmp(what, "flag") == 0 ? 0 : 1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    MPI_Init(&argc, &argv);
    be_refused(argv[2]);
    return 0;
  }
  return run_program(
      argc, argv,
      [](Findings& findings) {
        check_double(findings);
        check_single(findings);
      },
      make_and_destroy);
}
