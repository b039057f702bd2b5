// model/other_walks: joins and divides passes.

#include "weft/model/other_walks.hpp"

#include <algorithm>
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

}  // namespace

std::vector<Strategy> with_other_walks(const Strategy& strategy) {
  if (strategy.split) return {};
  std::vector<Strategy> all;
  for (Strategy& other : std::vector<Strategy>{joined(strategy), divided(strategy)})
    if (other != strategy) all.push_back(std::move(other));
  return all;
}

}  // namespace weft
