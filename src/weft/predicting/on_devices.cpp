// predicting/on_devices: the work of the busiest rank over what it has of its device.

#include "weft/predicting/on_devices.hpp"

#include <algorithm>

#include "weft/machine/block_lines.hpp"

namespace weft {

namespace {

class Devices {
 public:
  Devices(const Problem& problem, const CostPredictor& predictor)
      : problem_(problem), predictor_(predictor), kinds_(exchange_kinds()) {
    const MachineModel& machine = predictor.machine();
    const int of_node = std::min(machine.ranks_per_node, predictor.ranks().ranks);
    sharing_ = (of_node + machine.devices.count - 1) / machine.devices.count;
    const double bus = machine.devices.bus_bytes_per_second / sharing_;
    speeds_ = {bus, bus, machine.devices.memory_bytes_per_second / sharing_, false};
  }

  std::optional<OnDevices> with(const Strategy& of_processors) const {
    OnDevices found{one_axis_a_pass(of_processors), {}, speeds_, false};
    const Route route = route_of(found.strategy, problem_, predictor_.ranks().ranks);
    if (!holds_lines(found.strategy, route)) return std::nullopt;
    OffloadWork work = work_of(found.strategy, route);
    found.streams = !holds_arrays(work);
    if (found.streams) work = streamed(found.strategy = of_processors);
    found.cost = offload_cost(work, speeds_);
    return found;
  }

 private:
  OffloadWork work_of(const Strategy& strategy, const Route& route) const {
    return offload_work(strategy, route, predictor_.cost(strategy, problem_, kinds_));
  }

  // Axes share a pass then, as far as they do on processors.
  OffloadWork streamed(const Strategy& strategy) const {
    OffloadWork work = work_of(strategy, route_of(strategy, problem_, predictor_.ranks().ranks));
    work.streams = true;
    return work;
  }

  bool holds_lines(const Strategy& strategy, const Route& route) const {
    unsigned done = 0;
    for (const Stage& stage : strategy.stages) {
      const auto* pass = std::get_if<PassStage>(&stage);
      if (pass == nullptr) continue;
      const std::int64_t bytes = problem_.precision == Precision::single_precision ? 8 : 16;
      for (const int axis : pass->axes) {
        const std::int64_t points = route.states.extents(done)[axis];
        if (!block_holds(points, bytes, predictor_.ranks().block)) return false;
        done |= FieldStates::bit(axis);
      }
    }
    return true;
  }

  // Both arrays and a workspace as large as the larger one.
  bool holds_arrays(const OffloadWork& work) const {
    const double larger = std::max(work.input_bytes, work.output_bytes);
    const double all =
        2 * larger + (problem_.in_place ? 0 : std::min(work.input_bytes, work.output_bytes));
    return all <= static_cast<double>(predictor_.machine().devices.memory_bytes) / sharing_;
  }

  const Problem& problem_;
  const CostPredictor& predictor_;
  std::vector<ExchangeKind> kinds_;
  int sharing_ = 1;
  DeviceSpeeds speeds_;
};

}  // namespace

std::optional<OnDevices> on_devices(const std::vector<Ranked>& ranked, const Problem& problem,
                                    const CostPredictor& predictor) {
  std::optional<OnDevices> best;
  if (predictor.machine().devices.count == 0) return best;
  const Devices devices(problem, predictor);
  for (const Ranked& each : ranked) {
    std::optional<OnDevices> found = devices.with(each.strategy);
    if (found && (!best || found->cost.seconds() < best->cost.seconds())) best = std::move(found);
  }
  return best;
}

}  // namespace weft
