// comm/nodes: asks MPI which ranks can share memory.

#include "weft/comm/nodes.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numeric>

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"
#include "weft/comm/agreement.hpp"

namespace weft {

namespace {

// The nodes of a simulation or the pretended ones, if there are any. Not collective.
std::vector<int> stated_nodes(int ranks, const std::vector<int>& pretend) {
  std::vector<int> nodes(static_cast<std::size_t>(ranks));
  if (is_simulated) {
    // Simulated ranks take turns, so none may wait for another in shared memory.
    if (std::any_of(pretend.begin(), pretend.end(), [](int size) { return size > 1; }))
      throw Error(Error::unsupported,
                  "a simulation has one rank per node, but a larger node size was given",
                  "omit --node-size and WEFT_NODE_SIZE in a build for SimGrid");
    std::iota(nodes.begin(), nodes.end(), 0);
    return nodes;
  }
  if (pretend.empty()) return nodes;
  int node = 0, room = pretend.front();
  for (int& of_rank : nodes) {
    if (room == 0) room = pretend[static_cast<std::size_t>(++node) % pretend.size()];
    of_rank = node;
    --room;
  }
  return nodes;
}

}  // namespace

std::vector<int> nodes_of_ranks(const Communicator& comm, const std::vector<int>& pretend) {
  find_machines(comm);
  return agree(comm, [&] { return known_nodes(comm, pretend); });
}

void find_machines(const Communicator& comm) {
  if (!is_simulated) comm.on_this_machine();
}

std::vector<int> known_nodes(const Communicator& comm, const std::vector<int>& pretend) {
  if (is_simulated || comm.is_alone() || !pretend.empty())
    return stated_nodes(comm.size(), pretend);
  return comm.machine_of_rank();
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

std::vector<int> asked_node_sizes(const std::vector<int>& asked) {
  for (const int size : asked)
    if (size < 1)
      throw Error(Error::invalid, fmt::format("the node size is {} ranks", size),
                  "give at least 1 rank per node");
  return asked.empty() ? node_sizes_of_environment() : asked;
}

std::vector<int> agreed_node_sizes(const Communicator& comm, const std::vector<int>& asked) {
  std::vector<int> sizes;
  const auto text = [&] {
    sizes = asked_node_sizes(asked);
    return fmt::format("{}", fmt::join(sizes, ","));
  };
  require_same(comm, text, node_sizes_name);
  return sizes;
}

}  // namespace weft
