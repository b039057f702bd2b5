// machine/network: a crossbar, and the loads of links.

#include "weft/machine/network.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace weft {

namespace {

template <class Number>
std::size_t index(Number number) {
  return static_cast<std::size_t>(number);
}

// Nodes are 0 to nodes-1, the switch is the last vertex. Link 2n goes up from node n, 2n+1 down.
class CrossbarNetwork : public Network {
 public:
  explicit CrossbarNetwork(const Crossbar& shape) : Network(shape.nodes, shape.nodes + 1) {
    reserve_links(2 * index(shape.nodes));
    for (int node = 0; node < shape.nodes; ++node) {
      add_link(node, shape.nodes, shape.link);
      add_link(shape.nodes, node, shape.link);
    }
  }
  void add_route(int from, int to, std::vector<int>& route) const override {
    if (from == to) return;
    route.push_back(2 * from);
    route.push_back(2 * to + 1);
  }
};

}  // namespace

std::unique_ptr<const Network> crossbar_network(const Crossbar& shape) {
  checked_nodes(shape);
  return std::make_unique<CrossbarNetwork>(shape);
}

LinkLoads::LinkLoads(const Network& network)
    : network_(&network),
      bytes_(static_cast<double*>(std::calloc(network.links().size() + 1, sizeof(double)))) {
  if (bytes_ == nullptr) throw std::bad_alloc();
}

void LinkLoads::add(int from, int to, double bytes) {
  route_.clear();
  network_->add_route(from, to, route_);
  double latency = 0;
  for (const int link : route_) {
    if (bytes > 0 && bytes_[index(link)] == 0) used_.push_back(link);
    bytes_[index(link)] += bytes;
    latency += network_->links()[index(link)].speed.latency_seconds;
  }
  longest_latency_ = std::max(longest_latency_, latency);
}

LinkLoads::Busiest LinkLoads::busiest() const {
  Busiest most;
  for (const int link : used_) {
    const double bytes = bytes_[index(link)];
    const double seconds = bytes / network_->links()[index(link)].speed.bytes_per_second;
    if (seconds > most.seconds || (seconds == most.seconds && link < most.link))
      most = {link, bytes, seconds};
  }
  return most;
}

}  // namespace weft
