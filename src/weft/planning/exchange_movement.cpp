// planning/exchange_movement: goes over all messages, rank by rank.

#include "weft/planning/exchange_movement.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "weft/grid/overlap_points.hpp"
#include "weft/planning/rank_boxes.hpp"

namespace weft {

namespace {

double most_of(const std::vector<double>& values) { return *std::ranges::max_element(values); }

class Mover {
 public:
  Mover(const RanksOnNetwork& job, const MovingExchange& exchange)
      : job_(job),
        shares_memory_(exchange.shares_memory),
        loads_(job.network),
        near_(index(job.ranks.ranks), 0),
        handled_(near_.size(), 0),
        messages_(near_.size(), 0),
        last_sender_(near_.size(), -1),
        points_to_(index(job.ranks.nodes()), 0) {
    if (exchange.is_pairwise) groups_.emplace(exchange.from, exchange.to);
    const RanksOfNodes nodes(job.ranks);
    for (int node = 0; node < std::ssize(job.node_sizes); ++node)
      nodes.for_each(node, [&](int rank) {
        for (const Box& box : exchange.from.boxes(rank))
          for_each_overlap_points(exchange.to, box, [&](int peer, std::int64_t points) {
            add(rank, peer, static_cast<double>(points));
          });
      });
    end_node();
  }

  Movement movement() const {
    Movement all;
    all.most_near = most_of(near_);
    all.most_messages = static_cast<double>(*std::ranges::max_element(messages_));
    for (int node = 0; shares_memory_ && node < std::ssize(job_.node_sizes); ++node)
      all.most_of_a_rank = std::max(
          all.most_of_a_rank, static_cast<double>(messages_[index(node)]) / job_.ranks_on(node));
    all.most_handled = most_handled();
    all.most_of_a_node = most_of_a_node();
    if (all_messages_ > 0) all.mean_points = far_ / static_cast<double>(all_messages_);
    all.busiest = loads_.busiest();
    all.latency = loads_.longest_latency();
    if (groups_) all.rounds = rounds_.sums(job_.network);
    return all;
  }
  NodeMessages take_sent() { return std::move(sent_); }

 private:
  void add(int rank, int peer, double points) {
    if (peer == rank) return;
    const int here = job_.ranks.node(rank), there = job_.ranks.node(peer);
    if (here == there) {
      near_[index(rank)] += points;
      return;
    }
    if (groups_)
      rounds_.add(groups_->round(rank, peer), job_.node_of[index(here)], job_.node_of[index(there)],
                  points);
    handled_[index(rank)] += points;
    handled_[index(peer)] += points;
    if (here != node_) end_node();
    node_ = here;
    points_to_[index(there)] += points;
    // The ranks of a node that share memory send, and receive, together.
    const int sender = shares_memory_ ? here : rank, receiver = shares_memory_ ? there : peer;
    if (std::exchange(last_sender_[index(receiver)], sender) == sender) return;
    ++all_messages_;
    ++messages_[index(sender)];
    ++messages_[index(receiver)];
  }
  // After the last rank of a node: what it sends to each other one.
  void end_node() {
    for (std::size_t there = 0; node_ >= 0 && there < points_to_.size(); ++there) {
      if (points_to_[there] == 0) continue;
      loads_.add(job_.node_of[index(node_)], job_.node_of[there], points_to_[there]);
      sent_.push_back({node_, static_cast<int>(there), points_to_[there]});
      far_ += std::exchange(points_to_[there], 0);
    }
  }
  double most_handled() const {
    if (!shares_memory_) return most_of(handled_);
    std::vector<double> of_nodes(points_to_.size(), 0);
    for (std::size_t rank = 0; rank < handled_.size(); ++rank) {
      const int node = job_.ranks.node(static_cast<int>(rank));
      of_nodes[index(node)] += handled_[rank] / job_.ranks_on(node);
    }
    return most_of(of_nodes);
  }
  double most_of_a_node() const {
    std::vector<double> out(points_to_.size(), 0), in(out);
    for (const NodeMessage& each : sent_) {
      out[index(each.from)] += each.bytes;
      in[index(each.to)] += each.bytes;
    }
    return std::max(most_of(out), most_of(in));
  }

  static std::size_t index(int number) { return static_cast<std::size_t>(number); }

  const RanksOnNetwork& job_;
  bool shares_memory_;
  LinkLoads loads_;
  std::optional<PairwiseGroups> groups_;
  PairwiseLoads rounds_;
  NodeMessages sent_;
  double far_ = 0;
  std::int64_t all_messages_ = 0;
  std::vector<double> near_;
  std::vector<double> handled_;  // points that each rank sends to, and receives from, other nodes
  std::vector<std::int64_t> messages_;
  std::vector<int> last_sender_;   // to each rank, or node
  std::vector<double> points_to_;  // from node_ to each other one
  int node_ = -1;
};

}  // namespace

Movement movement_of(const RanksOnNetwork& job, const MovingExchange& exchange) {
  return Mover(job, exchange).movement();
}

NodeMessages sent_between_nodes(const RanksOnNetwork& job, const MovingExchange& exchange) {
  return Mover(job, exchange).take_sent();
}

Movement MovementMemo::between(const RanksOnNetwork& job, const MovingExchange& exchange) {
  const Decomposition &from = exchange.from, &to = exchange.to;
  if (!from.is_natural() || !to.is_natural()) return movement_of(job, exchange);
  const Key key{from.extents(), from.grid()->parts, to.grid()->parts, exchange.shares_memory,
                exchange.is_pairwise};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  return known_.emplace(key, movement_of(job, exchange)).first->second;
}

}  // namespace weft
