// planning/rank_boxes: lists the ranks of nodes, and unites the boxes of each.

#include "weft/planning/rank_boxes.hpp"

#include <utility>

namespace weft {

namespace {

// Whether `b` follows `a` along one axis, so that both are one box; `a` is that box then.
bool unites(Box& a, const Box& b) {
  int along = -1;
  for (int axis = 0; axis < a.axes(); ++axis) {
    if (a.range(axis) == b.range(axis)) continue;
    if (along >= 0 || a.hi[axis] != b.lo[axis]) return false;
    along = axis;
  }
  if (along < 0) return false;
  a.hi[along] = b.hi[along];
  return true;
}

// The same points in fewer boxes: the pieces of the ranks of a node, which follow each other, are
// rows of a process grid, or a part of a row.
void unite(std::vector<Box>& boxes) {
  std::erase_if(boxes, [](const Box& box) { return box.empty(); });
  for (std::size_t before = boxes.size() + 1; boxes.size() < before;) {
    before = boxes.size();
    std::vector<Box> fewer;
    for (const Box& box : boxes)
      if (fewer.empty() || !unites(fewer.back(), box)) fewer.push_back(box);
    boxes = std::move(fewer);
  }
}

}  // namespace

RanksOfNodes::RanksOfNodes(const Machine& machine)
    : first_(static_cast<std::size_t>(machine.nodes()) + 1, 0) {
  const auto node = [&](int rank) { return static_cast<std::size_t>(machine.node(rank)); };
  for (int rank = 0; rank < machine.ranks; ++rank) ++first_[node(rank) + 1];
  for (std::size_t n = 1; n < first_.size(); ++n) first_[n] += first_[n - 1];
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  ranks_.resize(static_cast<std::size_t>(machine.ranks));
  for (int rank = 0; rank < machine.ranks; ++rank) ranks_[next[node(rank)]++] = rank;
}

const std::vector<Box>& RankBoxes::of_rank(int rank) {
  const auto [found, is_new] = of_rank_.try_emplace(rank);
  if (is_new) found->second = at_->boxes(rank);
  return found->second;
}

const std::vector<Box>& RankBoxes::near(int rank) {
  const int node = machine_->node(rank);
  const auto [found, is_new] = of_node_.try_emplace(node);
  std::vector<Box>& all = found->second;
  if (!is_new) return all;
  ranks_->for_each(node, [&](int each) {
    const std::vector<Box> more = at_->boxes(each);
    all.insert(all.end(), more.begin(), more.end());
  });
  if (at_->grid()) unite(all);
  return all;
}

}  // namespace weft
