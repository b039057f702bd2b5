// support/first_nodes: the nodes 0, 1, 2 and so on, on which tests of networks place ranks.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace weft::test {

inline std::vector<int> first_nodes(int count) {
  std::vector<int> nodes(static_cast<std::size_t>(count));
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

}  // namespace weft::test
