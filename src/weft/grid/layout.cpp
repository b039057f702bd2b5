// grid/layout: computes the strides of the usual layouts.

#include "weft/layout.hpp"

#include <numeric>

namespace weft {

namespace {

Layout with_order(const Dims& extents, const Dims& room, const std::vector<int>& slowest_first) {
  Layout layout{extents, Dims::filled(extents.size(), 0)};
  std::int64_t stride = 1;
  for (auto axis = slowest_first.rbegin(); axis != slowest_first.rend(); ++axis) {
    layout.strides[*axis] = stride;
    stride *= room[*axis];
  }
  return layout;
}

}  // namespace

Layout Layout::padded(const Dims& extents, const Dims& room) {
  std::vector<int> order(static_cast<std::size_t>(extents.size()));
  std::iota(order.begin(), order.end(), 0);
  return with_order(extents, room, order);
}

Layout Layout::ordered(const Dims& extents, const std::vector<int>& slowest_first) {
  return with_order(extents, extents, slowest_first);
}

std::int64_t Layout::span() const {
  std::int64_t last = 0;
  for (int a = 0; a < extents.size(); ++a) {
    if (extents[a] < 1) return 0;
    last += (extents[a] - 1) * strides[a];
  }
  return last + 1;
}

}  // namespace weft
