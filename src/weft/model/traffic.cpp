// model/traffic: counts receivers, per axis on process grids and one by one among boxes.

#include "weft/model/traffic.hpp"

#include <algorithm>
#include <optional>
#include <utility>

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

// Whether `b` follows `a` along one axis, so that both are one box; `a` is that box then.
bool unites(Box& a, const Box& b) {
  int along = -1;
  for (int axis = 0; axis < a.axes(); ++axis) {
    if (a.range(axis) == b.range(axis)) continue;
    if (along >= 0 || a.hi[axis] != b.lo[axis]) return false;
    along = axis;
  }
  if (along < 0) return false;
  a.hi[along] = b.hi[along];
  return true;
}

// The same points in fewer boxes: the pieces of the ranks of a node, which follow each other, are
// rows of a process grid, or a part of a row.
void unite(std::vector<Box>& boxes) {
  std::erase_if(boxes, [](const Box& box) { return box.empty(); });
  for (std::size_t before = boxes.size() + 1; boxes.size() < before;) {
    before = boxes.size();
    std::vector<Box> fewer;
    for (const Box& box : boxes)
      if (fewer.empty() || !unites(fewer.back(), box)) fewer.push_back(box);
    boxes = std::move(fewer);
  }
}

// The boxes of all ranks of a node, united on a process grid. Ranks are asked for one after the
// other, most of them of the node of the one before.
class BoxesOfNode {
 public:
  BoxesOfNode(const Decomposition& at, const Machine& machine)
      : at_(at), machine_(machine), first_(index(machine.nodes()) + 1, 0) {
    for (int rank = 0; rank < machine.ranks; ++rank) ++first_[index(machine.node(rank)) + 1];
    for (std::size_t node = 1; node < first_.size(); ++node) first_[node] += first_[node - 1];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    ranks_.resize(index(machine.ranks));
    for (int rank = 0; rank < machine.ranks; ++rank)
      ranks_[next[index(machine.node(rank))]++] = rank;
  }

  // Those of the node that `rank` is on.
  const std::vector<Box>& near(int rank) {
    const int node = machine_.node(rank);
    if (node == node_) return boxes_;
    node_ = node;
    boxes_.clear();
    for (std::size_t i = first_[index(node)]; i < first_[index(node) + 1]; ++i) {
      const std::vector<Box> more = at_.boxes(ranks_[i]);
      boxes_.insert(boxes_.end(), more.begin(), more.end());
    }
    if (at_.grid()) unite(boxes_);
    return boxes_;
  }

 private:
  static std::size_t index(int number) { return static_cast<std::size_t>(number); }

  const Decomposition& at_;
  const Machine& machine_;
  std::vector<std::size_t> first_;  // by node: its first rank in ranks_
  std::vector<int> ranks_;          // by node
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
  std::optional<BoxesOfNode> of_nodes;
  if (nodes > 1 && !nodes_are_ranks) of_nodes.emplace(to, machine);
  for (std::int64_t i = 0; i < sampled; ++i) {
    const int rank = from.holder(split(from.holders(), sampled, i).lo);
    const std::vector<Box> mine_after = to.boxes(rank);
    Traffic mine;
    for (const Box& box : from.boxes(rank)) {
      Traffic all = sent_to_all(box, to);
      if (of_nodes) {
        all.far_points = all.points;
        all.far_messages = all.messages;
        subtract(box, of_nodes->near(rank), to, all.far_points, all.far_messages);
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

Traffic TrafficMemo::between(const Decomposition& from, const Decomposition& to) {
  const auto is_plain = [](const Decomposition& at) {
    return at.grid() && at.grid()->owners.empty();
  };
  if (!is_plain(from) || !is_plain(to)) return busiest_traffic(from, to, machine_);
  const bool in_order = from.grid()->parts <= to.grid()->parts;
  const Decomposition &first = in_order ? from : to, &second = in_order ? to : from;
  const auto [entry, is_new] =
      known_.try_emplace(Key{from.extents(), first.grid()->parts, second.grid()->parts});
  if (is_new) entry->second = busiest_traffic(first, second, machine_);
  return entry->second;
}

}  // namespace weft
