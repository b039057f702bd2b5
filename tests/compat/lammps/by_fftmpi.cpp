// compat/lammps/by_fftmpi: a transform by fftMPI's class, for a program that has LAMMPS's
// functions, too.
#include <fft3d.h>
#include <remap3d.h>

#include <vector>

void transform_by_fftmpi(MPI_Comm comm, const int* n, const int* brick, double* field) {
  int fftsize, sendsize, recvsize;
  FFTMPI_NS::FFT3d fft(comm, 2);
  fft.setup(n[0], n[1], n[2], brick[0], brick[1], brick[2], brick[3], brick[4], brick[5], brick[0],
            brick[1], brick[2], brick[3], brick[4], brick[5], 0, fftsize, sendsize, recvsize);
  // What LAMMPS's interface computes by the same functions of weft.
  std::vector<double> lines(2 * static_cast<std::size_t>(fftsize));
  fft.only_1d_ffts(lines.data(), 1);
  FFTMPI_NS::Remap3d remap(comm);
  remap.setup(brick[0], brick[1], brick[2], brick[3], brick[4], brick[5], brick[0], brick[1],
              brick[2], brick[3], brick[4], brick[5], 2, 0, 0, sendsize, recvsize);
  remap.remap(field, field, nullptr, nullptr);
  fft.compute(field, field, 1);
}
