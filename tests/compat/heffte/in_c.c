/* tests/compat/heffte/in_c: a program for heFFTe in C: all functions, against direct sums. */
#include <complex.h>
#include <heffte.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { nx = 5, ny = 4, nz = 6, points = nx * ny * nz };

static int me, ranks;

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "rank %d: %s\n", me, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Planes of the field, of axis `divided`, on this rank. */
static void box_of(int divided, const int* n, int* low, int* high) {
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = axis == divided ? me * n[axis] / ranks : 0;
    high[axis] = (axis == divided ? (me + 1) * n[axis] / ranks : n[axis]) - 1;
  }
}

static double complex field[points], spectrum[points];

static void sum_all(void) {
  for (int i = 0; i < points; ++i) field[i] = (i * i * 7 + i * 3) % 17 - 8;
  for (int p = 0; p < nx; ++p)
    for (int q = 0; q < ny; ++q)
      for (int r = 0; r < nz; ++r) {
        double complex sum = 0;
        for (int x = 0; x < nx; ++x)
          for (int y = 0; y < ny; ++y)
            for (int z = 0; z < nz; ++z) {
              const double turns =
                  (double)(x * p % nx) / nx + (double)(y * q % ny) / ny + (double)(z * r % nz) / nz;
              sum += field[(z * ny + y) * nx + x] * cexp(-2 * acos(-1.0) * I * turns);
            }
        spectrum[(r * ny + q) * nx + p] = sum;
      }
}

/* The element of a box in memory: by default axis 0 is contiguous, else axis 2. */
static int element(const int* low, const int* high, int is_reversed, const int* at) {
  const int size[3] = {high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1};
  const int x = at[0] - low[0], y = at[1] - low[1], z = at[2] - low[2];
  return is_reversed ? (x * size[1] + y) * size[2] + z : (z * size[1] + y) * size[0] + x;
}

static double largest_error(const double complex* mine, const double complex* all, const int* low,
                            const int* high, int is_reversed, double factor) {
  double worst = 0;
  for (int x = low[0]; x <= high[0]; ++x)
    for (int y = low[1]; y <= high[1]; ++y)
      for (int z = low[2]; z <= high[2]; ++z) {
        const int at[3] = {x, y, z};
        const double off =
            cabs(mine[element(low, high, is_reversed, at)] - factor * all[(z * ny + y) * nx + x]);
        if (!(off <= worst)) worst = off;
      }
  return worst;
}

/* All transforms of one plan; of a plan of real numbers, those that it has. */
static void check(heffte_plan plan, int is_r2c, const int* in_low, const int* in_high,
                  const int* out_low, const int* out_high) {
  const int in = heffte_size_inbox(plan), out = heffte_size_outbox(plan),
            larger = in > out ? in : out;
  expect(heffte_is_r2c(plan) == is_r2c && heffte_get_backend(plan) == Heffte_BACKEND_FFTW,
         "the plan is another");
  double complex *u = malloc(sizeof *u * (size_t)(larger + 1)),
                 *v = malloc(sizeof *v * (size_t)(larger + 1)),
                 *w = malloc(sizeof *w * (size_t)(larger + 1));
  float complex *cu = malloc(sizeof *cu * (size_t)(larger + 1)),
                *cv = malloc(sizeof *cv * (size_t)(larger + 1));
  double* d = malloc(sizeof *d * (size_t)(larger + 1));
  float* s = malloc(sizeof *s * (size_t)(larger + 1));
  void* room = malloc(sizeof *u * (size_t)heffte_size_workspace(plan));
  for (int x = in_low[0]; x <= in_high[0]; ++x)
    for (int y = in_low[1]; y <= in_high[1]; ++y)
      for (int z = in_low[2]; z <= in_high[2]; ++z) {
        const int at[3] = {x, y, z};
        const int i = element(in_low, in_high, 0, at);
        u[i] = field[(z * ny + y) * nx + x];
        cu[i] = (float complex)u[i];
        d[i] = creal(u[i]);
        s[i] = (float)d[i];
      }
  for (int buffered = 0; buffered < 2; ++buffered) {
    const double full = 1.0 / points, root = sqrt(full);
    if (!is_r2c) {
      if (buffered)
        heffte_forward_z2z_buffered(plan, u, v, room, Heffte_SCALE_NONE);
      else
        heffte_forward_z2z(plan, u, v, Heffte_SCALE_NONE);
      expect(largest_error(v, spectrum, out_low, out_high, 1, 1) < 1e-11, "z2z");
      if (buffered)
        heffte_backward_z2z_buffered(plan, v, w, room, Heffte_SCALE_FULL);
      else
        heffte_backward_z2z(plan, v, w, Heffte_SCALE_FULL);
      expect(largest_error(w, field, in_low, in_high, 0, 1) < 1e-13, "z2z back");
      if (buffered)
        heffte_forward_c2c_buffered(plan, cu, cv, room, Heffte_SCALE_SYMMETRIC);
      else
        heffte_forward_c2c(plan, cu, cv, Heffte_SCALE_SYMMETRIC);
      for (int i = 0; i < out; ++i) v[i] = cv[i];
      expect(largest_error(v, spectrum, out_low, out_high, 1, root) < 1e-4, "c2c");
      if (buffered)
        heffte_backward_c2c_buffered(plan, cv, cv, room, Heffte_SCALE_SYMMETRIC);
      else
        heffte_backward_c2c(plan, cv, cv, Heffte_SCALE_SYMMETRIC);
      for (int i = 0; i < in; ++i) w[i] = cv[i];
      expect(largest_error(w, field, in_low, in_high, 0, 1) < 1e-4, "c2c back in place");
    }
    if (buffered)
      heffte_forward_d2z_buffered(plan, d, v, room, Heffte_SCALE_FULL);
    else
      heffte_forward_d2z(plan, d, v, Heffte_SCALE_FULL);
    expect(largest_error(v, spectrum, out_low, out_high, 1, full) < 1e-13, "d2z");
    if (buffered)
      heffte_backward_z2d_buffered(plan, v, d, room, Heffte_SCALE_NONE);
    else
      heffte_backward_z2d(plan, v, d, Heffte_SCALE_NONE);
    for (int i = 0; i < in; ++i) w[i] = d[i];
    expect(largest_error(w, field, in_low, in_high, 0, 1) < 1e-13, "z2d");
    if (buffered)
      heffte_forward_s2c_buffered(plan, s, cv, room, Heffte_SCALE_NONE);
    else
      heffte_forward_s2c(plan, s, cv, Heffte_SCALE_NONE);
    for (int i = 0; i < out; ++i) v[i] = cv[i];
    expect(largest_error(v, spectrum, out_low, out_high, 1, 1) < 1e-3, "s2c");
    if (buffered)
      heffte_backward_c2s_buffered(plan, cv, s, room, Heffte_SCALE_FULL);
    else
      heffte_backward_c2s(plan, cv, s, Heffte_SCALE_FULL);
    for (int i = 0; i < in; ++i) w[i] = s[i];
    expect(largest_error(w, field, in_low, in_high, 0, 1) < 1e-4, "c2s");
  }
  free(u), free(v), free(w), free(cu), free(cv), free(d), free(s), free(room);
  expect(heffte_plan_destroy(plan) == Heffte_SUCCESS, "destroying a plan");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  sum_all();
  const int n[3] = {nx, ny, nz}, reversed[3] = {2, 1, 0};
  int in_low[3], in_high[3], out_low[3], out_high[3];
  box_of(2, n, in_low, in_high);
  box_of(1, n, out_low, out_high);
  heffte_plan_options options;
  expect(heffte_set_default_options(Heffte_BACKEND_MKL, &options) == Heffte_SUCCESS &&
             heffte_set_default_options(10, &options) == 1,
         "default options");
  heffte_plan plan = NULL;
  expect(heffte_plan_create(Heffte_BACKEND_FFTW, in_low, in_high, NULL, out_low, out_high, reversed,
                            MPI_COMM_WORLD, &options, &plan) == Heffte_SUCCESS,
         "a plan");
  check(plan, 0, in_low, in_high, out_low, out_high);
  for (int direction = 0; direction < 3; ++direction) {
    int half[3] = {nx, ny, nz};
    half[direction] = n[direction] / 2 + 1;
    box_of(0, half, out_low, out_high);
    expect(
        heffte_plan_create_r2c(Heffte_BACKEND_FFTW, in_low, in_high, NULL, out_low, out_high,
                               reversed, direction, MPI_COMM_WORLD, NULL, &plan) == Heffte_SUCCESS,
        "a plan of real numbers");
    check(plan, 1, in_low, in_high, out_low, out_high);
  }
  expect(heffte_plan_create(10, in_low, in_high, NULL, out_low, out_high, NULL, MPI_COMM_WORLD,
                            NULL, &plan) == 1,
         "a backend that is not there");
  expect(heffte_plan_create(Heffte_BACKEND_STOCK, in_low, in_high, NULL, out_low, out_high, NULL,
                            MPI_COMM_WORLD, NULL, &plan) == 2,
         "outboxes of another grid");
  expect(heffte_plan_create_r2c(Heffte_BACKEND_STOCK, in_low, in_high, NULL, out_low, out_high,
                                NULL, -1, MPI_COMM_WORLD, NULL, &plan) == 2,
         "a direction below 0");
  expect(plan == NULL && heffte_plan_destroy(NULL) == 3, "no plan");
  if (me == 0) printf("all is as expected\n");
  MPI_Finalize();
  return 0;
}
