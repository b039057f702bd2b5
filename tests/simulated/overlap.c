// tests/simulated/overlap: rank 0 sends a megabyte to rank 1 while both compute; prints what each
// step took, in simulated microseconds: posting, computing without a call of MPI, waiting; and then
// how long polling took.
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>

static char data[1000000];

static MPI_Request post(int rank) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Irecv(data, sizeof data, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
  if (rank == 0) MPI_Isend(data, sizeof data, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
  return request;
}

int main(int argc, char** argv) {
  int rank = 0, is_done = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double begin = MPI_Wtime();
  MPI_Request request = post(rank);
  const double posted = MPI_Wtime();
  smpi_execute_benched(700e-6);
  const double computed = MPI_Wtime();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const double waited = MPI_Wtime();

  request = post(rank);
  const double polls_from = MPI_Wtime();
  while (rank < 2 && !is_done) MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
  const double polled = MPI_Wtime();
  if (rank < 2)
    printf("%d %.3f %.3f %.3f %.3f\n", rank, 1e6 * (posted - begin), 1e6 * (computed - posted),
           1e6 * (waited - computed), 1e6 * (polled - polls_from));
  MPI_Finalize();
  return 0;
}
