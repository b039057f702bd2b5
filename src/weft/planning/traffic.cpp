// planning/traffic: counts receivers, per axis on process grids and one by one among boxes.

#include "weft/planning/traffic.hpp"

#include <algorithm>
#include <utility>

#include "weft/grid/overlap_points.hpp"
#include "weft/grid/split.hpp"

namespace weft {

namespace {

Traffic larger(const Traffic& a, const Traffic& b) {
  return {std::max(a.points, b.points), std::max(a.messages, b.messages),
          std::max(a.far_points, b.far_points), std::max(a.far_messages, b.far_messages)};
}

// Counts what the owner of `box` sends to all owners in `to`, including itself.
Traffic sent_to_all(const Box& box, const Decomposition& to) {
  Traffic all{box.volume(), 0};
  if (!to.grid()) {
    to.for_each_overlap(box, [&](int, int, const Box&) { ++all.messages; });
    return all;
  }
  // The receivers are a range of coordinates along each axis, so they need not be visited.
  all.messages = 1;
  for (int a = 0; a < box.axes(); ++a) {
    const std::int64_t n = to.extents()[a], parts = to.grid()->parts[a];
    all.messages *= part_of(n, parts, box.hi[a] - 1) - part_of(n, parts, box.lo[a]) + 1;
  }
  return all;
}

// Subtracts from `points` and `messages` the part of `box` that goes to the owners in `to` of
// `kept`: boxes of `to` or, on a process grid, unions of them.
void subtract(const Box& box, const std::vector<Box>& kept, const Decomposition& to,
              std::int64_t& points, std::int64_t& messages) {
  for (const Box& each : kept) {
    const Box both = intersect(box, each);
    if (both.empty()) continue;
    points -= both.volume();
    messages -= to.grid() ? sent_to_all(both, to).messages : 1;
  }
}

Traffic busiest_sender(RankBoxes& senders, RankBoxes& takers, const Machine& machine,
                       std::int64_t most_sampled_ranks) {
  const Decomposition &from = senders.at(), &to = takers.at();
  Traffic most;
  const std::int64_t sampled = std::min(from.holders(), most_sampled_ranks);
  const std::int64_t receivers = to.holders();
  const int nodes = machine.nodes();
  const bool nodes_are_ranks = nodes == machine.ranks;
  for (std::int64_t i = 0; i < sampled; ++i) {
    const int rank = from.holder(split(from.holders(), sampled, i).lo);
    const std::vector<Box>& mine_after = takers.of_rank(rank);
    Traffic mine;
    for (const Box& box : senders.of_rank(rank)) {
      Traffic all = sent_to_all(box, to);
      if (nodes > 1 && !nodes_are_ranks) {
        all.far_points = all.points;
        all.far_messages = all.messages;
        subtract(box, takers.near(rank), to, all.far_points, all.far_messages);
      }
      subtract(box, mine_after, to, all.points, all.messages);
      mine.points += all.points;
      mine.messages += all.messages;
      mine.far_points += all.far_points;
      mine.far_messages += all.far_messages;
    }
    // Several pieces that go to one rank are one message.
    mine.messages = std::min(mine.messages, receivers);
    mine.far_messages = std::min(mine.far_messages, receivers);
    if (nodes_are_ranks) {
      mine.far_points = mine.points;
      mine.far_messages = mine.messages;
    }
    most = larger(most, mine);
  }
  return most;
}

// The most points that any rank sends to other nodes. Looks at all ranks.
std::int64_t largest_far_points(const Decomposition& from, const Decomposition& to,
                                const Machine& machine) {
  std::int64_t most = 0;
  for (std::int64_t i = 0; i < from.holders(); ++i) {
    const int rank = from.holder(i);
    std::int64_t far = 0;
    for (const Box& box : from.boxes(rank))
      for_each_overlap_points(to, box, [&](int peer, std::int64_t points) {
        if (machine.node(peer) != machine.node(rank)) far += points;
      });
    most = std::max(most, far);
  }
  return most;
}

Traffic busiest(RankBoxes& from, RankBoxes& to, const Machine& machine,
                std::int64_t sampled_ranks) {
  Traffic most = larger(busiest_sender(from, to, machine, sampled_ranks),
                        busiest_sender(to, from, machine, sampled_ranks));
  // That nothing leaves its node decides where data may lie, so a sample is not enough.
  if (most.far_points == 0 && machine.nodes() > 1 && from.at().holders() > sampled_ranks) {
    most.far_points = std::max(largest_far_points(from.at(), to.at(), machine),
                               largest_far_points(to.at(), from.at(), machine));
    most.far_messages = most.far_points > 0 ? 1 : 0;
  }
  return most;
}

}  // namespace

Traffic busiest_traffic(const Decomposition& from, const Decomposition& to, const Machine& machine,
                        std::int64_t sampled_ranks) {
  const RanksOfNodes ranks(machine);
  RankBoxes before(from, machine, ranks), after(to, machine, ranks);
  return busiest(before, after, machine, sampled_ranks);
}

TrafficMemo::TrafficMemo(Machine machine) : machine_(std::move(machine)), ranks_(machine_) {}

RankBoxes& TrafficMemo::boxes(const Decomposition& at) {
  const auto [grid, is_new] = grids_.try_emplace({at.extents(), at.grid()->parts});
  if (is_new) {
    grid->second.at = std::make_unique<const Decomposition>(at);
    grid->second.boxes = std::make_unique<RankBoxes>(*grid->second.at, machine_, ranks_);
  }
  return *grid->second.boxes;
}

Traffic TrafficMemo::between(const Decomposition& from, const Decomposition& to) {
  if (!from.is_natural() || !to.is_natural()) return busiest_traffic(from, to, machine_);
  const bool in_order = from.grid()->parts <= to.grid()->parts;
  const Decomposition &first = in_order ? from : to, &second = in_order ? to : from;
  const Key key{from.extents(), first.grid()->parts, second.grid()->parts};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  return known_
      .emplace(key, busiest(boxes(first), boxes(second), machine_, constants::most_sampled_ranks))
      .first->second;
}

}  // namespace weft
