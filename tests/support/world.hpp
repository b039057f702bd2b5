// support/world: the rank and the number of ranks of this test.
#pragma once

#include <mpi.h>

namespace weft::test {

inline int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int ranks_of_world() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

}  // namespace weft::test
