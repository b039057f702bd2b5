// planning/chunks: chooses axes and numbers of chunks.

#include "weft/planning/chunks.hpp"

#include <algorithm>
#include <cmath>

#include "weft/planning/constants.hpp"

namespace weft {

namespace {

using Stages = std::vector<Stage>;

// The axes of all consecutive passes from stage `i` on, forward (step 1) or backward (step -1).
std::vector<int> axes_of_passes(const Stages& stages, std::size_t i, int step) {
  std::vector<int> axes;
  for (; i < stages.size(); i += static_cast<std::size_t>(step)) {
    const auto* pass = std::get_if<PassStage>(&stages[i]);
    if (pass == nullptr) break;
    axes.insert(axes.end(), pass->axes.begin(), pass->axes.end());
  }
  return axes;
}

// Extents of the first box that any rank owns.
Dims local_extents(const Decomposition& at) {
  for (int owner = 0; owner < at.owners(); ++owner)
    if (const auto boxes = at.boxes(owner); !boxes.empty()) return boxes.front().extents();
  return at.extents();
}

bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// The passes on one side of an exchange.
struct Side {
  Side(const Decomposition& at, const std::vector<int>& transformed) : local(local_extents(at)) {
    for (int a = 0; a < local.size(); ++a)
      if (local[a] > 1 && !contains(transformed, a)) free_axes.push_back(a);
  }

  bool can_cut(int axis) const { return contains(free_axes, axis); }

  Dims local;                  // extents of one rank's box
  std::vector<int> free_axes;  // axes with several indices that these passes do not transform
};

int parts_of(std::int64_t wanted, std::int64_t indices) {
  return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, indices));
}

// `arrives_along` is the axis along which the chunks of the previous exchange arrive; -1: none.
Cutting cutting_for(const Side& source, const Side& target, int chunks, int arrives_along) {
  // Cut along the axis along which the data of the pass before arrive, if both sides can.
  if (source.can_cut(arrives_along) && target.can_cut(arrives_along)) {
    const int parts =
        parts_of(chunks, std::min(source.local[arrives_along], target.local[arrives_along]));
    return {arrives_along, parts, arrives_along, parts};
  }
  if (!source.can_cut(arrives_along))
    for (int axis : source.free_axes) {
      if (!target.can_cut(axis) || source.local[axis] != target.local[axis]) continue;
      const int parts = parts_of(chunks, source.local[axis]);
      return {axis, parts, axis, parts};
    }
  Cutting cutting;
  const auto target_parts = static_cast<std::int64_t>(std::floor(std::sqrt(chunks)));
  if (!target.free_axes.empty()) {
    cutting.target_axis = target.free_axes.front();
    cutting.target_parts = parts_of(target_parts, target.local[cutting.target_axis]);
  }
  if (!source.free_axes.empty()) {
    cutting.source_axis = source.can_cut(arrives_along) ? arrives_along : source.free_axes.front();
    cutting.source_parts =
        parts_of(chunks / cutting.target_parts, source.local[cutting.source_axis]);
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
    const Side source(route.before[i], axes_of_passes(strategy.stages, i - 1, -1));
    const Side target(route.after[i], axes_of_passes(strategy.stages, i + 1, 1));
    cuttings[i] = cutting_for(source, target, exchange->chunks, arrives_along);
    arrives_along = cuttings[i].target_parts > 1 ? cuttings[i].target_axis : -1;
  }
  return cuttings;
}

namespace {

// Bytes per second that a rank has of the link of its node, which was measured.
double link_of_rank(const Machine& machine) {
  const double ranks_of_node = std::ceil(static_cast<double>(machine.ranks) / machine.nodes());
  return machine.speeds.node_bytes_per_second / ranks_of_node;
}

// The cost of a message in bytes, with the speeds of this machine.
double message_cost(const Machine& machine) {
  if (!machine.speeds.are_links_known()) return constants::message_cost_bytes;
  return std::max(constants::message_cost_bytes,
                  machine.speeds.message_overhead_seconds * link_of_rank(machine));
}

std::int64_t least_row(const Machine& machine) {
  const bool are_slow =
      machine.speeds.are_links_known() && link_of_rank(machine) * constants::walks_of_slow_links <
                                              machine.speeds.walked_bytes_per_second;
  return are_slow ? constants::least_chunk_row_bytes_of_slow_links
                  : constants::least_chunk_row_bytes;
}

// The most parts of the last axis with rows that are not too short; no limit along others.
int most_parts(const Cutting& cutting, const Route& route, std::size_t stage,
               std::int64_t points_of_row) {
  const Dims before = local_extents(route.before[stage]), after = local_extents(route.after[stage]);
  const int last = before.size() - 1;
  if (cutting.source_axis != last || cutting.target_axis != last) return most_chunks;
  const std::int64_t points = std::min(before[last], after[last]);
  return parts_of(points / points_of_row, most_chunks);
}

}  // namespace

Strategy chunked(Strategy strategy, const Problem& problem, const CostPredictor& predictor,
                 const std::vector<std::string>& cuttable, int chunks) {
  const Machine& machine = predictor.ranks();
  const bool is_local = machine.nodes() == 1 && chunks == 0;
  if (is_local || chunks == 1) return strategy;
  const Route route = route_of(strategy, problem, machine.ranks);
  auto& stages = strategy.stages;
  std::vector<std::int64_t> message_bytes(stages.size());  // what two ranks or nodes exchange
  for (std::size_t i = 1; i + 1 < stages.size(); ++i) {
    auto* exchange = std::get_if<ExchangeStage>(&stages[i]);
    if (exchange == nullptr ||
        std::find(cuttable.begin(), cuttable.end(), exchange->exchange) == cuttable.end())
      continue;
    if (chunks > 0) {
      exchange->chunks = chunks;
      continue;
    }
    const Traffic traffic = predictor.traffic().between(route.before[i], route.after[i]);
    if (traffic.far_messages == 0) continue;
    message_bytes[i] = traffic.far_points / traffic.far_messages * problem.output_scalar().bytes();
    const double best = std::sqrt(static_cast<double>(message_bytes[i]) / message_cost(machine));
    exchange->chunks = std::clamp(static_cast<int>(best), 1, constants::most_chosen_chunks);
  }
  const std::int64_t points_of_row =
      std::max<std::int64_t>(1, least_row(machine) / problem.output_scalar().bytes());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    constexpr int least_ordered = 2 * 2;  // two parts on either side
    if (message_bytes[i] == 0) continue;
    int& chosen = std::get<ExchangeStage>(stages[i]).chunks;
    // How those before are cut has changed.
    const Cutting cutting = cuttings_of(strategy, route)[i];
    chosen = std::min(chosen, most_parts(cutting, route, i, points_of_row));
    const std::int64_t ordered = message_bytes[i] / constants::ordered_message_bytes;
    if (cutting.source_axis == cutting.target_axis || ordered < least_ordered) continue;
    chosen = static_cast<int>(std::min<std::int64_t>(chosen, ordered));
  }
  return strategy;
}

}  // namespace weft
