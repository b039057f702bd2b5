// ghosts: arrays as Fortran has them, x fastest, with two ghost points around each rank's part,
// which plans neither read nor write. The list of transformed axes ends with x, so that r2c halves
// x. The mean of 1 + sin(y) is 1.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

static void check(weft_status status) {
  if (status == WEFT_OK) return;
  fprintf(stderr, "%s\n", weft_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  enum { n = 18, ghost = 2 };
  int rank, ranks, parts[2] = {0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, parts);
  weft_distribution field = {.size = sizeof field,
                             .form = WEFT_BRICK,
                             .grid = {1, parts[0], parts[1]},  // x is whole
                             .column_major = 1,
                             .ghosts_before = {ghost, ghost, ghost},
                             .ghosts_after = {ghost, ghost, ghost}};
  const int z_y_x[] = {2, 1, 0};
  weft_distribution spectrum = {.size = sizeof spectrum, .column_major = 1};
  weft_problem problem = {.size = sizeof problem,
                          .axes = 3,
                          .extents = {n, n, n},
                          .kind = WEFT_R2C,
                          .norm = WEFT_NORM_FORWARD,
                          .transformed = z_y_x,
                          .transformed_count = 3,
                          .input = &field,
                          .output = &spectrum};
  weft_plan* plan = NULL;
  check(weft_plan_create(MPI_COMM_WORLD, &problem, "arrays=any", &plan));
  weft_share in = {.size = sizeof in}, out = {.size = sizeof out};
  check(weft_plan_share(plan, WEFT_INPUT, &in));
  check(weft_plan_share(plan, WEFT_OUTPUT, &out));
  double* u = malloc(sizeof *u * (size_t)in.elements);
  double complex* v = malloc(sizeof *v * (size_t)(out.elements + 1));
  for (int64_t i = 0; i < in.elements; ++i) u[i] = -1;  // ghost points, whatever they are

  // The same as weft_next_point, by the strides: threads may share out the planes.
  const weft_part part = in.parts[0];
  for (int64_t z = part.box.lo[2]; z < part.box.hi[2]; ++z)
    for (int64_t y = part.box.lo[1]; y < part.box.hi[1]; ++y)
      for (int64_t x = part.box.lo[0]; x < part.box.hi[0]; ++x)
        u[part.offset + (x - part.box.lo[0]) + (y - part.box.lo[1]) * part.strides[1] +
          (z - part.box.lo[2]) * part.strides[2]] = 1 + sin(2 * acos(-1) / n * (double)y);
  check(weft_forward(plan, u, v, 1));
  double mine = 0, error = 0;
  for (weft_point p = {0}; weft_next_point(&out, &p);) {
    const int is_wave = p.at[0] == 0 && p.at[2] == 0 && (p.at[1] == 1 || p.at[1] == n - 1);
    const double expected = is_wave ? 0.5 : p.at[0] + p.at[1] + p.at[2] == 0;
    mine = fmax(mine, fabs(cabs(v[p.element]) - expected));
  }
  MPI_Allreduce(&mine, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    printf("x goes from 0 to %lld, and %d is halved\nerror %.2e\n", (long long)part.box.hi[0], n,
           error);
  free(u), free(v);
  check(weft_plan_free(&plan));
  MPI_Finalize();
  return error < 1e-14 ? 0 : 1;
}
