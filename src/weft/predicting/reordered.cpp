// predicting/reordered: rank 0 searches, and all take their new number.

#include "weft/reordered.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "weft/choose/checked_options.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/duplicates.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/networks/machine_file.hpp"
#include "weft/plan/gathered.hpp"
#include "weft/predicting/placements.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

namespace {

// The processes of each node of the network, nodes in the order of their first process.
struct NodeRanks {
  std::vector<int> nodes;
  std::map<int, std::vector<int>> ranks_of;
};

NodeRanks nodes_with_ranks(const std::vector<std::int64_t>& node_of_rank) {
  NodeRanks found;
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    const int node = static_cast<int>(node_of_rank[rank]);
    std::vector<int>& ranks = found.ranks_of[node];
    if (ranks.empty()) found.nodes.push_back(node);
    ranks.push_back(static_cast<int>(rank));
  }
  const std::size_t first = found.ranks_of[found.nodes.front()].size();
  for (const auto& [node, ranks] : found.ranks_of)
    if (ranks.size() != first)
      throw Error(Error::invalid,
                  fmt::format("node {} has {} processes, and node {} has {}", found.nodes.front(),
                              first, node, ranks.size()),
                  "start equally many processes on each node");
  return found;
}

// What rank 0 finds: the new number of each rank, and what to tell the caller.
struct Found {
  std::vector<std::int64_t> numbers;
  ReorderedRanks told;
};

Found find_order(const Problem& problem, const std::string& name, const NodeRanks& nodes,
                 const Options& options, std::int64_t swaps) {
  MachineModel machine = find_machine(name);
  warn_of_findings(machine);
  const auto& first = nodes.ranks_of.at(nodes.nodes.front());
  machine.ranks_per_node = static_cast<int>(first.size());
  const int ranks = machine.ranks_per_node * static_cast<int>(nodes.nodes.size());
  const Placements placements =
      find_placements(problem, machine, ranks, nodes.nodes, options, swaps);
  const PlacedJob& best = placements.placed.front();
  const auto before =
      std::find_if(placements.placed.begin(), placements.placed.end(),
                   [](const PlacedJob& each) { return each.order.name == "launched"; });
  Found found;
  found.told.order = best.order.name;
  found.told.strategy = to_string(placements.strategy);
  found.told.seconds = best.cost.seconds();
  found.told.seconds_before = before->cost.seconds();
  found.numbers.resize(static_cast<std::size_t>(ranks));
  std::int64_t next = 0;
  for (const int node : best.order.places)
    for (const int rank : nodes.ranks_of.at(node))
      found.numbers[static_cast<std::size_t>(rank)] = next++;
  return found;
}

}  // namespace

ReorderedRanks reordered(MPI_Comm comm, const Problem& problem, const std::string& machine,
                         int node, const Options& options, std::int64_t swaps) {
  const auto ranks = shared_duplicate(comm);
  require_same(
      *ranks,
      [&] {
        return fmt::format("{} on '{}' with {} in {} swaps", to_string(problem), machine,
                           to_string(options), swaps);
      },
      "arguments of reordered");
  Problem known = agree(*ranks, [&] {
    check(options, *ranks);
    if (swaps < -1)
      throw Error(Error::invalid, fmt::format("{} swaps", swaps),
                  "0 or more, or -1 for the default");
    return problem;
  });
  gather_boxes(*ranks, known);
  const std::vector<std::int64_t> node_of_rank = ranks->gather_each(node);
  // Only rank 0 reads the file: others may not have it, or another one of this name.
  Found found = agree(*ranks, [&] {
    const NodeRanks nodes = nodes_with_ranks(node_of_rank);
    return ranks->rank() == 0 ? find_order(known, machine, nodes, options, swaps) : Found();
  });
  agree(*ranks, [&] { found.numbers.resize(node_of_rank.size()); });
  ranks->broadcast(found.numbers.data(), narrow(std::int64_t{8} * ranks->size()), 0);
  found.told.order = ranks->broadcast(found.told.order, 0);
  found.told.strategy = ranks->broadcast(found.told.strategy, 0);
  double seconds[] = {found.told.seconds_before, found.told.seconds};
  ranks->broadcast(seconds, sizeof seconds, 0);
  found.told.seconds_before = seconds[0];
  found.told.seconds = seconds[1];
  const auto mine = static_cast<int>(found.numbers[static_cast<std::size_t>(ranks->rank())]);
  found.told.comm = renumbered(comm, mine);
  return std::move(found.told);
}

}  // namespace weft
