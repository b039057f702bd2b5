// model/chunks: choosing axes and numbers.

#include "weft/model/chunks.hpp"

#include <algorithm>
#include <cmath>

#include "weft/model/traffic.hpp"

namespace weft {

namespace {

using Stages = std::vector<Stage>;

// The axes of all passes from stage `i` on, away from an exchange.
std::vector<int> axes_of_passes(const Stages& stages, std::size_t i, int step) {
  std::vector<int> axes;
  for (; i < stages.size(); i += static_cast<std::size_t>(step)) {
    const auto* pass = std::get_if<PassStage>(&stages[i]);
    if (pass == nullptr) break;
    axes.insert(axes.end(), pass->axes.begin(), pass->axes.end());
  }
  return axes;
}

// Indices along each axis of the first box that anybody owns.
Dims local_extents(const Decomposition& at) {
  for (int owner = 0; owner < at.owners(); ++owner)
    if (const auto boxes = at.boxes(owner); !boxes.empty()) return boxes.front().extents();
  return at.extents();
}

// Axes along which a pass can be cut: it does not transform them, and owns several indices.
std::vector<int> free_axes(const Dims& local, const std::vector<int>& transformed) {
  std::vector<int> axes;
  for (int a = 0; a < local.size(); ++a)
    if (local[a] > 1 && std::find(transformed.begin(), transformed.end(), a) == transformed.end())
      axes.push_back(a);
  return axes;
}

bool holds(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

int parts_of(std::int64_t wanted, std::int64_t indices) {
  return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, indices));
}

Cutting cutting_for(const Dims& source, const std::vector<int>& source_axes, const Dims& target,
                    const std::vector<int>& target_axes, int chunks, int arrives_along) {
  const std::vector<int> from = free_axes(source, source_axes), to = free_axes(target, target_axes);
  // Most of the chunks of the pass before come one after another along one axis: go on along it.
  if (holds(from, arrives_along) && holds(to, arrives_along)) {
    const int parts = parts_of(chunks, std::min(source[arrives_along], target[arrives_along]));
    return {arrives_along, parts, arrives_along, parts};
  }
  if (!holds(from, arrives_along))
    for (int axis : from) {
      if (!holds(to, axis) || source[axis] != target[axis]) continue;
      const int parts = parts_of(chunks, source[axis]);
      return {axis, parts, axis, parts};
    }
  Cutting cutting;
  const auto target_parts = static_cast<std::int64_t>(std::floor(std::sqrt(chunks)));
  if (!to.empty()) {
    cutting.target_axis = to.front();
    cutting.target_parts = parts_of(target_parts, target[to.front()]);
  }
  if (!from.empty()) {
    cutting.source_axis = holds(from, arrives_along) ? arrives_along : from.front();
    cutting.source_parts = parts_of(chunks / cutting.target_parts, source[cutting.source_axis]);
  }
  return cutting;
}

}  // namespace

std::vector<Cutting> cuttings_of(const Strategy& strategy, const Route& route) {
  std::vector<Cutting> cuttings(strategy.stages.size());
  int arrives_along = -1;
  for (std::size_t i = 0; i < strategy.stages.size(); ++i) {
    const auto* exchange = std::get_if<ExchangeStage>(&strategy.stages[i]);
    if (exchange == nullptr || exchange->chunks <= 1 || i == 0) continue;
    cuttings[i] =
        cutting_for(local_extents(route.before[i]), axes_of_passes(strategy.stages, i - 1, -1),
                    local_extents(route.after[i]), axes_of_passes(strategy.stages, i + 1, 1),
                    exchange->chunks, arrives_along);
    arrives_along = cuttings[i].target_parts > 1 ? cuttings[i].target_axis : -1;
  }
  return cuttings;
}

Strategy chunked(Strategy strategy, const Problem& problem, const Machine& machine,
                 const std::vector<std::string>& cuttable, const ChunkRule& rule) {
  const bool stays = machine.nodes() == 1 && rule.chunks == 0;
  if (stays || rule.chunks == 1) return strategy;
  const Route route = route_of(strategy, problem, machine.ranks);
  auto& stages = strategy.stages;
  std::vector<std::int64_t> message_bytes(stages.size());  // of exchanges in one piece
  for (std::size_t i = 1; i + 1 < stages.size(); ++i) {
    auto* exchange = std::get_if<ExchangeStage>(&stages[i]);
    if (exchange == nullptr ||
        std::find(cuttable.begin(), cuttable.end(), exchange->exchange) == cuttable.end())
      continue;
    if (rule.chunks > 0) {
      exchange->chunks = rule.chunks;
      continue;
    }
    const Traffic traffic = busiest_traffic(route.before[i], route.after[i], machine);
    if (traffic.far_messages == 0) continue;
    message_bytes[i] =
        traffic.far_points / traffic.far_messages * Scalar{problem.precision, true}.bytes();
    const double best = std::sqrt(static_cast<double>(message_bytes[i]) /
                                  static_cast<double>(rule.message_cost_bytes));
    exchange->chunks = std::clamp(static_cast<int>(best), 1, rule.most_chunks);
  }
  const std::vector<Cutting> cuttings = cuttings_of(strategy, route);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    constexpr int least_ordered = 2 * 2;
    const std::int64_t ordered = message_bytes[i] / rule.ordered_message_bytes;
    if (cuttings[i].source_axis == cuttings[i].target_axis || ordered < least_ordered) continue;
    auto& chunks = std::get<ExchangeStage>(stages[i]).chunks;
    chunks = static_cast<int>(std::min<std::int64_t>(chunks, ordered));
  }
  return strategy;
}

}  // namespace weft
