// cli/place/network_places: where the vertices of a network are in its shape.
// Pure.
#pragma once

#include <vector>

#include "weft/machine/network.hpp"

namespace weft::cli {

/// Along each dimension of the torus.
std::vector<int> coordinates_of(const Torus& shape, int node);

/// The dimension along which a link of this torus goes.
std::size_t dimension_of(const Torus& shape, const Link& link);

/// A switch, counted from 0 at its level; level 0 has the nodes.
struct TreePlace {
  int level, number;
};
TreePlace place_of(const FatTree& shape, int vertex);

/// Nodes, or switches, at a level. The switches above the same nodes follow each other.
int count_at(const FatTree& shape, int level);

struct RouterPlace {
  int group, chassis, router;
};
/// The place of a router, counted through all groups.
RouterPlace place_of(const Dragonfly& shape, int router);

}  // namespace weft::cli
