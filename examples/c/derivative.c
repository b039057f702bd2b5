// derivative: d/dx of sin(3x) cos(2y) on the periodic square of side 2 pi. A derivative in x is a
// factor i k in the spectrum. The wave that alternates from point to point has none: its sine is
// zero at all points.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <weft/weft.h>

static void check(weft_status status) {
  if (status == WEFT_OK) return;
  fprintf(stderr, "%s\n", weft_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double h = 2 * acos(-1) / 40;
  weft_plan* plan = NULL;  // a text can say the whole problem
  check(weft_plan_create(MPI_COMM_WORLD, NULL, "extents=40x40; kind=r2c", &plan));
  weft_field *u = NULL, *v = NULL, *answer = NULL;
  check(weft_field_create(plan, WEFT_INPUT, &u));
  check(weft_field_create(plan, WEFT_OUTPUT, &v));
  check(weft_field_create(plan, WEFT_INPUT, &answer));
  weft_share in = {.size = sizeof in}, out = {.size = sizeof out};
  check(weft_plan_share(plan, WEFT_INPUT, &in));
  check(weft_plan_share(plan, WEFT_OUTPUT, &out));

  double *x = weft_field_data(u), *expected = weft_field_data(answer);
  for (weft_point p = {0}; weft_next_point(&in, &p);) {
    x[p.element] = sin(3 * h * (double)p.at[0]) * cos(2 * h * (double)p.at[1]);
    expected[p.element] = 3 * cos(3 * h * (double)p.at[0]) * cos(2 * h * (double)p.at[1]);
  }
  check(weft_run_fields(plan, WEFT_FORWARD, u, v, 1));
  weft_wavenumbers k;
  check(weft_plan_wavenumbers(plan, 0, &k));
  double complex* wave = weft_field_data(v);
  for (weft_point p = {0}; weft_next_point(&out, &p);)
    wave[p.element] *= weft_is_nyquist(k, p.at[0]) ? 0 : I * (double)weft_wavenumber(k, p.at[0]);
  check(weft_run_fields(plan, WEFT_BACKWARD, v, u, 1));

  double error = 1;
  int rank = 0;
  check(weft_max_abs_difference(u, answer, 0, &error));
  check(weft_plan_rank(plan, &rank));
  if (rank == 0) printf("error %.2e\n", error);
  weft_field_free(&u), weft_field_free(&v), weft_field_free(&answer);
  check(weft_plan_free(&plan));
  MPI_Finalize();
  return error < 1e-12 ? 0 : 1;
}
