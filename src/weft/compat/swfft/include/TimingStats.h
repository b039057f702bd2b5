// TimingStats.h: the extremes, the mean and the deviation of seconds over ranks, which rank 0
// prints.
#ifndef WEFT_SWFFT_TIMING_STATS_H
#define WEFT_SWFFT_TIMING_STATS_H

#include <mpi.h>

#include <cmath>
#include <cstdio>

inline void printTimingStats(MPI_Comm comm, const char* preamble, double dt) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  double most = 0, least = 0, sum = 0, squares = 0;
  MPI_Allreduce(&dt, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
  MPI_Allreduce(&dt, &least, 1, MPI_DOUBLE, MPI_MIN, comm);
  MPI_Allreduce(&dt, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  const double mean = sum / ranks, square = (dt - mean) * (dt - mean);
  MPI_Allreduce(&square, &squares, 1, MPI_DOUBLE, MPI_SUM, comm);
  if (rank == 0)
    std::printf("%s  max %.3es  avg %.3es  min %.3es  dev %.3es\n", preamble, most, mean, least,
                std::sqrt(squares / ranks));
}

#endif
