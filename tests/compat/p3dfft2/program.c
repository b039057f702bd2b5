// program: transforms a wave with P3DFFT from C, and finds it where it belongs.
#include <math.h>
#include <mpi.h>
#include <p3dfft.h>
#include <stdio.h>
#include <string.h>

enum { nx = 9, ny = 8, nz = 10 };

#ifdef SINGLE_PREC
typedef float number;
#define NUMBER MPI_FLOAT
static const double enough = 2e-4;
#else
typedef double number;
#define NUMBER MPI_DOUBLE
static const double enough = 1e-12;
#endif

static const double pi = 3.14159265358979323846;

// A wave of 1 along x, 2 along y and 3 along z, with a phase.
static double wave(int x, int y, int z) {
  return cos(2 * pi * (1.0 * x / nx + 2.0 * y / ny + 3.0 * z / nz) + 0.5);
}

// The element of the spectrum at (x, y, z), of this rank's, or -1.
static long place(const int* start, const int* end, const int* size, int x, int y, int z) {
#ifdef STRIDE1
  const int at[3] = {z + 1, y + 1, x + 1};
#else
  const int at[3] = {x + 1, y + 1, z + 1};
#endif
  for (int i = 0; i < 3; ++i)
    if (at[i] < start[i] || at[i] > end[i]) return -1;
  return (at[0] - start[0]) +
         (long)size[0] * ((at[1] - start[1]) + (long)size[1] * (at[2] - start[2]));
}

// The largest difference from what the spectrum of the wave is.
static double error_of(const number* v, const int* start, const int* end, const int* size,
                       double factor) {
  double most = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx / 2 + 1; ++x) {
        const long at = place(start, end, size, x, y, z);
        const int is_wave = x == 1 && y == 2 && z == 3;
        const double half = is_wave ? factor * nx * ny * nz / 2.0 : 0;
        if (at >= 0)
          most = fmax(most, hypot(v[2 * at] - half * cos(0.5), v[2 * at + 1] - half * sin(0.5)));
      }
  return most;
}

static int check(const char* what, double error) {
  double most = 0;
  MPI_Allreduce(&error, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%s: %.2e\n", what, most);
  return most < enough ? 0 : 1;
}

int main(int argc, char** argv) {
  unsigned char forward[] = "fft", backward[] = "tff", wrong[] = "fcf";
  int dims[2] = {0, 0}, start[3], end[3], size[3], from[3], to[3], points[3], memsize[3], ranks = 1,
      failed = 0;
  double timers[12];
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  Cset_timers();
  MPI_Comm mine;  // is not needed after the setup
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &mine);
  Cp3dfft_setup(dims, nx, ny, nz, MPI_Comm_c2f(mine), nx, ny, nz, 0, memsize);
  MPI_Comm_free(&mine);
  Cp3dfft_get_dims(from, to, points, 1);
  Cp3dfft_get_dims(start, end, size, 2);
  const int n = points[0] * points[1] * points[2], waves = size[0] * size[1] * size[2];
  number* u = calloc((size_t)(2 * n + 1), sizeof(number));
  number* w = calloc((size_t)(2 * n + 1), sizeof(number));
  number* v = calloc((size_t)(4 * waves + 1), sizeof(number));
  long at = 0;
  for (int z = from[2]; z <= to[2]; ++z)
    for (int y = from[1]; y <= to[1]; ++y)
      for (int x = from[0]; x <= to[0]; ++x, ++at) {
        u[at] = (number)wave(x - 1, y - 1, z - 1);
        u[n + at] = -3 * u[at];
      }
  if (argc > 1 && strcmp(argv[1], "refused") == 0) Cp3dfft_ftran_r2c(u, v, wrong);
  Cp3dfft_ftran_r2c(u, v, forward);
  failed += check("forward", error_of(v, start, end, size, 1));
  Cp3dfft_btran_c2r(v, w, backward);
  double most = 0;
  for (long i = 0; i < n; ++i) most = fmax(most, fabs(w[i] / (nx * ny * nz) - u[i]));
  failed += check("back", most);
  Cp3dfft_ftran_r2c_many(u, n, v, waves, 2, forward);
  failed += check("the second of two", error_of(v + 2 * waves, start, end, size, -3));
  Cp3dfft_btran_c2r_many(v, waves, w, n, 2, backward);
  most = 0;
  for (long i = 0; i < 2 * n; ++i) most = fmax(most, fabs(w[i] / (nx * ny * nz) - u[i]));
  failed += check("two back", most);
  get_timers(timers);
  if (!(timers[4] > 0 && timers[5] > 0)) ++failed;
  Cp3dfft_clean();
  free(u);
  free(v);
  free(w);
  MPI_Finalize();
  return failed;
}
