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

// Where the boxes of `owner` in `mine` meet those of others in `theirs`.
std::vector<Transfer> meetings(const Decomposition& mine, const Decomposition& theirs, int owner,
                               bool gives) {
  std::vector<Transfer> transfers;
  const auto boxes = mine.boxes(owner);
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    theirs.for_each_overlap(boxes[static_cast<std::size_t>(i)],
                            [&](int peer, int j, const Box& box) {
                              transfers.push_back({peer, gives ? i : j, gives ? j : i, box});
                            });
  std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
    return std::tie(a.peer, a.source_box, a.target_box) <
           std::tie(b.peer, b.source_box, b.target_box);
  });
  return transfers;
}

}  // namespace

std::vector<Transfer> Redistribution::sends(int owner) const {
  return meetings(source_, target_, owner, true);
}

std::vector<Transfer> Redistribution::receives(int owner) const {
  return meetings(target_, source_, owner, false);
}

}  // namespace weft
