// cli/place/rank_file: one function for each launcher.

#include "weft/cli/place/rank_file.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/ensure.hpp"

namespace weft::cli {

namespace {

int node_of(const PlacedRanks& ranks, int rank) {
  return ranks.places[static_cast<std::size_t>(rank / ranks.machine.ranks_per_node)];
}

const std::string& host_of(const PlacedRanks& ranks, int rank) {
  return ranks.hosts[static_cast<std::size_t>(node_of(ranks, rank))];
}

// The cores of a rank: the ranks of a node have equally many, or take turns. Open MPI binds a rank
// to them, with all of its threads, and aborts where there is no such core.
std::string slots_of(const MachineModel& machine, int rank) {
  const int cores = machine.cores_per_node / machine.ranks_per_node;
  const int place = rank % machine.ranks_per_node;
  if (cores <= 1) return fmt::format("{}", place % machine.cores_per_node);
  return fmt::format("{}-{}", place * cores, (place + 1) * cores - 1);
}

std::string openmpi_text(const PlacedRanks& ranks) {
  std::string text;
  for (int rank = 0; rank < ranks.ranks; ++rank)
    text += fmt::format("rank {}={} slot={}\n", rank, host_of(ranks, rank),
                        slots_of(ranks.machine, rank));
  return text;
}

std::string mpich_text(const PlacedRanks& ranks) {
  std::string text;
  const int per_node = ranks.machine.ranks_per_node;
  for (int rank = 0; rank < ranks.ranks; rank += per_node)
    text += fmt::format("{}:{}\n", host_of(ranks, rank), std::min(per_node, ranks.ranks - rank));
  return text;
}

std::string slurm_text(const PlacedRanks& ranks) {
  std::string text;
  for (int rank = 0; rank < ranks.ranks; ++rank) text += host_of(ranks, rank) + "\n";
  return text;
}

// The ranks in the order of the nodes, as their launcher fills them: each but the last one.
std::string cray_text(const PlacedRanks& ranks) {
  const int rest = ranks.ranks % ranks.machine.ranks_per_node,
            last = node_of(ranks, ranks.ranks - 1);
  if (rest != 0)
    for (int rank = 0; rank < ranks.ranks; ++rank)
      if (node_of(ranks, rank) > last)
        throw Error(Error::invalid,
                    fmt::format("the launcher fills nodes in order, but this order has {} ranks on "
                                "node {}, and {} on node {}",
                                rest, last, ranks.machine.ranks_per_node, node_of(ranks, rank)),
                    fmt::format("ask for a multiple of {} ranks", ranks.machine.ranks_per_node));
  std::vector<int> order(static_cast<std::size_t>(ranks.ranks));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return node_of(ranks, a) < node_of(ranks, b); });
  return fmt::format("{}\n", fmt::join(order, ","));
}

std::string torus_text(const PlacedRanks& ranks) {
  const auto* torus = std::get_if<Torus>(&ranks.machine.network);
  if (torus == nullptr)
    throw Error(Error::invalid,
                fmt::format("the network of '{}' is a {}, not a torus", shown_name(ranks.machine),
                            to_string(ranks.machine.network)),
                "use another form");
  std::string text;
  for (int rank = 0; rank < ranks.ranks; ++rank) {
    int rest = node_of(ranks, rank);
    for (const int extent : torus->extents) {
      text += fmt::format("{} ", rest % extent);
      rest /= extent;
    }
    text += fmt::format("{}\n", rank % ranks.machine.ranks_per_node);
  }
  return text;
}

}  // namespace

const std::vector<RankFileEntry>& rank_files() {
  static const std::vector<RankFileEntry> all{
      {"openmpi", "mpiexec --rankfile FILE of Open MPI", openmpi_text},
      {"mpich", "mpiexec -f FILE of MPICH, whose ranks fill the hosts in order", mpich_text},
      {"slurm", "SLURM_HOSTFILE=FILE srun -m arbitrary", slurm_text},
      {"cray", "MPICH_RANK_REORDER_METHOD=3, as the file MPICH_RANK_ORDER", cray_text},
      {"torus", "a map of the coordinates of every rank, and its place in the node", torus_text}};
  return all;
}

const RankFileEntry& find_rank_file(const std::string& name) {
  std::vector<std::string> known;
  for (const RankFileEntry& entry : rank_files()) {
    if (name == entry.name) return entry;
    known.emplace_back(entry.name);
  }
  throw Error(Error::invalid, fmt::format("there is no form '{}' of rank files", name),
              fmt::format("one of: {}", fmt::join(known, ", ")));
}

}  // namespace weft::cli
