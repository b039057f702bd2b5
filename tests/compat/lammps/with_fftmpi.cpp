// compat/lammps/with_fftmpi: a program that transforms a field by LAMMPS's functions and by
// fftMPI's class, with the same bits as the result.
#include <fft3d.h>
#include <mpi.h>
#include <remap.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

void transform_by_fftmpi(MPI_Comm comm, const int* n, const int* brick, double* field);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, nbuf = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n[3] = {5, 6, 7};
  const int brick[6] = {0, 4, 0, 5, 7 * rank / ranks, 7 * (rank + 1) / ranks - 1};
  std::vector<FFT_DATA> field(static_cast<std::size_t>(30 * (brick[5] - brick[4] + 1)));
  for (std::size_t i = 0; i < field.size(); ++i)
    field[i] = {std::sin(static_cast<double>(i)), rank + 0.25};
  std::vector<FFT_DATA> other = field;
  fft_plan_3d* const plan = fft_3d_create_plan(
      MPI_COMM_WORLD, n[0], n[1], n[2], brick[0], brick[1], brick[2], brick[3], brick[4], brick[5],
      brick[0], brick[1], brick[2], brick[3], brick[4], brick[5], 0, 0, &nbuf, 0);
  fft_1d_only(other.data(), static_cast<int>(other.size()), 1, plan);
  other = field;
  remap_plan_3d* const move = remap_3d_create_plan(
      MPI_COMM_WORLD, brick[0], brick[1], brick[2], brick[3], brick[4], brick[5], brick[0],
      brick[1], brick[2], brick[3], brick[4], brick[5], 2, 0, 0, 2, 0);
  remap_3d(&other.data()->re, &other.data()->re, nullptr, move);
  fft_3d(other.data(), other.data(), 1, plan);
  remap_3d_destroy_plan(move);
  fft_3d_destroy_plan(plan);
  transform_by_fftmpi(MPI_COMM_WORLD, n, brick, &field.data()->re);
  const bool are_same =
      std::memcmp(field.data(), other.data(), field.size() * sizeof(FFT_DATA)) == 0;
  if (!are_same) std::fprintf(stderr, "rank %d: the results differ\n", rank);
  MPI_Finalize();
  return are_same ? 0 : 1;
}
