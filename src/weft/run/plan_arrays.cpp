// run/plan_arrays: which arrays of a run need a stand-in.

#include "weft/run/plan_arrays.hpp"

#include "weft/memory/shared_region.hpp"

namespace weft {

void PlanArrays::share(bool input, bool output) {
  input_stand_in_ = StandIn(input || (spec_.in_place && output) ? spec_.input.bytes : 0);
  output_stand_in_ = StandIn(output ? spec_.output.bytes : 0);
}

RunArray PlanArrays::run_array(const GivenArray& given, bool is_input, bool is_one_array,
                               bool is_shared) {
  const Side& side = is_input ? spec_.input : spec_.output;
  StandIn& stand_in = is_input || is_one_array ? input_stand_in_ : output_stand_in_;
  if (spec_.huge_pages && !SharedRegion::containing(given.data))
    huge_pages_.ask(given.data, side.bytes);
  return RunArray(given.data, side.bytes, side.points, is_shared ? &stand_in : nullptr);
}

// Other ranks may work on one side only in this direction. In place both sides are one array, but a
// plan in place may also be given two.
PlanArrays::OfRun PlanArrays::of_run(const Call& call, const Program& program) {
  const bool is_one_array = spec_.in_place && call.from.data == call.to.data;
  const bool both = is_one_array && (program.shares_source || program.shares_target);
  return {run_array(call.from, call.is_forward, is_one_array, program.shares_source || both),
          run_array(call.to, !call.is_forward, is_one_array, program.shares_target || both)};
}

}  // namespace weft
