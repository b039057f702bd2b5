// grid/redistribution: intersecting the boxes of two decompositions.

#include "weft/grid/redistribution.hpp"

#include <algorithm>
#include <tuple>

namespace weft {

Redistribution::Redistribution(Decomposition source, Decomposition target)
    : source_(std::move(source)), target_(std::move(target)) {
  ensure(source_.extents() == target_.extents(), to_string(source_.extents()),
         to_string(target_.extents()));
  ensure(source_.owners() == target_.owners(), source_.owners(), target_.owners());
}

namespace {

void sort(std::vector<Transfer>& transfers) {
  std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
    return std::tie(a.peer, a.source_box, a.target_box) <
           std::tie(b.peer, b.source_box, b.target_box);
  });
}

}  // namespace

std::vector<Transfer> Redistribution::sends(int owner) const {
  std::vector<Transfer> transfers;
  const auto& mine = source_.boxes(owner);
  for (int i = 0; i < static_cast<int>(mine.size()); ++i)
    target_.for_each_overlap(mine[static_cast<std::size_t>(i)],
                             [&](int peer, int j, const Box& box) {
                               transfers.push_back({peer, i, j, box});
                             });
  sort(transfers);
  return transfers;
}

std::vector<Transfer> Redistribution::receives(int owner) const {
  std::vector<Transfer> transfers;
  const auto& mine = target_.boxes(owner);
  for (int j = 0; j < static_cast<int>(mine.size()); ++j)
    source_.for_each_overlap(mine[static_cast<std::size_t>(j)],
                             [&](int peer, int i, const Box& box) {
                               transfers.push_back({peer, i, j, box});
                             });
  sort(transfers);
  return transfers;
}

}  // namespace weft
