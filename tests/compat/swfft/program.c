// program: moves a field with SWFFT's functions for C, between process grids that are given.
#include <distribution_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  const int n[3] = {8, 4, 6}, none[3] = {0, 0, 0};
  int slabs[3] = {4, 1, 1}, x[3] = {1, 4, 1}, y[3] = {4, 1, 1}, z[3] = {2, 2, 1},
      cubes[3] = {2, 2, 1};
  distribution_t d;
  int rank = 0, failed = 0, place[3], found = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  distribution_init_explicit(MPI_COMM_WORLD, n, none, slabs, x, y, z, cubes, &d,
                             argc > 1 && strcmp(argv[1], "debug") == 0);
  distribution_assert_commensurate(&d);
  complex_t cube[48], other[48], back[48];
  for (int i = 0; i < 48; ++i) cube[i] = 100 * rank + i + 7 * I;
  for (int axis = 0; axis < 3; ++axis) {
    distribution_3_to_2(cube, other, &d, axis);
    distribution_2_to_3(other, back, &d, axis);
    failed += memcmp(cube, back, sizeof cube) != 0;
  }
  distribution_3_to_1(cube, other, &d);
  distribution_1_to_3(other, back, &d);
  failed += memcmp(cube, back, sizeof cube) != 0;
  Coord_z_pencils(rank, place, &d);
  Rank_z_pencils(&found, place, &d);
  failed += found != rank || place[0] != distribution_get_self_2d_z(&d, 0) ||
            distribution_get_nproc_2d_x(&d, 1) != 4;
  distribution_fini(&d);
  MPI_Finalize();
  if (failed) fprintf(stderr, "rank %d: %d of the moves are wrong\n", rank, failed);
  return failed;
}
