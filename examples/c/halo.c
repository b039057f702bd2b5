// halo: ghost points after an inverse transform. The field lies in pencils with one ghost point on
// each side of axes 0 and 1, in arrays of the application's, which the plan and the halo take as
// they are. Here the second difference of sin(y), which is sin(y) times 2 cos(h) - 2.
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
  enum { n = 24 };
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  weft_distribution pencils = {
      .size = sizeof pencils, .form = WEFT_PENCIL, .ghosts_before = {1, 1}, .ghosts_after = {1, 1}};
  weft_problem problem = {
      .size = sizeof problem, .axes = 3, .extents = {n, n, n}, .kind = WEFT_R2C, .input = &pencils};
  weft_grid grid = {
      .size = sizeof grid, .axes = 3, .extents = {n, n, n}, .element_bytes = sizeof(double)};
  weft_plan* plan = NULL;
  weft_halo* halo = NULL;
  check(weft_plan_create(MPI_COMM_WORLD, &problem, "arrays=any", &plan));
  check(weft_halo_create(MPI_COMM_WORLD, &grid, &pencils, NULL, &halo));
  weft_share in = {.size = sizeof in}, out = {.size = sizeof out};
  check(weft_plan_share(plan, WEFT_INPUT, &in));
  check(weft_plan_share(plan, WEFT_OUTPUT, &out));
  double* u = calloc((size_t)in.elements + 1, sizeof *u);
  double complex* v = calloc((size_t)out.elements + 1, sizeof *v);

  // The transform of sin(y): -i/2 and i/2 at the waves 1 and -1, with a scale of n^3.
  const double h = 2 * acos(-1) / n;
  for (weft_point p = {0}; weft_next_point(&out, &p);)
    if (p.at[0] == 0 && p.at[2] == 0 && (p.at[1] == 1 || p.at[1] == n - 1))
      v[p.element] = p.at[1] == 1 ? -I / 2 : I / 2;
  check(weft_backward(plan, v, u, n * n * n));
  check(weft_halo_run(halo, (weft_target){u, in.elements}));

  double mine = 0, error = 0;
  for (weft_point p = {0}; weft_next_point(&in, &p);) {
    const int64_t step = in.parts[p.part].strides[1];
    const double* at = u + p.element;
    const double expected = (2 * cos(h) - 2) * sin(h * (double)p.at[1]);
    mine = fmax(mine, fabs(at[-step] - 2 * at[0] + at[step] - expected));
  }
  MPI_Allreduce(&mine, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("error %.2e\n", error);
  free(u), free(v);
  check(weft_halo_free(&halo));
  check(weft_plan_free(&plan));
  MPI_Finalize();
  return error < 1e-14 ? 0 : 1;
}
