// cli/place/placed_loads: adds messages up.

#include "weft/cli/place/placed_loads.hpp"

#include <algorithm>

namespace weft::cli {

PlacedLoads loads_of(const Network& network, const std::vector<NodeMessages>& exchanges,
                     const std::vector<int>& places) {
  PlacedLoads loads;
  loads.of_vertex.assign(static_cast<std::size_t>(network.vertices()), 0);
  loads.sent.assign(static_cast<std::size_t>(network.nodes()), 0);
  LinkLoads links(network);
  for (const NodeMessages& messages : exchanges)
    for (const NodeMessage& message : messages) {
      const int from = places[static_cast<std::size_t>(message.from)];
      const int to = places[static_cast<std::size_t>(message.to)];
      links.add(from, to, message.bytes);
      if (from != to) loads.sent[static_cast<std::size_t>(from)] += message.bytes;
    }
  loads.of_link.assign(links.bytes().begin(), links.bytes().end());
  for (std::size_t i = 0; i < loads.of_link.size(); ++i)
    loads.of_vertex[static_cast<std::size_t>(network.links()[i].from)] += loads.of_link[i];
  const LinkLoads::Busiest busiest = links.busiest();
  loads.busiest = busiest.link;
  loads.busiest_seconds = busiest.seconds;
  return loads;
}

int step_of(double load, double most) {
  if (load <= 0) return -1;
  return std::min(load_steps - 1, static_cast<int>(load_steps * load / most));
}

}  // namespace weft::cli
