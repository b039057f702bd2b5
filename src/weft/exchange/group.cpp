// exchange/group: connected ranks of a redistribution.

#include "weft/exchange/group.hpp"

#include <algorithm>
#include <numeric>

namespace weft {

namespace {

// For every rank, the lowest rank it is connected with.
std::vector<int> lowest_connected(const Redistribution& moves) {
  std::vector<int> parent(static_cast<std::size_t>(moves.owners()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int rank) {
    while (parent[static_cast<std::size_t>(rank)] != rank)
      rank = parent[static_cast<std::size_t>(rank)] =
          parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(rank)])];
    return rank;
  };
  for (int rank = 0; rank < moves.owners(); ++rank)
    for (const Transfer& transfer : moves.sends(rank)) {
      const int mine = root(rank), other = root(transfer.peer);
      parent[static_cast<std::size_t>(std::max(mine, other))] = std::min(mine, other);
    }
  for (int rank = 0; rank < moves.owners(); ++rank)
    parent[static_cast<std::size_t>(rank)] = root(rank);
  return parent;
}

}  // namespace

Group::Group(const Communicator& whole, const Redistribution& moves)
    : comm([&] {
        const auto lowest = lowest_connected(moves);
        return whole.split(lowest[static_cast<std::size_t>(whole.rank())]);
      }()),
      rank_in_group(static_cast<std::size_t>(whole.size()), -1) {
  const auto members = comm.gather_all({whole.rank()});
  for (std::size_t i = 0; i < members.size(); ++i)
    rank_in_group[static_cast<std::size_t>(members[i].front())] = static_cast<int>(i);
}

}  // namespace weft
