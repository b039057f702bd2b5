// model/traffic: counts receivers, per axis on process grids and one by one among boxes.

#include "weft/model/traffic.hpp"

#include <algorithm>

#include "weft/grid/split.hpp"

namespace weft {

namespace {

Traffic larger(const Traffic& a, const Traffic& b) {
  return {std::max(a.points, b.points), std::max(a.messages, b.messages),
          std::max(a.far_points, b.far_points), std::max(a.far_messages, b.far_messages)};
}

// What the owner of `box` sends to all owners in `to`, including itself.
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

// Subtracts from `points` and `messages` the part of `box` that goes to the owners of `kept`.
void subtract(const Box& box, const std::vector<Box>& kept, std::int64_t& points,
              std::int64_t& messages) {
  for (const Box& each : kept) {
    const Box both = intersect(box, each);
    if (both.empty()) continue;
    points -= both.volume();
    --messages;
  }
}

// The boxes of all ranks of a node. Ranks are asked for one after the other, most of them of the
// node of the one before.
class BoxesOfNode {
 public:
  BoxesOfNode(const Decomposition& at, const Machine& machine) : at_(at), machine_(machine) {}

  const std::vector<Box>& of(int node) {
    if (node == node_) return boxes_;
    node_ = node;
    boxes_.clear();
    for (const int rank : machine_.ranks_of(node)) {
      const std::vector<Box> more = at_.boxes(rank);
      boxes_.insert(boxes_.end(), more.begin(), more.end());
    }
    return boxes_;
  }

 private:
  const Decomposition& at_;
  const Machine& machine_;
  int node_ = -1;
  std::vector<Box> boxes_;
};

Traffic busiest_sender(const Decomposition& from, const Decomposition& to, const Machine& machine,
                       std::int64_t most_sampled_ranks) {
  Traffic most;
  const std::int64_t sampled = std::min(from.holders(), most_sampled_ranks);
  const std::int64_t receivers = to.holders();
  const int nodes = machine.nodes();
  const bool nodes_are_ranks = nodes == machine.ranks;
  BoxesOfNode near(to, machine);
  for (std::int64_t i = 0; i < sampled; ++i) {
    const int rank = from.holder(split(from.holders(), sampled, i).lo);
    const std::vector<Box> mine_after = to.boxes(rank);
    Traffic mine;
    for (const Box& box : from.boxes(rank)) {
      Traffic all = sent_to_all(box, to);
      if (nodes > 1 && !nodes_are_ranks) {
        all.far_points = all.points;
        all.far_messages = all.messages;
        subtract(box, near.of(machine.node(rank)), all.far_points, all.far_messages);
      }
      subtract(box, mine_after, all.points, all.messages);
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
      to.for_each_overlap(box, [&](int peer, int, const Box& region) {
        if (machine.node(peer) != machine.node(rank)) far += region.volume();
      });
    most = std::max(most, far);
  }
  return most;
}

}  // namespace

Traffic busiest_traffic(const Decomposition& from, const Decomposition& to, const Machine& machine,
                        std::int64_t sampled_ranks) {
  Traffic most = larger(busiest_sender(from, to, machine, sampled_ranks),
                        busiest_sender(to, from, machine, sampled_ranks));
  // That nothing leaves its node decides where data may lie, so a sample is not enough.
  if (most.far_points == 0 && machine.nodes() > 1 && from.holders() > sampled_ranks) {
    most.far_points = largest_far_points(from, to, machine);
    most.far_messages = most.far_points > 0 ? 1 : 0;
  }
  return most;
}

}  // namespace weft
