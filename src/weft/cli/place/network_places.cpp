// cli/place/network_places: digits of the numbers of vertices.

#include "weft/cli/place/network_places.hpp"

#include "weft/base/ensure.hpp"

namespace weft::cli {

std::vector<int> coordinates_of(const Torus& shape, int node) {
  std::vector<int> coordinates;
  for (const int extent : shape.extents) {
    coordinates.push_back(node % extent);
    node /= extent;
  }
  return coordinates;
}

std::size_t dimension_of(const Torus& shape, const Link& link) {
  const std::vector<int> from = coordinates_of(shape, link.from);
  const std::vector<int> to = coordinates_of(shape, link.to);
  std::size_t dimension = 0;
  while (from[dimension] == to[dimension]) ++dimension;
  return dimension;
}

int count_at(const FatTree& shape, int level) {
  int count = 1;
  for (std::size_t i = 0; i < shape.below.size(); ++i)
    count *= i < static_cast<std::size_t>(level) ? shape.above[i] : shape.below[i];
  return count;
}

TreePlace place_of(const FatTree& shape, int vertex) {
  int level = 0;
  for (; vertex >= count_at(shape, level); ++level) vertex -= count_at(shape, level);
  return {level, vertex};
}

RouterPlace place_of(const Dragonfly& shape, int router) {
  const int of_group = shape.chassis * shape.routers;
  return {router / of_group, router / shape.routers % shape.chassis, router % shape.routers};
}

}  // namespace weft::cli
