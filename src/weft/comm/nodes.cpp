// comm/nodes: asking MPI who can share memory.

#include "weft/comm/nodes.hpp"

#include <algorithm>

namespace weft {

std::vector<int> nodes_of_ranks(const Communicator& comm, int pretend) {
  std::vector<int> nodes(static_cast<std::size_t>(comm.size()));
  if (pretend > 0) {
    for (int rank = 0; rank < comm.size(); ++rank)
      nodes[static_cast<std::size_t>(rank)] = rank / pretend;
    return nodes;
  }
  MPI_Comm shared = MPI_COMM_NULL;
  check_mpi(
      MPI_Comm_split_type(comm.handle(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &shared),
      "MPI_Comm_split_type");
  int lowest = comm.rank();
  check_mpi(MPI_Bcast(&lowest, 1, MPI_INT, 0, shared), "MPI_Bcast");
  check_mpi(MPI_Comm_free(&shared), "MPI_Comm_free");
  const auto lowest_of = comm.gather_all({lowest});
  std::vector<std::int64_t> leaders;
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    const std::int64_t leader = lowest_of[rank].front();
    auto found = std::find(leaders.begin(), leaders.end(), leader);
    if (found == leaders.end()) found = leaders.insert(leaders.end(), leader);
    nodes[rank] = static_cast<int>(found - leaders.begin());
  }
  return nodes;
}

}  // namespace weft
