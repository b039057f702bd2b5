// planning/offload: bytes over bandwidths.

#include "weft/planning/offload.hpp"

#include <algorithm>

#include "weft/planning/constants.hpp"

namespace weft {

OffloadWork offload_work(const Strategy& strategy, const Route& route, const StrategyCost& cost) {
  OffloadWork work;
  unsigned done = 0;
  const auto bytes_at = [&](const Decomposition& at) {
    return static_cast<double>(at.largest_volume() * route.states.scalar(done).bytes());
  };
  work.input_bytes = bytes_at(route.before.front());
  for (std::size_t i = 0; i < strategy.stages.size(); ++i) {
    const StageCost& stage = cost.stages[i];
    if (const auto* pass = std::get_if<PassStage>(&strategy.stages[i])) {
      const double loaded = bytes_at(route.before[i]);
      done |= FieldStates::set_of(pass->axes);
      work.passes.push_back({loaded, bytes_at(route.after[i])});
      continue;
    }
    // Sent and received, by a rank or by a node, of which a rank has what it holds at most.
    const double moved = static_cast<double>(stage.message_count) * stage.message_bytes / 2;
    work.exchanges.push_back({stage.seconds(), std::min(moved, bytes_at(route.before[i]))});
  }
  work.output_bytes = bytes_at(route.after.back());
  work.hidden = cost.hidden;
  return work;
}

OffloadCost offload_cost(const OffloadWork& work, const DeviceSpeeds& speeds) {
  constexpr double call = constants::device_call_seconds;
  OffloadCost cost;
  if (!work.streams)
    cost.copies =
        work.input_bytes / speeds.to_device + work.output_bytes / speeds.from_device + 2 * call;
  for (const OffloadWork::Pass& pass : work.passes) {
    cost.passes += call;
    if (work.streams)
      cost.copies += std::max(pass.loaded / speeds.to_device, pass.stored / speeds.from_device);
    else
      cost.passes += (pass.loaded + pass.stored) / speeds.memory;
  }
  for (const OffloadWork::Messages& each : work.exchanges)
    cost.messages += work.streams ? each.seconds
                                  : std::max({each.seconds, each.bytes / speeds.to_device,
                                              each.bytes / speeds.from_device});
  const double beside = work.streams ? cost.copies : cost.passes;
  cost.messages -= std::min({work.hidden, beside, cost.messages});
  return cost;
}

EngineChoice faster_engine(double seconds_on_processors, const std::string& driver,
                           const OffloadCost& on_device, const DeviceSpeeds& speeds) {
  constexpr double giga = 1e9;
  EngineChoice choice;
  choice.is_device = on_device.seconds() < seconds_on_processors;
  choice.told = fmt::format(
      "predicted {:.3f} ms on processors, {:.3f} ms on {}: of which {:.3f} ms for copies over the "
      "bus, {:.3f} for passes and {:.3f} for messages ({} {:.1f} GB/s to the device of a rank, "
      "{:.1f} from it, {:.1f} within)",
      1e3 * seconds_on_processors, 1e3 * on_device.seconds(), driver, 1e3 * on_device.copies,
      1e3 * on_device.passes, 1e3 * on_device.messages,
      speeds.are_measured ? "measured" : "nominal", speeds.to_device / giga,
      speeds.from_device / giga, speeds.memory / giga);
  return choice;
}

}  // namespace weft
