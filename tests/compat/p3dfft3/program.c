// program: transforms a wave and its derivative with P3DFFT++ from C.
#include <math.h>
#include <mpi.h>
#include <p3dfft.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static double wave(const int* n, int x, int y, int z) {
  return cos(2 * pi * (1.0 * x / n[0] + 2.0 * y / n[1] + 3.0 * z / n[2]));
}
static double slope(const int* n, int x, int y, int z) {
  return -2 * sin(2 * pi * (1.0 * x / n[0] + 2.0 * y / n[1] + 3.0 * z / n[2]));
}

int main(int argc, char** argv) {
  int n[3] = {9, 8, 10}, half[3] = {5, 8, 10}, procs[3] = {1, 0, 0}, map[3] = {0, 1, 2},
      to_z[3] = {2, 0, 1};
  int order[3] = {0, 1, 2}, turned[3] = {2, 1, 0}, inverse[3], rank = 0, ranks = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, procs);
  p3dfft_setup();
  int forward[3] = {P3DFFT_R2CFFT_D, P3DFFT_CFFT_FORWARD_D, P3DFFT_CFFT_FORWARD_D};
  int backward[3] = {P3DFFT_C2RFFT_D, P3DFFT_CFFT_BACKWARD_D, P3DFFT_CFFT_BACKWARD_D};
  const int processes = p3dfft_init_proc_grid(procs, MPI_COMM_WORLD);
  Grid* space = p3dfft_init_data_grid(n, -1, processes, map, order);
  Grid* waves = p3dfft_init_data_grid(half, 0, processes, to_z, turned);
  const Plan3D there = p3dfft_plan_3Dtrans(space, waves, p3dfft_init_3Dtype(forward));
  const Plan3D back = p3dfft_plan_3Dtrans(waves, space, p3dfft_init_3Dtype(backward));
  const size_t points = (size_t)space->Ldims[0] * space->Ldims[1] * space->Ldims[2];
  const size_t numbers = (size_t)waves->Ldims[0] * waves->Ldims[1] * waves->Ldims[2];
  double* u = calloc(points + 1, sizeof(double));
  double* w = calloc(points + 1, sizeof(double));
  double* v = calloc(2 * numbers + 1, sizeof(double));
  double error = 0, most = 0;
  if (argc > 1) p3dfft_exec_3Dderiv_double(back, v, w, 1, 0);  // is refused
  for (int turn = 0; turn < 2; ++turn) {
    size_t at = 0;
    for (int z = 0; z < space->Ldims[2]; ++z)
      for (int y = 0; y < space->Ldims[1]; ++y)
        for (int x = 0; x < space->Ldims[0]; ++x)
          u[at++] =
              wave(n, x + space->GlobStart[0], y + space->GlobStart[1], z + space->GlobStart[2]);
    if (turn == 0)
      p3dfft_exec_3Dtrans_double(there, u, v, 0);
    else
      p3dfft_exec_3Dderiv_double(there, u, v, 1, 0);
    p3dfft_exec_3Dtrans_double(back, v, w, 1);
    at = 0;
    for (int z = 0; z < space->Ldims[2]; ++z)
      for (int y = 0; y < space->Ldims[1]; ++y)
        for (int x = 0; x < space->Ldims[0]; ++x, ++at) {
          const int i = x + space->GlobStart[0], j = y + space->GlobStart[1],
                    k = z + space->GlobStart[2];
          error = fmax(error, fabs(w[at] / (n[0] * n[1] * n[2]) -
                                   (turn == 0 ? wave(n, i, j, k) : slope(n, i, j, k))));
        }
  }
  p3dfft_exec_3Dtrans_double(there, u, v, 0);
  p3dfft_compute_deriv_double(v, v, waves, 1);
  p3dfft_exec_3Dtrans_double(back, v, w, 1);
  if (points > 0)
    error =
        fmax(error, fabs(w[0] / (n[0] * n[1] * n[2]) -
                         slope(n, space->GlobStart[0], space->GlobStart[1], space->GlobStart[2])));
  MPI_Allreduce(&error, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  int cyclic[3] = {1, 2, 0};
  p3dfft_inv_mo(cyclic, inverse);
  if (inverse[0] != 2 || inverse[1] != 0 || inverse[2] != 1) most = 1;
  if (rank == 0) printf("error %.2e\n", most);
  p3dfft_free_data_grid(space);
  p3dfft_free_data_grid(waves);
  p3dfft_free_proc_grid(processes);
  p3dfft_cleanup();
  free(u);
  free(v);
  free(w);
  MPI_Finalize();
  return most < 1e-13 ? 0 : 1;
}
