// model/traffic: counting receivers per axis on process grids, one by one among boxes.

#include "weft/model/traffic.hpp"

#include <algorithm>

#include "weft/grid/split.hpp"

namespace weft {

namespace {

constexpr int most_judged_ranks = 64;

Traffic busiest_sender(const Decomposition& from, const Decomposition& to) {
  Traffic most;
  const int owners = from.owners();
  const int judged = std::min(owners, most_judged_ranks);
  for (int i = 0; i < judged; ++i) {
    const int rank = static_cast<int>(split(owners, judged, i).lo);
    Traffic mine;
    for (const Box& box : from.boxes(rank)) {
      mine.points += box.volume();
      if (to.grid()) {
        // Per axis the receivers are a range of coordinates: no need to visit each.
        std::int64_t receivers = 1;
        for (int a = 0; a < box.axes(); ++a) {
          const std::int64_t n = to.extents()[a], parts = to.grid()->parts[a];
          receivers *= part_of(n, parts, box.hi[a] - 1) - part_of(n, parts, box.lo[a]) + 1;
        }
        mine.messages += receivers;
      } else {
        to.for_each_overlap(box, [&](int, int, const Box&) { ++mine.messages; });
      }
      for (const Box& kept : to.boxes(rank)) {
        const Box both = intersect(box, kept);
        if (both.empty()) continue;
        mine.points -= both.volume();
        --mine.messages;
      }
    }
    most.points = std::max(most.points, mine.points);
    most.messages = std::max(most.messages, mine.messages);
  }
  return most;
}

}  // namespace

Traffic busiest_traffic(const Decomposition& from, const Decomposition& to) {
  const Traffic out = busiest_sender(from, to), in = busiest_sender(to, from);
  return {std::max(out.points, in.points), std::max(out.messages, in.messages)};
}

}  // namespace weft
