// grid/redistribution: intersects the boxes of two decompositions.

#include "weft/grid/redistribution.hpp"

#include <algorithm>
#include <tuple>

namespace weft {

Redistribution::Redistribution(Decomposition source, Decomposition target, Cutting cutting)
    : source_(std::move(source)), target_(std::move(target)), cutting_(cutting) {
  ensure(source_.extents() == target_.extents(), to_string(source_.extents()),
         to_string(target_.extents()));
  ensure(source_.owners() == target_.owners(), source_.owners(), target_.owners());
}

// The intersections of the boxes of `owner` with those of all peers, cut into cells.
std::vector<Transfer> Redistribution::transfers(int owner, bool sending) const {
  const Decomposition& mine = sending ? source_ : target_;
  const Decomposition& theirs = sending ? target_ : source_;
  std::vector<Transfer> transfers;
  const auto boxes = mine.boxes(owner);
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    theirs.for_each_overlap(boxes[static_cast<std::size_t>(i)],
                            [&](int peer, int j, const Box& box) {
                              transfers.push_back({peer, sending ? i : j, sending ? j : i, box, 0});
                            });
  std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
    return std::tie(a.peer, a.source_box, a.target_box) <
           std::tie(b.peer, b.source_box, b.target_box);
  });
  return cutting_.cells() == 1 ? transfers : cut(transfers, owner, sending);
}

std::vector<Transfer> Redistribution::cut(const std::vector<Transfer>& transfers, int owner,
                                          bool sending) const {
  std::vector<Transfer> cells;
  for (const Transfer& transfer : transfers) {
    const int sender = sending ? owner : transfer.peer;
    const int receiver = sending ? transfer.peer : owner;
    const Box source = source_.boxes(sender)[static_cast<std::size_t>(transfer.source_box)];
    const Box target = target_.boxes(receiver)[static_cast<std::size_t>(transfer.target_box)];
    const std::size_t first = cells.size();
    for (const BoxPart& sent :
         parts_of_region(transfer.box, source, cutting_.source_axis, cutting_.source_parts))
      for (const BoxPart& received :
           parts_of_region(sent.box, target, cutting_.target_axis, cutting_.target_parts)) {
        Transfer cell = transfer;
        cell.box = received.box;
        cell.cell = cutting_.cell(sent.part, received.part);
        cells.push_back(cell);
      }
    std::sort(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.end(),
              [](const Transfer& a, const Transfer& b) { return a.cell < b.cell; });
  }
  return cells;
}

std::vector<Transfer> Redistribution::sends(int owner) const { return transfers(owner, true); }

std::vector<Transfer> Redistribution::receives(int owner) const { return transfers(owner, false); }

}  // namespace weft
