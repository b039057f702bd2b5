// planning/placed: calls the user's function and checks its results.

#include "weft/planning/placed.hpp"

#include <algorithm>

#include "weft/grid/rank_list.hpp"

namespace weft {

void check(const Placement& placement) {
  if (placement.pieces < 0 || placement.pieces > most_listed_ranks)
    throw Error(Error::invalid, fmt::format("a placement has {} pieces", placement.pieces),
                fmt::format("give 1 to {} pieces, or 0 for one piece per rank", most_listed_ranks));
  if (placement.pieces > 0 && !placement.is_given())
    throw Error(Error::invalid,
                fmt::format("a placement has {} pieces, but no function that gives their ranks",
                            placement.pieces),
                "set Placement::rank_of");
}

ProcessGrid placed(const Dims& parts, const Placement& placement, int ranks) {
  ProcessGrid grid{parts};
  if (!placement.is_given()) return grid;
  std::vector<int> owners;
  for (std::int64_t piece = 0; piece < grid.count(); ++piece) {
    const Dims at = grid.coordinates(piece);
    owners.push_back(placement.rank_of(parts, at));
    if (owners.back() < 0 || owners.back() >= ranks)
      throw Error(Error::invalid,
                  fmt::format("piece ({}) of {} is placed on rank {}, but there {} {} rank{}",
                              fmt::join(at.begin(), at.end(), ","), to_string(parts), owners.back(),
                              ranks == 1 ? "is" : "are", ranks, ranks == 1 ? "" : "s"),
                  fmt::format("return a rank from 0 to {}", ranks - 1));
  }
  return ProcessGrid::placed(parts, std::move(owners));
}

std::vector<int> slab_owners(int axes, const Placement& placement, int ranks) {
  if (!placement.is_given()) return {};
  Dims parts = Dims::filled(axes, 1);
  parts[0] = placement.pieces_among(ranks);
  const ProcessGrid slabs = placed(parts, placement, ranks);
  std::vector<int> owners;
  for (std::int64_t piece = 0; piece < slabs.count(); ++piece) owners.push_back(slabs.owner(piece));
  if (is_consecutive(owners, ranks)) owners.clear();
  return owners;
}

Placement one_piece_on(std::vector<int> ranks) {
  const int pieces = static_cast<int>(ranks.size());
  return {pieces, [ranks = std::move(ranks)](const Dims& grid, const Dims& piece) {
            return ranks[static_cast<std::size_t>(ProcessGrid{grid}.piece(piece))];
          }};
}

std::vector<int> ranks_on_fewest_nodes(int count, const Machine& machine) {
  if (count < 1 || count > machine.ranks)
    throw Error(Error::invalid,
                fmt::format("{} ranks were asked to compute, but there {} {}", count,
                            machine.ranks == 1 ? "is" : "are", machine.ranks),
                fmt::format("give 1 to {} ranks, or 0 for all", machine.ranks));
  std::vector<std::vector<int>> nodes(static_cast<std::size_t>(machine.nodes()));
  for (int rank = 0; rank < machine.ranks; ++rank)
    nodes[static_cast<std::size_t>(machine.node(rank))].push_back(rank);
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  std::vector<int> chosen;
  for (const auto& members : nodes)
    for (const int rank : members)
      if (static_cast<int>(chosen.size()) < count) chosen.push_back(rank);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace weft
