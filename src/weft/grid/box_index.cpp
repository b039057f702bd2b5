// grid/box_index: sorts boxes by their first index along one axis.

#include "weft/grid/box_index.hpp"

#include <algorithm>

namespace weft {

namespace {

// Fewer boxes are looked through faster than sorted.
constexpr std::size_t fewest = 32;

}  // namespace

BoxIndex::BoxIndex(std::vector<Box> boxes) : boxes_(std::move(boxes)) {
  if (boxes_.size() < fewest) return;
  double least = 2;  // of the longest box's part of the range of all
  for (int axis = 0; axis < boxes_.front().axes(); ++axis) {
    std::int64_t lo = boxes_.front().lo[axis], hi = boxes_.front().hi[axis], longest = 0;
    for (const Box& box : boxes_) {
      lo = std::min(lo, box.lo[axis]);
      hi = std::max(hi, box.hi[axis]);
      longest = std::max(longest, box.extent(axis));
    }
    const double part =
        static_cast<double>(longest) / static_cast<double>(std::max(hi - lo, longest));
    if (hi <= lo || part >= least) continue;
    least = part;
    axis_ = axis;
    longest_ = longest;
  }
  for (std::size_t i = 0; i < boxes_.size(); ++i) begins_.emplace_back(boxes_[i].lo[axis_], i);
  std::sort(begins_.begin(), begins_.end());
}

std::vector<std::size_t> BoxIndex::overlapping(const Box& box) const {
  std::vector<std::size_t> found;
  const auto add = [&](std::size_t number) {
    if (!intersect(boxes_[number], box).empty()) found.push_back(number);
  };
  if (begins_.empty()) {
    for (std::size_t i = 0; i < boxes_.size(); ++i) add(i);
    return found;
  }
  const auto first = std::lower_bound(begins_.begin(), begins_.end(),
                                      std::pair(box.lo[axis_] - longest_ + 1, std::size_t{0}));
  for (auto at = first; at != begins_.end() && at->first < box.hi[axis_]; ++at) add(at->second);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace weft
