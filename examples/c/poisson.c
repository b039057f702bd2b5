// poisson: -laplace(u) = f on the periodic cube of side 2 pi, where the application has pencils of
// its own: each rank tells its box, and gives its own arrays. Here f = 14 sin(x) sin(2y) sin(3z),
// for which u = f / 14.
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
  enum { n = 48 };
  int rank, ranks, parts[2] = {0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, parts);
  const int i = rank / parts[1], j = rank % parts[1];
  const weft_box mine = {{n * i / parts[0], n * j / parts[1], 0},
                         {n * (i + 1) / parts[0], n * (j + 1) / parts[1], n}};

  weft_distribution pencil = {
      .size = sizeof pencil, .form = WEFT_BOXES, .count = 1, .boxes = &mine};
  weft_problem problem = {
      .size = sizeof problem, .axes = 3, .extents = {n, n, n}, .kind = WEFT_R2C, .input = &pencil};
  weft_plan* plan = NULL;
  check(weft_plan_create(MPI_COMM_WORLD, &problem, "arrays=any", &plan));
  weft_share in = {.size = sizeof in}, out = {.size = sizeof out};
  check(weft_plan_share(plan, WEFT_INPUT, &in));
  check(weft_plan_share(plan, WEFT_OUTPUT, &out));
  double* u = malloc(sizeof *u * (size_t)in.elements);
  double complex* v = malloc(sizeof *v * (size_t)out.elements + 1);

  const double h = 2 * acos(-1) / n;
  for (weft_point p = {0}; weft_next_point(&in, &p);)
    u[p.element] =
        14 * sin(h * (double)p.at[0]) * sin(2 * h * (double)p.at[1]) * sin(3 * h * (double)p.at[2]);
  check(weft_forward(plan, u, v, 1));
  weft_wavenumbers k[3];
  for (int a = 0; a < 3; ++a) check(weft_plan_wavenumbers(plan, a, &k[a]));
  for (weft_point p = {0}; weft_next_point(&out, &p);) {
    double square = 0;
    for (int a = 0; a < 3; ++a)
      square += (double)weft_wavenumber(k[a], p.at[a]) * (double)weft_wavenumber(k[a], p.at[a]);
    v[p.element] = square > 0 ? v[p.element] / square : 0;
  }
  check(weft_backward(plan, v, u, 1));

  double mine_most = 0, error = 0;
  for (weft_point p = {0}; weft_next_point(&in, &p);)
    mine_most = fmax(mine_most,
                     fabs(u[p.element] - sin(h * (double)p.at[0]) * sin(2 * h * (double)p.at[1]) *
                                             sin(3 * h * (double)p.at[2])));
  MPI_Allreduce(&mine_most, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("error %.2e\n", error);
  free(u), free(v);
  check(weft_plan_free(&plan));
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
