// plan/fastest_engine: plans for both, as far as predictions need it.

#include "weft/plan/fastest_engine.hpp"

#include <algorithm>
#include <limits>

#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/common_engine.hpp"
#include "weft/choose/ranking.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/device/program_lines.hpp"
#include "weft/making/maker.hpp"
#include "weft/plan/device_speeds.hpp"
#include "weft/plan/machine_here.hpp"
#include "weft/plan/speeds.hpp"
#include "weft/planning/offload.hpp"

namespace weft {

namespace {

// The ranks with one of the engines.
struct Side {
  Options options;
  Machine machine;
  RankHere here;
};

Side side_of(const Communicator& comm, const Options& asked, const std::string& engine) {
  Side side{asked, {}, {}};
  side.options.engine = engine;
  side.machine = machine_here(comm, side.options, &side.here);
  return side;
}

struct Predicted {
  Problem problem;
  Strategy strategy;
  StrategyCost cost;
};

Predicted predicted(Problem problem, const Machine& machine, const Options& options) {
  if (problem.cutoff.is_given()) problem = with_placed_columns(problem, machine, options);
  const CostPredictor predictor = CostPredictor::here(machine);
  Strategy strategy = fastest_strategy(problem, predictor, options);
  if (machine.has_devices && machine.tile_bytes == 0) strategy = one_axis_a_pass(strategy);
  StrategyCost cost = predictor.cost(strategy, problem, exchange_kinds());
  return {std::move(problem), std::move(strategy), std::move(cost)};
}

// Error::unsupported if a line does not fit a block of threads.
void require_lines(const Predicted& plan, const Machine& machine) {
  Blueprint blueprint = Blueprint::of(plan.problem, one_axis_a_pass(plan.strategy), machine);
  blueprint.largest_tag = std::numeric_limits<int>::max();
  const Program program = make_program(blueprint, true, blueprint.route.before.front().holder(0));
  if (const auto reason = why_not_on_device(program, machine.block))
    throw Error(Error::unsupported, *reason, "let processors compute");
}

// The work of devices. `device_bytes` and `free_bytes`: what the rank may take that has least.
OffloadWork work_of_devices(const Problem& problem, Side side, const Machine& of_processors,
                            std::int64_t device_bytes, std::int64_t free_bytes) {
  const auto work = [&] {
    const Predicted plan = predicted(problem, side.machine, side.options);
    require_lines(plan, side.machine);
    const Route route = route_of(plan.strategy, plan.problem, side.machine.ranks);
    return offload_work(plan.strategy, route, plan.cost);
  };
  const OffloadWork held = work();
  // Arrays, and about one more, for each transform in flight.
  const double in_flight = side.options.in_flight;
  const double largest = in_flight * std::max(held.input_bytes, held.output_bytes);
  const double all =
      2 * largest +
      (problem.in_place ? 0 : in_flight * std::min(held.input_bytes, held.output_bytes));
  if (all <= static_cast<double>(device_bytes) && largest <= static_cast<double>(free_bytes))
    return held;
  side.machine.node_of_rank = of_processors.node_of_rank;
  side.machine.tile_bytes = streamed_tile_bytes(free_bytes, side.options);
  OffloadWork streamed = work();
  streamed.streams = true;
  return streamed;
}

}  // namespace

FastestEngine fastest_engine(const Communicator& comm, const Problem& problem,
                             const Options& asked) {
  const std::vector<std::string> libraries = common_engines(comm);
  const std::string library = libraries.empty() ? common_engine(comm, "") : libraries.front();
  if (problem.input.is_of_parts())
    return {library, false, "processors move data, without a device"};
  std::string why_not;
  const std::string driver = common_driver(comm, why_not);
  if (driver.empty()) return {library, false, "processors compute, as no device can: " + why_not};

  Side processors = side_of(comm, asked, library);
  confirm_caches(comm, processors.options, processors.here.cores, processors.machine);
  Side devices = side_of(comm, asked, driver);
  processors.machine.speeds = devices.machine.speeds =
      measured_speeds(comm, processors.machine, processors.options, processors.here.cores);
  const DeviceSpeeds speeds =
      device_speeds(comm, devices.here.device, devices.here.device_ranks, devices.options);
  const std::int64_t device_bytes = comm.min(devices.here.device_bytes);
  const std::int64_t free_bytes = comm.min(devices.here.free_device_bytes);
  FastestEngine fastest{library, false, {}};
  // The first letter is the choice.
  const std::string text = agree_on_text(comm, 0, [&]() -> std::string {
    const double seconds =
        predicted(problem, processors.machine, processors.options).cost.seconds();
    try {
      const OffloadWork work =
          work_of_devices(problem, devices, processors.machine, device_bytes, free_bytes);
      const EngineChoice choice =
          faster_engine(seconds, driver, offload_cost(work, speeds), speeds);
      return (choice.is_device ? "d" : "p") + choice.told;
    } catch (const Error& error) {
      if (error.code() != Error::unsupported) throw;
      return fmt::format("pprocessors compute, as {} cannot: {}", driver, error.message());
    }
  });
  fastest.is_device = text.front() == 'd';
  if (fastest.is_device) fastest.engine = driver;
  fastest.told = text.substr(1);
  return fastest;
}

}  // namespace weft
