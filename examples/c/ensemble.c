// ensemble: eight fields, each transformed by a plan of its own, on all ranks or each on some of
// them, whichever is predicted to be faster. Field i is one wave, exp(2 pi i (i+1) x/n), whose
// transform is n^2 at the wavenumber i+1.
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
  enum { n = 24, count = 8 };
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  weft_problem problem = {.size = sizeof problem, .axes = 2, .extents = {n, n}};
  const weft_problem* problems[count];
  for (int i = 0; i < count; ++i) problems[i] = &problem;
  weft_ensemble* bands = NULL;
  check(weft_ensemble_create(MPI_COMM_WORLD, count, problems, NULL, NULL, &bands));

  weft_plan* plan[count];
  weft_field *u[count] = {0}, *v[count] = {0};
  weft_ticket* ticket[count] = {0};
  for (int i = 0; i < count; ++i) {
    check(weft_ensemble_plan(bands, i, &plan[i]));
    if (plan[i] == NULL) continue;  // other ranks have this one
    check(weft_field_create(plan[i], WEFT_INPUT, &u[i]));
    check(weft_field_create(plan[i], WEFT_OUTPUT, &v[i]));
    weft_share in = {.size = sizeof in};
    check(weft_plan_share(plan[i], WEFT_INPUT, &in));
    double complex* x = weft_field_data(u[i]);
    for (weft_point p = {0}; weft_next_point(&in, &p);)
      x[p.element] = cexp(I * 2 * acos(-1) * (i + 1) * (double)p.at[0] / n);
    check(weft_start_fields(plan[i], WEFT_FORWARD, u[i], v[i], 1, &ticket[i]));
  }
  double mine = 0, error = 0;
  for (int i = 0; i < count; ++i) {
    check(weft_wait(&ticket[i]));  // returns at once where there is no ticket
    if (plan[i] == NULL) continue;
    weft_share out = {.size = sizeof out};
    check(weft_plan_share(plan[i], WEFT_OUTPUT, &out));
    const double complex* wave = weft_field_data(v[i]);
    for (weft_point p = {0}; weft_next_point(&out, &p);) {
      const int is_spike = p.at[0] == i + 1 && p.at[1] == 0;
      mine = fmax(mine, cabs(wave[p.element] / (n * n) - is_spike));
    }
    weft_field_free(&u[i]), weft_field_free(&v[i]);
  }
  MPI_Allreduce(&mine, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("error %.2e\n", error);
  check(weft_ensemble_free(&bands));
  MPI_Finalize();
  return error < 1e-14 ? 0 : 1;
}
