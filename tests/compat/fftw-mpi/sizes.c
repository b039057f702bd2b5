// tests/compat/fftw-mpi/sizes: every local_size of weft's is FFTW-MPI's, which is loaded beside it, on every rank of up to 13 ranks. The
// program answers for MPI who and how many it is, so that one process asks for all of them. Arguments: FFTW-MPI's libraries.
#include <dlfcn.h>
#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

int MPI_Comm_rank(MPI_Comm comm, int* answer) {
  (void)comm;
  *answer = rank;
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int* answer) {
  (void)comm;
  *answer = ranks;
  return MPI_SUCCESS;
}

// All local_size functions are made of these two, in FFTW-MPI as here.
typedef ptrdiff_t many_transposed(int, const ptrdiff_t*, ptrdiff_t, ptrdiff_t, ptrdiff_t, MPI_Comm, ptrdiff_t*, ptrdiff_t*, ptrdiff_t*,
                                  ptrdiff_t*);
typedef ptrdiff_t many_1d(ptrdiff_t, ptrdiff_t, MPI_Comm, int, unsigned, ptrdiff_t*, ptrdiff_t*, ptrdiff_t*, ptrdiff_t*);

typedef struct {
  many_transposed* many;
  many_1d* line;
} functions;

static long differences = 0, comparisons = 0;

static void compare(const ptrdiff_t* ours, const ptrdiff_t* theirs, const char* what, const ptrdiff_t* n, ptrdiff_t howmany,
                    ptrdiff_t block0, ptrdiff_t block1) {
  ++comparisons;
  if (memcmp(ours, theirs, 5 * sizeof *ours) == 0) return;
  if (++differences > 10) return;
  printf("%s %tdx%tdx%td howmany %td blocks %td %td, rank %d of %d:", what, n[0], n[1], n[2], howmany, block0, block1, rank, ranks);
  for (int i = 0; i < 5; ++i) printf(" %td(%td)", ours[i], theirs[i]);
  printf("\n");
}

static void compare_many(functions a, functions b, int rnk, const ptrdiff_t* n, ptrdiff_t howmany, ptrdiff_t block0,
                         ptrdiff_t block1) {
  ptrdiff_t x[5], y[5];
  x[0] = a.many(rnk, n, howmany, block0, block1, MPI_COMM_WORLD, x + 1, x + 2, x + 3, x + 4);
  y[0] = b.many(rnk, n, howmany, block0, block1, MPI_COMM_WORLD, y + 1, y + 2, y + 3, y + 4);
  compare(x, y, "many", n, howmany, block0, block1);
}

static void compare_line(functions a, functions b, ptrdiff_t points, ptrdiff_t howmany, int sign, unsigned flags) {
  ptrdiff_t x[5], y[5];
  const ptrdiff_t n[] = {points, 1, 1};
  x[0] = a.line(points, howmany, MPI_COMM_WORLD, sign, flags, x + 1, x + 2, x + 3, x + 4);
  y[0] = b.line(points, howmany, MPI_COMM_WORLD, sign, flags, y + 1, y + 2, y + 3, y + 4);
  compare(x, y, sign < 0 ? "1d" : "1d back", n, howmany, flags >> 27, 0);
}

static void compare_fields(functions a, functions b) {
  static const ptrdiff_t howmany[] = {1, 2, 7};
  for (ptrdiff_t n0 = 1; n0 <= 14; ++n0)
    for (ptrdiff_t n1 = 1; n1 <= 14; ++n1)
      for (int h = 0; h < 3; ++h) {
        const ptrdiff_t n[] = {n0, n1, 1 + (n0 + n1) % 3};
        for (ptrdiff_t block0 = 0; block0 <= n0 + 1; block0 += 1 + n0 / 3)
          for (ptrdiff_t block1 = 0; block1 <= n1 + 1; block1 += 1 + n1 / 3) {
            compare_many(a, b, 2, n, howmany[h], block0, block1);
            compare_many(a, b, 3, n, howmany[h], block0, block1);
          }
      }
  const ptrdiff_t none[] = {1, 1, 1};
  compare_many(a, b, 0, none, 3, 0, 0);
}

static void compare_lines(functions a, functions b) {
  static const ptrdiff_t howmany[] = {1, 2, 5, 20};
  static const unsigned flags[] = {0, FFTW_MPI_SCRAMBLED_IN, FFTW_MPI_SCRAMBLED_OUT,
                                   FFTW_MPI_SCRAMBLED_IN | FFTW_MPI_SCRAMBLED_OUT};
  for (ptrdiff_t n = 1; n <= 200; ++n)
    for (int h = 0; h < 4; ++h)
      for (int f = 0; f < 4; ++f)
        for (int sign = -1; sign <= 1; sign += 2) compare_line(a, b, n, howmany[h], sign, flags[f]);
}

static functions functions_in(const char* library, const char* many, const char* line) {
  void* const loaded = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (loaded == NULL) {
    printf("%s\n", dlerror());
    exit(1);
  }
  return (functions){(many_transposed*)dlsym(loaded, many), (many_1d*)dlsym(loaded, line)};
}

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  const functions ours[] = {{fftw_mpi_local_size_many_transposed, fftw_mpi_local_size_many_1d},
                            {fftwf_mpi_local_size_many_transposed, fftwf_mpi_local_size_many_1d}};
  const functions theirs[] = {
      functions_in(argv[1], "fftw_mpi_local_size_many_transposed", "fftw_mpi_local_size_many_1d"),
      functions_in(argv[2], "fftwf_mpi_local_size_many_transposed", "fftwf_mpi_local_size_many_1d")};
  for (ranks = 1; ranks <= 13; ++ranks)
    for (rank = 0; rank < ranks; ++rank) {
      const int precision = rank % 2;
      compare_fields(ours[precision], theirs[precision]);
      compare_lines(ours[precision], theirs[precision]);
    }
  printf("%ld of %ld sizes differ\n", differences, comparisons);
  return differences == 0 && comparisons > 100000 ? 0 : 1;
}
