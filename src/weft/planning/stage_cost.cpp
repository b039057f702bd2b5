// planning/stage_cost: sums of what memory, transforms, messages and links take.

#include "weft/planning/stage_cost.hpp"

#include <algorithm>

namespace weft {

double StageCost::seconds() const {
  if (!is_exchange) return memory + transforms;
  return memory + messages + latency + links + more_by_handling();
}

double StageCost::more_by_handling() const {
  return std::max(0.0, handling - (memory + messages + latency + links));
}

RankSpeeds::RankSpeeds(const MachineModel& machine, const Machine& ranks,
                       double node_bytes_per_second)
    : machine_(&machine),
      node_bytes_per_second_(node_bytes_per_second),
      segment_bytes_(ranks.segment_bytes),
      threads_(ranks.threads(0)),
      nodes_(ranks.nodes()),
      ranks_of_node_(std::min(machine.ranks_per_node, ranks.ranks)) {}

// Ranks and threads beyond the cores of a node take turns: a rank has its part of what the cores
// that are busy have together.
double RankSpeeds::memory(int threads, double bytes) const {
  const double busy =
      std::min<double>(machine_->cores_per_node, static_cast<double>(ranks_of_node_) * threads);
  return memory_share(*machine_, static_cast<int>(busy), bytes * ranks_of_node_) * busy /
         ranks_of_node_;
}

double RankSpeeds::cores() const {
  return std::min<double>(threads_, static_cast<double>(machine_->cores_per_node) / ranks_of_node_);
}

double RankSpeeds::node_seconds(double node_bytes, double message_bytes, bool shares_memory) const {
  double segments = 1;
  if (shares_memory)
    segments = std::clamp(message_bytes / static_cast<double>(segment_bytes_), 1.0,
                          static_cast<double>(ranks_of_node_));
  return node_bytes / message_speed(machine_->message_speeds, message_bytes / segments);
}

StageCost RankSpeeds::exchange(const Traffic& traffic, const ExchangeForm& form) const {
  StageCost cost;
  cost.is_exchange = true;
  const double far_bytes = static_cast<double>(traffic.far_points) * form.point_bytes;
  // Each rank sends and receives.
  double messages = 2 * static_cast<double>(traffic.far_messages) * form.chunks;
  if (form.shares_memory)
    messages = std::min(messages, 2.0 * (nodes_ - 1) * form.chunks / ranks_of_node_);
  const double of_messages = messages * machine_->message_seconds;
  // The ranks of a node that share memory wait for each other.
  cost.messages = of_messages + (form.shares_memory ? machine_->synchronization_seconds : 0);
  cost.message_count = static_cast<std::int64_t>(messages);
  if (messages > 0) cost.message_bytes = 2 * far_bytes / messages;
  if (!form.shares_memory)
    cost.memory = form.point_bytes * static_cast<double>(traffic.points - traffic.far_points) /
                  moved_bytes_per_second();
  // As if a rank received as much as it sends, and the ranks of a node were alike.
  cost.handling = 2 * far_bytes * machine_->message_seconds_per_byte;
  if (traffic.far_points > 0) {
    const double of_node = far_bytes * ranks_of_node_;
    cost.links =
        std::max(of_node / node_bytes_per_second_,
                 node_seconds(of_node, cost.message_bytes, form.shares_memory) - of_messages);
  }
  return cost;
}

PassCosts::PassCosts(const RankSpeeds& speeds, const Problem& problem, const FieldStates& states,
                     const Machine& ranks)
    : speeds_(speeds), states_(states), in_place_(problem.in_place), grouping_(states, ranks) {
  const bool is_single = problem.precision == Precision::single_precision;
  const Extents before = states.extents(0), after = states.extents(states.changed());
  for (int axis = 0; axis < before.size(); ++axis) {
    const KeptLine& kept = states.kept(axis);
    const std::int64_t points = kept.is_all() ? before[axis] : kept.points;
    const LineForm form{axis + 1 < before.size(), axis == states.half(), is_single};
    lines_.push_back({static_cast<double>(before[axis]), static_cast<double>(after[axis]),
                      static_cast<double>(points) *
                          transform_seconds_per_point(speeds.machine(), points, form)});
  }
}

double PassCosts::walk_seconds(const Walks& walks, double bytes) const {
  double seconds =
      walks.of_memory * bytes / speeds_.walked_bytes_per_second(in_place_ ? bytes / 2 : bytes);
  if (walks.of_shared_cache > 0 && !speeds_.machine().shared_cache_bytes_per_second.empty())
    seconds += walks.of_shared_cache * bytes / speeds_.walked_bytes_per_second(0);
  return seconds;
}

double PassCosts::copy_seconds(double points, unsigned done) const {
  return walk_seconds({1, 0}, 2 * points * static_cast<double>(states_.scalar(done).bytes()));
}

StageCost PassCosts::cost(const PassStage& pass, double& points, unsigned& done) const {
  StageCost cost;
  double bytes = points * static_cast<double>(states_.scalar(done).bytes());
  // Lines become shorter, or longer, axis by axis.
  for (const int axis : pass.axes) {
    const Line& line = lines_[static_cast<std::size_t>(axis)];
    const double lines = points / line.before;
    cost.transforms += lines * line.seconds;
    points = lines * line.after;
    done |= FieldStates::bit(axis);
  }
  bytes += points * static_cast<double>(states_.scalar(done).bytes());
  const bool is_whole = pass.choice.is_whole.value_or(false);
  const auto [walks, is_new] = walks_.try_emplace({pass.axes, is_whole});
  if (is_new)
    // A library walks as often as the passes that would be best for these axes.
    for (const PassStage& one : is_whole ? grouping_.passes(pass.axes) : std::vector{pass}) {
      walks->second.of_memory += grouping_.walks_of(one);
      walks->second.of_shared_cache += grouping_.walks_in_shared_cache(one);
    }
  cost.memory = walk_seconds(walks->second, bytes);
  cost.transforms /= speeds_.cores();
  // Sines and cosines of real lines.
  if (!states_.scalar(done).is_complex) cost.transforms /= 2;
  return cost;
}

}  // namespace weft
