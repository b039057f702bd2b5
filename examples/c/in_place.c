// in_place: r2c in place, with a transposed spectrum: the real field lies in slabs of axis 0, its
// rows padded as FFTW has them, and the spectrum in slabs of axis 1, which comes first in memory.
// The transform of cos(2 pi (3x + y)/n) is n^3/2 at the waves (3, 1, 0) and (-3, -1, 0).
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
  enum { n = 32 };
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  weft_distribution slabs = {.size = sizeof slabs, .form = WEFT_SLAB};
  weft_distribution transposed = {
      .size = sizeof transposed, .form = WEFT_BRICK, .grid = {1, ranks, 1}, .order = {1, 0, 2}};
  weft_problem problem = {.size = sizeof problem,
                          .axes = 3,
                          .extents = {n, n, n},
                          .kind = WEFT_R2C,
                          .in_place = 1,
                          .input = &slabs,
                          .output = &transposed};
  weft_plan* plan = NULL;
  check(weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &plan));
  weft_share in = {.size = sizeof in}, out = {.size = sizeof out};
  check(weft_plan_share(plan, WEFT_INPUT, &in));
  check(weft_plan_share(plan, WEFT_OUTPUT, &out));
  const size_t real_bytes = sizeof(double) * (size_t)in.elements;
  const size_t wave_bytes = sizeof(double complex) * (size_t)out.elements;
  double* u = malloc(real_bytes > wave_bytes ? real_bytes : wave_bytes);
  double complex* v = (double complex*)u;

  const double h = 2 * acos(-1) / n;
  for (weft_point p = {0}; weft_next_point(&in, &p);)
    u[p.element] = cos(h * (double)(3 * p.at[0] + p.at[1]));
  check(weft_forward(plan, u, v, 1.0 / (n * n * n)));  // a scale for this run
  double mine = 0, error = 0;
  for (weft_point p = {0}; weft_next_point(&out, &p);) {
    const int is_spike =
        p.at[2] == 0 && ((p.at[0] == 3 && p.at[1] == 1) || (p.at[0] == n - 3 && p.at[1] == n - 1));
    mine = fmax(mine, cabs(v[p.element] - (is_spike ? 0.5 : 0)));
  }
  MPI_Allreduce(&mine, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    printf("rows of %d numbers in memory of %lld\nerror %.2e\n", n,
           (long long)in.parts[0].strides[1], error);
  free(u);
  check(weft_plan_free(&plan));
  MPI_Finalize();
  return error < 1e-14 ? 0 : 1;
}
