// tests/compat/fftw-mpi/many: many plans, made and destroyed, leave no communicator, no descriptor and no memory once their communicator
// is freed. Argument: how many.
#include <dirent.h>
#include <fftw3-mpi.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, failures = 0;

typedef struct {
  int communicator, descriptors;
  size_t bytes;
} held;

// MPI numbers communicators from the lowest free number on.
static held held_now(void) {
  held now = {0, 0, 0};
  MPI_Comm one;
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  now.communicator = (int)MPI_Comm_c2f(one);
  MPI_Comm_free(&one);
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder) != NULL) ++now.descriptors;
  closedir(folder);
  const struct mallinfo2 memory = mallinfo2();
  now.bytes = memory.uordblks + memory.hblkhd;
  return now;
}

static void some_plans(int count, fftw_complex* a, fftw_complex* b) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < count; ++i) {
    const ptrdiff_t n = 2 + i % 7;
    fftw_complex* const out = i % 2 ? a : b;
    const unsigned flags = FFTW_ESTIMATE | (i % 3 ? FFTW_MPI_TRANSPOSED_OUT : 0);
    const fftw_plan plan = i % 4 == 0   ? fftw_mpi_plan_dft_2d(n + 4, n, a, out, comm, i % 8 ? 1 : -1, flags)
                           : i % 4 == 1 ? fftw_mpi_plan_dft_r2c_3d(n, 4, 6, (double*)a, out, comm, flags)
                           : i % 4 == 2 ? fftw_mpi_plan_transpose(n, 7, (double*)a, (double*)out, comm, FFTW_ESTIMATE)
                                        : fftw_mpi_plan_dft_1d(8 * n, a, out, comm, -1, FFTW_ESTIMATE);
    if (plan == NULL) ++failures;
    if (i % 10 == 0) fftw_execute(plan);
    fftw_destroy_plan(plan);
  }
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fftw_complex* const a = fftw_alloc_complex(1000);
  fftw_complex* const b = fftw_alloc_complex(1000);
  for (int i = 0; i < 1000; ++i) a[i][0] = a[i][1] = b[i][0] = b[i][1] = 0;
  const int plans = argc > 1 ? atoi(argv[1]) : 2000;
  some_plans(100, a, b);
  const held before = held_now();
  some_plans(plans, a, b);
  const held after = held_now();
  if (after.communicator != before.communicator || after.descriptors != before.descriptors || after.bytes > before.bytes + 20000)
    ++failures;
  printf("rank %d: %d failed; communicator %d, then %d; descriptors %d, %d; bytes %zu, %zu\n", rank, failures, before.communicator,
         after.communicator, before.descriptors, after.descriptors, before.bytes, after.bytes);
  fftw_free(a);
  fftw_free(b);
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  fftw_mpi_cleanup();
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
