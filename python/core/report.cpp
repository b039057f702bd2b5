// python/core/report: names the values of plans.

#include "report.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "weft/problem/line_transform.hpp"

namespace nb = nanobind;

namespace weft::python {

namespace {

nb::dict use_of(const MemoryUse& use) {
  nb::dict bytes;
  bytes["input"] = use.input;
  bytes["output"] = use.output;
  bytes["buffers"] = use.buffers;
  bytes["stand_ins"] = use.stand_ins;
  bytes["tiles"] = use.tiles;
  bytes["programs"] = use.programs;
  bytes["total"] = use.total();
  return bytes;
}

nb::dict stage_of(const StageReport& stage) {
  nb::dict of;
  of["name"] = stage.name;
  of["is_exchange"] = stage.is_exchange;
  of["start"] = stage.start;
  of["seconds"] = stage.seconds;
  of["bytes"] = stage.bytes;
  of["messages"] = stage.messages;
  of["message_bytes"] = stage.message_bytes;
  of["segments"] = stage.segments;
  of["active_seconds"] = stage.active_seconds;
  of["passes"] = stage.passes;
  of["axes"] = stage.axes;
  of["exchange"] = stage.exchange;
  of["grid"] = tuple_of(stage.grid);
  return of;
}

nb::dict runs_of(const RunReport& runs) {
  nb::list stages;
  for (const auto& stage : runs.stages) stages.append(stage_of(stage));
  nb::dict of;
  of["runs"] = runs.runs;
  of["stages"] = stages;
  of["copied_bytes"] = runs.copied_bytes;
  return of;
}

nb::dict machine_of(const MachineReport& machine) {
  nb::dict of;
  of["ranks"] = machine.ranks;
  of["nodes"] = machine.nodes;
  of["node_of_rank"] = machine.node_of_rank;
  of["threads_of_rank"] = machine.threads_of_rank;
  of["cache_bytes"] = machine.cache_bytes;
  of["shared_cache_bytes"] = machine.shared_cache_bytes;
  of["eager_message_bytes"] = machine.eager_message_bytes;
  of["segment_bytes"] = machine.segment_bytes;
  return of;
}

}  // namespace

nb::tuple tuple_of(const Dims& dims) {
  nb::list list;
  for (const auto value : dims) list.append(value);
  return nb::tuple(list);
}

nb::dict memory_of(const AnyPlan& plan) {
  const PlanMemory memory = plan.memory();
  nb::dict of;
  of["planned"] = use_of(memory.planned);
  of["held"] = use_of(memory.held);
  return of;
}

nb::dict report_of(const AnyPlan& plan) {
  const PlanReport report = plan.report();
  nb::dict of;
  of["strategy"] = report.strategy;
  of["engine"] = report.engine;
  of["device"] = report.device;
  of["is_remembered"] = report.is_remembered;
  of["machine"] = machine_of(report.machine);
  of["memory"] = memory_of(plan);
  of["forward"] = runs_of(report.forward);
  of["backward"] = runs_of(report.backward);
  return of;
}

nb::dict transform_of(const AnyPlan& plan) {
  const Problem& problem = plan.problem();
  nb::list bases, support;
  for (int axis = 0; axis < problem.extents.size(); ++axis) {
    bases.append(to_string(basis_of(problem, axis)));
    support.append(problem.support.lo.empty() ? 0 : problem.support.lo[axis]);
  }
  nb::dict of;
  of["kind"] = to_string(problem.kind);
  of["extents"] = tuple_of(problem.extents);
  of["axes"] = problem.axes.list();
  of["bases"] = bases;
  of["norm"] = to_string(problem.norm);
  of["support"] = support;
  of["ratio"] = norm_factor(problem, true) / norm_factor(problem, false);
  return of;
}

nb::dict side_of(const Side& side) {
  const Share& share = side.share;
  nb::list boxes, starts, box_steps, shape, steps;
  for (const auto& box : share.boxes)
    boxes.append(nb::make_tuple(tuple_of(box.lo), tuple_of(box.hi)));
  for (const auto offset : share.array.offsets) starts.append(offset);
  const int axes = share.extents.size();
  for (const auto& layout : share.array.layouts) {
    Dims of_box;  // without the numbers that an element consists of
    for (int axis = 0; axis < axes; ++axis) of_box.push_back(layout.strides[axis]);
    box_steps.append(tuple_of(of_box));
  }
  for (const auto points : side.shape) shape.append(points);
  for (const auto step : side.steps) steps.append(step);
  nb::dict of;
  of["dtype"] = side.has_numbers ? nb::cast(share.scalar.name()) : nb::none();
  of["extents"] = tuple_of(share.extents);
  of["elements"] = share.elements;
  of["fields"] = share.fields;
  of["field_stride"] = share.array.field_stride;
  of["is_interleaved"] = side.storage.interleaves_batch;
  of["is_box"] = side.is_box;
  of["shape"] = nb::tuple(shape);
  of["steps"] = nb::tuple(steps);
  of["boxes"] = boxes;
  of["starts"] = starts;
  of["box_steps"] = box_steps;
  of["before"] = tuple_of(side.storage.before);
  of["after"] = tuple_of(side.storage.after);
  if (share.waves.are_given())
    of["waves"] = nb::bytes(reinterpret_cast<const char*>(share.waves.begin()),
                            std::size_t(share.waves.size()) * sizeof(Wave));
  return of;
}

}  // namespace weft::python
