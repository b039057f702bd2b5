// making/node_shares: shares what a node sends to other nodes, and what it receives from them, out
// among its ranks.
// Pure. Keeps: shares are even, few messages are cut, and both nodes of a message compute the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weft/grid/redistribution.hpp"
#include "weft/machine/machine.hpp"

namespace weft {

/// The part of the message from one node to another that one rank sends to one other. It ends
/// before element `end` of the message; `sender` and `receiver` count the ranks of their nodes.
struct Stretch {
  std::int64_t end;
  int sender, receiver;

  friend bool operator==(const Stretch&, const Stretch&) = default;
};

/// What a rank sends or receives is at most so much of an even share of what its node does. It may
/// become a tenth more than that share, as boxes are cut between layers.
constexpr double most_of_even_share = 1.095;

/// Where the share of each rank but the last ends, if messages that lie one after another and end
/// at `ends` (ascending) are shared out among `ranks`, in order. Shares end where messages do, as
/// far as most_of_even_share allows it.
std::vector<std::int64_t> even_cuts(const std::vector<std::int64_t>& ends, int ranks);

/// How the messages of an exchange are shared out; those of all cells between two nodes count as
/// one message.
class NodeShares {
 public:
  NodeShares(const Redistribution& moves, const Machine& machine);

  /// The stretches of the message of so many elements from one node to another, in order. No two
  /// have the same sender and the same receiver.
  std::vector<Stretch> of_message(int from, int to, std::int64_t elements);

 private:
  // The messages that a node sends or receives, one after another, by how many nodes the receiver
  // comes after the sender.
  struct Row {
    std::vector<int> distances;
    std::vector<std::int64_t> ends;  // of the messages
    std::vector<std::int64_t> cuts;  // where the shares of all ranks but the last end
  };
  struct Place {
    std::int64_t begin, end;
  };

  int distance(int from, int to) const { return (to - from + nodes_) % nodes_; }
  Row row_of(int node, bool sending) const;
  static Place place_of(const Row& row, int distance);
  const Row& sent_by(int node);
  const Row& received_by(int node);

  int nodes_;
  std::vector<int> ranks_;                    // of each node
  std::optional<Redistribution> moves_;       // between nodes; nothing if each has one rank
  std::map<int, Row> sent_by_, received_by_;  // those that were needed
};

}  // namespace weft
