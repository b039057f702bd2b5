// comm/nodes: asks MPI which ranks can share memory.

#include "weft/comm/nodes.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numeric>

#include "weft/base/error.hpp"
#include "weft/base/simulation.hpp"
#include "weft/comm/agreement.hpp"

namespace weft {

std::vector<int> nodes_of_ranks(const Communicator& comm, const std::vector<int>& pretend) {
  std::vector<int> nodes(static_cast<std::size_t>(comm.size()));
  if (is_simulated) {
    // Simulated ranks take turns, so none may wait for another in shared memory.
    if (std::any_of(pretend.begin(), pretend.end(), [](int size) { return size > 1; }))
      throw Error(Error::unsupported,
                  "a simulation has one rank per node, but a larger node size was given",
                  "omit --node-size and WEFT_NODE_SIZE in a build for SimGrid");
    std::iota(nodes.begin(), nodes.end(), 0);
    return nodes;
  }
  if (!pretend.empty()) {
    int node = 0, room = pretend.front();
    for (int& of_rank : nodes) {
      if (room == 0) room = pretend[static_cast<std::size_t>(++node) % pretend.size()];
      of_rank = node;
      --room;
    }
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

std::vector<int> parse_node_sizes(const std::string& text, const std::string& what) {
  std::vector<int> sizes;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int size = 0;
    const auto [next, status] = std::from_chars(at, end, size);
    if (status != std::errc{} || size < 1 || (next != end && *next != ','))
      throw Error(Error::invalid, fmt::format("{} is '{}'", what, text),
                  "give the number of ranks per node: 2, or 1,3 for uneven nodes");
    sizes.push_back(size);
    if (next == end) return sizes;
    at = next + 1;
  }
}

std::vector<int> node_sizes_of_environment() {
  const char* text = std::getenv("WEFT_NODE_SIZE");
  return text == nullptr ? std::vector<int>{} : parse_node_sizes(text, "WEFT_NODE_SIZE");
}

std::vector<int> agreed_node_sizes(const Communicator& comm, const std::vector<int>& asked) {
  std::vector<int> sizes = agree(comm, [&] {
    for (const int size : asked)
      if (size < 1)
        throw Error(Error::invalid, fmt::format("the node size is {} ranks", size),
                    "give at least 1 rank per node");
    return asked.empty() ? node_sizes_of_environment() : asked;
  });
  require_same(comm, fmt::format("{}", fmt::join(sizes, ",")), "node size (WEFT_NODE_SIZE)");
  return sizes;
}

}  // namespace weft
