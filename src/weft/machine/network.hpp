// machine/network: the links of a network, the static route of each message, and what an exchange
// loads on each link. Here is the network that every machine can be taken for, a crossbar; the
// shapes of others are in networks/.
// Pure.
#pragma once

#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "weft/machine/network_shape.hpp"

namespace weft {

/// One direction of a cable. Its ends are nodes, which are numbered from 0, or switches, which
/// follow them.
struct Link {
  int from, to;
  LinkSpeed speed;

  friend bool operator==(const Link&, const Link&) = default;
};

/// All links of a shape, and the routes over them.
class Network {
 public:
  virtual ~Network() = default;

  int nodes() const { return nodes_; }
  /// Nodes and switches.
  int vertices() const { return vertices_; }
  const std::vector<Link>& links() const { return links_; }
  /// Appends the numbers of the links that a message passes, in order; none from a node to itself.
  virtual void add_route(int from, int to, std::vector<int>& route) const = 0;

 protected:
  Network(int nodes, int vertices) : nodes_(nodes), vertices_(vertices) {}
  void reserve_links(std::size_t links) { links_.reserve(links); }
  /// The number of the new link.
  int add_link(int from, int to, const LinkSpeed& speed) {
    links_.push_back({from, to, speed});
    return static_cast<int>(links_.size()) - 1;
  }

 private:
  int nodes_, vertices_;
  std::vector<Link> links_;
};

/// The network of a crossbar. Errors: see checked_nodes.
std::unique_ptr<const Network> crossbar_network(const Crossbar& shape);

/// What the ranks of one node of a job send to those of another. Nodes of a job are numbered by
/// their ranks: node i has the ranks from i * ranks_per_node on.
struct NodeMessage {
  int from, to;
  double bytes;
};

/// The messages of an exchange.
using NodeMessages = std::vector<NodeMessage>;

/// The bytes that messages load on every link.
class LinkLoads {
 public:
  /// Nothing yet; `network` must outlive it.
  explicit LinkLoads(const Network& network);

  /// A message between nodes.
  void add(int from, int to, double bytes);
  /// By number of the link.
  std::span<const double> bytes() const { return {bytes_.get(), network_->links().size()}; }
  /// The link that takes longest for its bytes, the first of equal ones, and how long; -1 and 0 if
  /// there are none.
  struct Busiest {
    int link = -1;
    double bytes = 0, seconds = 0;
  };
  Busiest busiest() const;
  /// The sum of the latencies of the route of any message for which it is longest.
  double longest_latency() const { return longest_latency_; }

 private:
  struct Free {
    void operator()(double* memory) const { std::free(memory); }
  };

  const Network* network_;
  // From calloc: of a network of millions of links, most of which have no bytes, the system gives
  // no memory to the others, so that loads take time in proportion to the messages.
  std::unique_ptr<double[], Free> bytes_;
  std::vector<int> used_;  // links with bytes: few of a large network
  std::vector<int> route_;
  double longest_latency_ = 0;
};

}  // namespace weft
