// waves: a plane-wave code's own list of waves. Each rank keeps whole columns of the waves with
// |k| <= 5, in an order of its own; weft takes and makes an array with one number for each of them.
// Back from 1 at the wave (1, -2, 3) alone comes exp(2 pi i (x - 2y + 3z)/n), over n^3.
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
  enum { n = 20, most = 5 };
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static weft_wave mine[(2 * most + 1) * (2 * most + 1) * (2 * most + 1)];
  int64_t count = 0;
  for (int y = -most; y <= most; ++y)
    for (int z = -most; z <= most; ++z)
      for (int x = most; x >= -most; --x)  // columns along axis 0, from above
        if (x * x + y * y + z * z <= most * most && (y + z + 2 * most) % ranks == rank)
          mine[count++] = (weft_wave){{x, y, z}};
  weft_cutoff cutoff = {.size = sizeof cutoff, .is_list = 1, .wave_count = count, .waves = mine};
  weft_problem problem = {
      .size = sizeof problem, .axes = 3, .extents = {n, n, n}, .cutoff = &cutoff};
  weft_plan* plan = NULL;
  check(weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &plan));
  weft_share in = {.size = sizeof in}, out = {.size = sizeof out};
  check(weft_plan_share(plan, WEFT_INPUT, &in));
  check(weft_plan_share(plan, WEFT_OUTPUT, &out));  // out.waves are mine
  double complex* u = malloc(sizeof *u * (size_t)(in.elements + 1));
  double complex* c = calloc((size_t)count + 1, sizeof *c);

  for (int64_t i = 0; i < count; ++i)
    c[i] = out.waves[i].k[0] == 1 && out.waves[i].k[1] == -2 && out.waves[i].k[2] == 3;
  check(weft_backward(plan, c, u, n * n * n));
  double mine_most = 0, error = 0;
  for (weft_point p = {0}; weft_next_point(&in, &p);) {
    const double phase = 2 * acos(-1) / n * (double)(p.at[0] - 2 * p.at[1] + 3 * p.at[2]);
    mine_most = fmax(mine_most, cabs(u[p.element] - cexp(I * phase)));
  }
  MPI_Allreduce(&mine_most, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("%lld waves of rank 0\nerror %.2e\n", (long long)count, error);
  free(u), free(c);
  check(weft_plan_free(&plan));
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
