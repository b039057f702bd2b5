// tickets: two transforms of one plan under way at the same time, while the application computes.
// By Parseval, with the norm `ortho`, the sum of the squares stays.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <weft/weft.h>

static void check(weft_status status) {
  if (status == WEFT_OK) return;
  fprintf(stderr, "%s\n", weft_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int count(void* ended) {
  ++*(int*)ended;
  return 0;
}

static double square_sum(weft_field* field, MPI_Comm comm) {
  weft_share share = {.size = sizeof share};
  check(weft_field_share(field, &share));
  const double complex* x = weft_field_data(field);
  double mine = 0, all = 0;
  for (weft_point p = {0}; weft_next_point(&share, &p);)
    mine += creal(x[p.element] * conj(x[p.element]));
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  return all;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  weft_problem problem = {
      .size = sizeof problem, .axes = 3, .extents = {36, 30, 32}, .norm = WEFT_NORM_ORTHO};
  weft_plan* plan = NULL;
  check(weft_plan_create(MPI_COMM_WORLD, &problem, "in_flight=2; effort=estimate", &plan));
  weft_share in = {.size = sizeof in};
  check(weft_plan_share(plan, WEFT_INPUT, &in));
  weft_field *u[2], *v[2];
  weft_ticket* ticket[2];
  double before[2], error = 0;
  int ended = 0, has_ended = 0;
  for (int i = 0; i < 2; ++i) {
    check(weft_field_create(plan, WEFT_INPUT, &u[i]));
    check(weft_field_create(plan, WEFT_OUTPUT, &v[i]));
    double complex* x = weft_field_data(u[i]);
    for (weft_point p = {0}; weft_next_point(&in, &p);)
      x[p.element] = sin(0.1 * (double)(p.at[0] * p.at[1] + i)) + I * (double)(p.at[2] % 7);
    before[i] = square_sum(u[i], MPI_COMM_WORLD);
  }
  for (int i = 0; i < 2; ++i) {
    check(weft_start_fields(plan, WEFT_FORWARD, u[i], v[i], 1, &ticket[i]));
    check(weft_then(ticket[i], count, &ended));
  }
  while (!has_ended) {  // ... compute, and let weft go on about every millisecond ...
    check(weft_progress(NULL));
    check(weft_test(&ticket[0], &has_ended));
  }
  check(weft_wait(&ticket[1]));
  for (int i = 0; i < 2; ++i) {
    error = fmax(error, fabs(square_sum(v[i], MPI_COMM_WORLD) / before[i] - 1));
    weft_field_free(&u[i]), weft_field_free(&v[i]);
  }
  if (in.parts[0].box.lo[0] == 0) printf("%d have ended\nerror %.2e\n", ended, error);
  check(weft_plan_free(&plan));
  MPI_Finalize();
  return ended == 2 && error < 1e-12 ? 0 : 1;
}
