// planning/other_walks: joins and divides passes, and moves axes from one to the next.

#include "weft/planning/other_walks.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace weft {

namespace {

bool transforms(const Stage& stage) {
  const auto* pass = std::get_if<PassStage>(&stage);
  return pass != nullptr && !pass->axes.empty();
}

Strategy joined(const Strategy& strategy) {
  Strategy other = strategy;
  other.stages.clear();
  for (const Stage& stage : strategy.stages) {
    if (!transforms(stage) || other.stages.empty() || !transforms(other.stages.back())) {
      other.stages.push_back(stage);
      continue;
    }
    PassStage& before = std::get<PassStage>(other.stages.back());
    const PassStage& next = std::get<PassStage>(stage);
    before.axes.insert(before.axes.end(), next.axes.begin(), next.axes.end());
    before.choice = {};
  }
  return other;
}

Strategy divided(const Strategy& strategy) {
  Strategy other = strategy;
  other.stages.clear();
  for (const Stage& stage : strategy.stages) {
    const auto* pass = std::get_if<PassStage>(&stage);
    if (pass == nullptr || pass->axes.size() < 2) {
      other.stages.push_back(stage);
      continue;
    }
    other.stages.push_back(PassStage{{pass->axes.begin(), pass->axes.end() - 1}, {}});
    other.stages.push_back(PassStage{{pass->axes.back()}, {}});
  }
  return other;
}

// The first two passes, of three axes or more, between which there is at most one exchange: their
// numbers among the stages.
std::optional<std::pair<std::size_t, std::size_t>> neighbors(const Strategy& strategy) {
  const std::vector<Stage>& stages = strategy.stages;
  const auto axes = [&](std::size_t i) { return std::get<PassStage>(stages[i]).axes.size(); };
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    if (!transforms(stages[i])) continue;
    const bool is_exchange = std::holds_alternative<ExchangeStage>(stages[i + 1]);
    const std::size_t next = i + (is_exchange ? 2 : 1);
    if (next < stages.size() && transforms(stages[next]) && axes(i) + axes(next) > 2)
      return std::pair(i, next);
  }
  return std::nullopt;
}

// The same strategy after change(axes of the pass, axes of the next one).
template <class Change>
Strategy with_neighbors(Strategy strategy, const Change& change) {
  const auto found = neighbors(strategy);
  if (!found) return strategy;
  auto& pass = std::get<PassStage>(strategy.stages[found->first]);
  auto& next = std::get<PassStage>(strategy.stages[found->second]);
  change(pass.axes, next.axes);
  pass.choice = next.choice = {};
  return strategy;
}

// The second of two passes ends with the first axis of the one that has several: the contiguous
// axis in most cases.
Strategy with_axis_last(const Strategy& strategy) {
  return with_neighbors(strategy, [](std::vector<int>& axes, std::vector<int>& next) {
    std::vector<int>& from = axes.size() > 1 ? axes : next;
    const int first = from.front();
    from.erase(from.begin());
    next.push_back(first);
  });
}

// That axis is the first one, and beside it is another one than before.
Strategy with_other_neighbor(const Strategy& strategy) {
  return with_neighbors(strategy, [](std::vector<int>& axes, std::vector<int>& next) {
    if (axes.size() > 1) return std::swap(axes.back(), next.front());
    axes.insert(axes.begin(), next.front());
    next.erase(next.begin());
  });
}

}  // namespace

Strategy with_whole_passes(const Strategy& strategy, const std::string& library) {
  if (strategy.split) return strategy;
  Strategy other = joined(strategy);
  for (Stage& stage : other.stages)
    if (auto* pass = std::get_if<PassStage>(&stage); pass != nullptr && pass->axes.size() > 1) {
      pass->choice = {};
      pass->choice.engines = {library};
      pass->choice.is_whole = true;
    }
  return other;
}

std::vector<Strategy> with_other_walks(const Strategy& strategy) {
  if (strategy.split) return {};
  std::vector<Strategy> all;
  for (Strategy& other :
       std::vector<Strategy>{joined(strategy), divided(strategy), with_axis_last(strategy),
                             with_other_neighbor(strategy)})
    if (other != strategy) all.push_back(std::move(other));
  return all;
}

}  // namespace weft
