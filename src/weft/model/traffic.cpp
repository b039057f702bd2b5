// model/traffic: counting receivers per axis on process grids, one by one among boxes.

#include "weft/model/traffic.hpp"

#include <algorithm>

#include "weft/grid/split.hpp"

namespace weft {

namespace {

constexpr std::int64_t most_judged_ranks = 64;

Traffic larger(const Traffic& a, const Traffic& b) {
  return {std::max(a.points, b.points), std::max(a.messages, b.messages),
          std::max(a.far_points, b.far_points), std::max(a.far_messages, b.far_messages)};
}

// What `box` of an owner in `from` gives to others in `to`, whoever they are.
Traffic given(const Box& box, const Decomposition& to) {
  Traffic all{box.volume(), 0};
  if (!to.grid()) {
    to.for_each_overlap(box, [&](int, int, const Box&) { ++all.messages; });
    return all;
  }
  // Per axis the receivers are a range of coordinates: no need to visit each.
  all.messages = 1;
  for (int a = 0; a < box.axes(); ++a) {
    const std::int64_t n = to.extents()[a], parts = to.grid()->parts[a];
    all.messages *= part_of(n, parts, box.hi[a] - 1) - part_of(n, parts, box.lo[a]) + 1;
  }
  return all;
}

// Takes from `points` and `messages` what of `box` goes to `rank`.
void take_off(const Box& box, const std::vector<Box>& boxes_of_rank, std::int64_t& points,
              std::int64_t& messages) {
  for (const Box& kept : boxes_of_rank) {
    const Box both = intersect(box, kept);
    if (both.empty()) continue;
    points -= both.volume();
    --messages;
  }
}

Traffic busiest_sender(const Decomposition& from, const Decomposition& to, const Machine& machine) {
  Traffic most;
  const std::int64_t judged = std::min(from.holders(), most_judged_ranks);
  const bool nodes_are_ranks = machine.nodes() == machine.ranks;
  for (std::int64_t i = 0; i < judged; ++i) {
    const int rank = from.holder(split(from.holders(), judged, i).lo);
    const std::vector<int> mates =
        nodes_are_ranks ? std::vector<int>{rank} : machine.ranks_of(machine.node(rank));
    Traffic mine;
    for (const Box& box : from.boxes(rank)) {
      Traffic all = given(box, to);
      all.far_points = all.points;
      all.far_messages = all.messages;
      take_off(box, to.boxes(rank), all.points, all.messages);
      for (int mate : mates) take_off(box, to.boxes(mate), all.far_points, all.far_messages);
      mine.points += all.points;
      mine.messages += all.messages;
      mine.far_points += all.far_points;
      mine.far_messages += all.far_messages;
    }
    // What several pieces give to one rank is one message.
    const std::int64_t takers = to.holders();
    mine.messages = std::min(mine.messages, takers);
    mine.far_messages = std::min(mine.far_messages, takers);
    most = larger(most, mine);
  }
  return most;
}

}  // namespace

Traffic busiest_traffic(const Decomposition& from, const Decomposition& to,
                        const Machine& machine) {
  return larger(busiest_sender(from, to, machine), busiest_sender(to, from, machine));
}

}  // namespace weft
