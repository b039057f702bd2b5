/* compat/fftmpi/in_c: a program in C that uses fftMPI's functions as its manual shows them,
 * compared with direct sums; for both precisions. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "direct_sum.h"
#include "fft2d_wrap.h"
#include "fft3d_wrap.h"
#include "remap2d_wrap.h"
#include "remap3d_wrap.h"

#ifdef FFT_SINGLE
static const int precision = 1;
static const double epsilon = 6e-8;
#else
static const int precision = 2;
static const double epsilon = 2.3e-16;
#endif
static int rank, ranks, wrong = 0, checks = 0;

static void expect(int is_right, const char* what) {
  ++checks;
  if (!is_right && ++wrong < 5) printf("rank %d of %d: %s\n", rank, ranks, what);
}

static void expect_near(double found, double wanted, double tolerance, const char* what) {
  expect(fabs(found - wanted) <= tolerance, what);
}

static FFT_SCALAR* filled(const int* n, const int* in, int axes, int fftsize) {
  FFT_SCALAR* array = (FFT_SCALAR*)calloc(2 * (size_t)fftsize + 1, sizeof(FFT_SCALAR));
  FOR_POINTS(n, in, 0, axes)
  for (int part = 0; part < 2; ++part) array[2 * place + part] = (FFT_SCALAR)value_at(point, part);
  return array;
}

static void expect_values(const FFT_SCALAR* array, const int* n, const int* bounds, int permute,
                          int axes, const long double* wanted, double tolerance, const char* what) {
  FOR_POINTS(n, bounds, permute, axes)
  for (int part = 0; part < 2; ++part)
    expect_near(array[2 * place + part],
                wanted ? (double)wanted[2 * point + part] : value_at(point, part), tolerance, what);
}

static void check_keywords(void* fft) {
  int length = -1;
  const char* const text = fft3d_get_string(fft, "precision", &length);
  expect(text && strcmp(text, precision == 1 ? "single" : "double") == 0 && length == 6,
         "precision");
  expect(fft3d_get_string(fft, "fft1d", &length) && length > 0, "fft1d");
  expect(fft3d_get_string(fft, "none", &length) == NULL, "a string without a name");
  expect(fft3d_get_int(fft, "collective") == 1 && fft3d_get_int(fft, "exchange") == 1, "settings");
  expect(fft3d_get_int(fft, "pack") == 0 && fft3d_get_int(fft, "none") == -1, "other integers");
  expect(fft3d_get_int64(fft, "memusage") >= 0 && fft3d_get_int64(fft, "none") == -1, "memusage");
  expect(fft3d_get_double(fft, "none") == -1, "a real number without a name");
  expect(fft3d_get_int(fft, "npfast1") == 1 && fft3d_get_int(fft, "npmid2") == 1, "process grids");
  expect(fft3d_get_int_vector(fft, "none", &length) == NULL, "integers without a name");
  expect(fft3d_get_double_vector(fft, "none", &length) == NULL, "numbers without a name");
}

static void check_three_axes(int in_division, int out_division, int permute, int tuned) {
  const int n[3] = {5, 9, 7};
  int in[6], out[6], fftsize, sendsize, recvsize, length;
  void* fft;
  bounds_of(in_division, n, rank, ranks, in);
  bounds_of(out_division, n, rank, ranks, out);
  fft3d_create(MPI_COMM_WORLD, precision, &fft);
  fft3d_set(fft, "collective", 1);
  fft3d_set(fft, "exchange", 1);
  fft3d_set(fft, "pack", 0);
  fft3d_set(fft, "memory", 0);
  if (tuned)
    fft3d_tune(fft, n[0], n[1], n[2], in[0], in[1], in[2], in[3], in[4], in[5], out[0], out[1],
               out[2], out[3], out[4], out[5], permute, &fftsize, &sendsize, &recvsize, 1, 2, 0.04,
               1);
  else
    fft3d_setup(fft, n[0], n[1], n[2], in[0], in[1], in[2], in[3], in[4], in[5], out[0], out[1],
                out[2], out[3], out[4], out[5], permute, &fftsize, &sendsize, &recvsize);
  FFT_SCALAR* send = (FFT_SCALAR*)malloc(((size_t)sendsize + 1) * sizeof(FFT_SCALAR));
  FFT_SCALAR* receive = (FFT_SCALAR*)malloc(((size_t)recvsize + 1) * sizeof(FFT_SCALAR));
  fft3d_setup_memory(fft, send, receive);
  check_keywords(fft);
  if (tuned) {
    expect(fft3d_get_int(fft, "ntrial") == 1, "ntrial");
    expect(fft3d_get_double(fft, "setuptime") > 0, "setuptime");
    const int* const flags = fft3d_get_int_vector(fft, "cflags", &length);
    expect(length == 1 && flags[0] == 1, "cflags");
    const double* const times = fft3d_get_double_vector(fft, "tremap4", &length);
    expect(length == 1 && times[0] > 0, "tremap4");
  }
  FFT_SCALAR* const array = filled(n, in, 3, fftsize);
  long double* const wanted = direct_sum(n, -1);
  fft3d_compute(fft, array, array, 1);
  expect_values(array, n, out, permute, 3, wanted, epsilon * 20000, "fft3d_compute forward");
  fft3d_compute(fft, array, array, -1);
  expect_values(array, n, in, 0, 3, NULL, epsilon * 2000, "fft3d_compute back");
  fft3d_only_remaps(fft, array, array, 1);
  expect_values(array, n, out, permute, 3, NULL, epsilon * 2000, "fft3d_only_remaps");
  for (int which = 4; which >= 1; --which) fft3d_only_one_remap(fft, array, array, -1, which);
  expect_values(array, n, in, 0, 3, NULL, epsilon * 2000, "fft3d_only_one_remap");
  fft3d_only_1d_ffts(fft, array, 1);
  free(wanted);
  free(array);
  free(send);
  free(receive);
  fft3d_destroy(fft);
}

static void check_two_axes(int permute) {
  const int n[3] = {13, 6, 1};
  int in[6], out[6], fftsize, sendsize, recvsize;
  void* fft;
  bounds_of(UNEVEN_FAST, n, rank, ranks, in);
  bounds_of(UNEVEN_MID, n, rank, ranks, out);
  fft2d_create(MPI_COMM_WORLD, precision, &fft);
  fft2d_set(fft, "scale", 1);
  fft2d_setup(fft, n[0], n[1], in[0], in[1], in[2], in[3], out[0], out[1], out[2], out[3], permute,
              &fftsize, &sendsize, &recvsize);
  FFT_SCALAR *const array = filled(n, in, 2, fftsize), *const spectrum = filled(n, in, 2, fftsize);
  long double* const wanted = direct_sum(n, -1);
  fft2d_compute(fft, array, spectrum, 1);
  expect_values(spectrum, n, out, permute, 2, wanted, epsilon * 5000, "fft2d_compute forward");
  fft2d_compute(fft, spectrum, array, -1);
  expect_values(array, n, in, 0, 2, NULL, epsilon * 500, "fft2d_compute back");
  fft2d_only_1d_ffts(fft, spectrum, -1);
  for (int which = 1; which <= 3; ++which) fft2d_only_one_remap(fft, array, array, 1, which);
  fft2d_only_remaps(fft, array, array, -1);
  expect_values(array, n, in, 0, 2, NULL, epsilon * 500, "fft2d_only_one_remap and back");
  expect(fft2d_get_int(fft, "npfast1") == 1 && fft2d_get_int(fft, "npslow2") == 1, "grids");
  free(wanted);
  free(array);
  free(spectrum);
  fft2d_destroy(fft);
}

static void check_remaps(int nqty) {
  const int n[3] = {4, 7, 5};
  int in[6], out[6], sendsize, recvsize;
  void* remap;
  bounds_of(PENCILS, n, rank, ranks, in);
  bounds_of(UNEVEN_MID, n, rank, ranks, out);
  remap3d_create(MPI_COMM_WORLD, &remap);
  remap3d_set(remap, "collective", 0);
  remap3d_setup(remap, in[0], in[1], in[2], in[3], in[4], in[5], out[0], out[1], out[2], out[3],
                out[4], out[5], nqty, 1, 1, &sendsize, &recvsize);
  expect(sendsize == nqty * points_in(in) && recvsize == nqty * points_in(out), "sizes of a remap");
  FFT_SCALAR* array = (FFT_SCALAR*)calloc((size_t)(sendsize + recvsize + 1), sizeof(FFT_SCALAR));
  FOR_POINTS(n, in, 0, 3)
  for (int q = 0; q < nqty; ++q) array[nqty * place + q] = (FFT_SCALAR)(nqty * point + q);
  remap3d_remap(remap, array, array, NULL, NULL);
  FOR_POINTS(n, out, 1, 3)
  for (int q = 0; q < nqty; ++q)
    expect_near(array[nqty * place + q], (double)(nqty * point + q), 0, "remap3d_remap");
  free(array);
  remap3d_destroy(remap);

  const int flat[3] = {8, 5, 1};
  bounds_of(UNEVEN_FAST, flat, rank, ranks, in);
  bounds_of(UNEVEN_MID, flat, rank, ranks, out);
  remap2d_create(MPI_COMM_WORLD, &remap);
  remap2d_setup(remap, in[0], in[1], in[2], in[3], out[0], out[1], out[2], out[3], nqty, 1, 1,
                &sendsize, &recvsize);
  array = (FFT_SCALAR*)calloc((size_t)(sendsize + recvsize + 1), sizeof(FFT_SCALAR));
  FOR_POINTS(flat, in, 0, 2)
  for (int q = 0; q < nqty; ++q) array[nqty * place + q] = (FFT_SCALAR)(nqty * point + q);
  remap2d_remap(remap, array, array, NULL, NULL);
  FOR_POINTS(flat, out, 1, 2)
  for (int q = 0; q < nqty; ++q)
    expect_near(array[nqty * place + q], (double)(nqty * point + q), 0, "remap2d_remap");
  free(array);
  remap2d_destroy(remap);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check_three_axes(PENCILS, UNEVEN_FAST, 2, 0);
  check_three_axes(ON_LAST_RANK, UNEVEN_MID, 1, 1);
  check_two_axes(0);
  check_two_axes(1);
  check_remaps(1);
  check_remaps(3);
  int all = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d checks on rank 0, %d wrong\n", checks, all);
  MPI_Finalize();
  return all == 0 && checks > 0 ? 0 : 1;
}
