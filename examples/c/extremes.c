// extremes: one axis of a large prime number of points, over all ranks; a grid of two axes with
// fewer rows than ranks, of which some then have nothing; and one number, in a plan of this process
// alone. The transform of a constant is its sum at the wave 0.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft/weft.h>

static double largest_error(weft_plan* plan, double points) {
  weft_share in = {.size = sizeof in}, out = {.size = sizeof out};
  double error = 0;
  if (weft_plan_share(plan, WEFT_INPUT, &in) || weft_plan_share(plan, WEFT_OUTPUT, &out)) return 1;
  double complex* u = malloc(sizeof *u * (size_t)(in.elements + 1));
  double complex* v = malloc(sizeof *v * (size_t)(out.elements + 1));
  for (int64_t i = 0; i < in.elements; ++i) u[i] = 1;
  if (weft_forward(plan, u, v, 1)) error = 1;
  for (weft_point p = {0}; weft_next_point(&out, &p);) {
    const int is_mean = p.at[0] == 0 && p.at[1] == 0;  // unused axes count as 0
    error = fmax(error, cabs(v[p.element] / points - is_mean));
  }
  free(u), free(v);
  return error;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  weft_problem one = {.size = sizeof one, .axes = 1, .extents = {10007}};
  weft_problem two = {.size = sizeof two, .axes = 2, .extents = {3, 500}};
  weft_problem tiny = {.size = sizeof tiny, .axes = 1, .extents = {1}};
  weft_plan *line = NULL, *rows = NULL, *alone = NULL;
  double mine = 1, error = 1;
  if (!weft_plan_create(MPI_COMM_WORLD, &one, "effort=estimate", &line) &&
      !weft_plan_create(MPI_COMM_WORLD, &two, "effort=estimate", &rows) &&
      !weft_plan_create_alone(&tiny, "effort=estimate", &alone))
    mine =
        fmax(largest_error(line, 10007), fmax(largest_error(rows, 1500), largest_error(alone, 1)));
  MPI_Allreduce(&mine, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("error %.2e\n%s", error, weft_last_error());
  weft_plan_free(&line), weft_plan_free(&rows), weft_plan_free(&alone);
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
