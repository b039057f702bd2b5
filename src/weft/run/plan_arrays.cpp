// run/plan_arrays: which arrays of a run need a stand-in.

#include "weft/run/plan_arrays.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/memory/readable.hpp"

namespace weft {

namespace {

Error not_of_processor(bool is_source, bool streams) {
  return Error(Error::invalid,
               fmt::format("the {} is in memory that the processor cannot touch, such as a "
                           "device's, and this plan {}",
                           is_source ? "source" : "target",
                           streams ? "has its data in memory of the processor, from where they "
                                     "stream through the device"
                                   : "computes on the processor"),
               streams ? "give the plan arrays in memory of the processor, or a larger "
                         "Options::device_memory_limit"
                       : "make a plan for the device, or give the plan arrays in memory of the "
                         "processor");
}

}  // namespace

// On a device, each side may be given an array in memory of the processor; where data stream
// through one, an array that is not registered.
PlanArrays::PlanArrays(Spec spec) : spec_(std::move(spec)) {
  if (!takes_registered()) return;
  input_stand_in_ = StandIn(spec_.input.bytes, spec_.device, spec_.through, spec_.alignment);
  output_stand_in_ = StandIn(spec_.output.bytes, spec_.device, spec_.through, spec_.alignment);
}

void PlanArrays::share(bool input, bool output) {
  is_shared_ = true;
  if (takes_registered()) return;
  input_stand_in_ = StandIn(input || (spec_.in_place && output) ? spec_.input.bytes : 0);
  output_stand_in_ = StandIn(output ? spec_.output.bytes : 0);
}

RunArray PlanArrays::run_array(const GivenArray& given, const Use& use) {
  const Side& side = use.is_input ? spec_.input : spec_.output;
  StandIn& stand_in = use.is_input || use.is_one_array ? input_stand_in_ : output_stand_in_;
  if (spec_.device)
    return RunArray(given.data, side.bytes, side.points, &stand_in, use.is_shared && is_shared_,
                    use.in_graph);
  // Asking takes a sixth of a microsecond, so arrays of the run before are not asked for again. A
  // null pointer is given where this rank has no points.
  const bool is_known =
      given.data == nullptr || std::ranges::find(readable_, given.data) != readable_.end();
  if (!is_known && side.bytes > 0 && !is_readable(given.data))
    throw not_of_processor(use.is_source, static_cast<bool>(spec_.through));
  if (!is_known) readable_.at(use.is_input ? 0 : 1) = given.data;
  if (spec_.huge_pages && !SharedRegion::containing(given.data))
    huge_pages_.ask(given.data, side.bytes);
  if (spec_.through)
    return RunArray(given.data, side.bytes, side.points, &stand_in, use.is_shared && is_shared_);
  return RunArray(given.data, side.bytes, side.points, use.is_shared ? &stand_in : nullptr);
}

// Other ranks may work on one side only in this direction. In place both sides are one array, but a
// plan in place may also be given two.
PlanArrays::OfRun PlanArrays::of_run(const Call& call, const Program& program, bool in_graph) {
  const bool is_one_array = spec_.in_place && call.from.data == call.to.data;
  const bool both = is_one_array && (program.shares_source || program.shares_target);
  const bool from_shared = program.shares_source || both, to_shared = program.shares_target || both;
  return {run_array(call.from, {true, call.is_forward, is_one_array, from_shared, in_graph}),
          run_array(call.to, {false, !call.is_forward, is_one_array, to_shared, in_graph})};
}

}  // namespace weft
