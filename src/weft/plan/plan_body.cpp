// plan/plan_body: what a plan tells of itself.

#include "weft/plan/plan_body.hpp"

#include "weft/device/zeroed_memory.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/log.hpp"
#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/plan/describe.hpp"
#include "weft/plan/memory_need.hpp"
#include "weft/problem/problem_text.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

namespace {

// Of a decomposition of the inner grid, into how many pieces it divides each of the user's axes; of
// boxes, and where an axis is split, nothing.
Dims pieces_per_axis(const View& view, const Decomposition& at) {
  if (!at.grid() || view.split) return {};
  Dims pieces = Dims::filled(view.extents.size(), 1);
  for (int inner = 0; inner < at.grid()->parts.size(); ++inner)
    if (const int axis = view.user_axis(inner); axis >= 0) pieces[axis] = at.grid()->parts[inner];
  return pieces;
}

}  // namespace

std::int64_t PlanParts::array_bytes(const Share& share) const {
  return problem.in_place ? std::max(bytes_of_array(input), bytes_of_array(output))
                          : bytes_of_array(share);
}

PlanBody::PlanBody(PlanParts parts)
    : parts_(std::move(parts)),
      last_forward_(parts_.slots->all().front().get()),
      last_backward_(last_forward_) {}

void PlanBody::report() const {
  if (!parts_.is_logged) return;
  agree(*parts_.comm, [&] {
    if (parts_.comm->rank() == 0) log_plan();
  });
}

void PlanBody::log_plan() const {
  const Machine& machine = parts_.blueprint->machine;
  log_line(LogLevel::info, [&] {
    return fmt::format("planned {} {} over {} rank{}: {}", kind_text(parts_.problem),
                       to_string(parts_.problem.extents), machine.ranks,
                       machine.ranks == 1 ? "" : "s", to_string(strategy()));
  });
  if (!machine.why_not_shared.empty())
    log_line(LogLevel::info, [&] { return not_shared_text(machine); });
  log_line(LogLevel::debug, [&] { return describe(Detail::all); });
}

PlanMemory PlanBody::memory() const {
  PlanMemory memory;
  memory.planned = parts_.planned;
  for (const auto& slot : parts_.slots->all()) {
    const MemoryUse use = slot->memory();
    memory.held.buffers += use.buffers;
    memory.held.stand_ins += use.stand_ins;
    memory.held.tiles += use.tiles;
    memory.held.programs += use.programs;
  }
  return memory;
}

std::int64_t PlanBody::workspace_bytes() const {
  const MemoryUse held = memory().held;
  return held.buffers + held.stand_ins + held.tiles;
}

// With the lock, as a thread that makes progress may be writing to them.
RunReport PlanBody::runs(bool is_forward) const {
  RunReport report;
  parts_.scheduler->with_lock([&] {
    report.runs = is_forward ? forward_runs_ : backward_runs_;
    const ExecutionSlot& slot = *(is_forward ? last_forward_ : last_backward_);
    report.stages = stages(is_forward, slot.programs().execution(is_forward));
    report.copied_bytes = report.runs == 0 ? 0 : slot.copied_bytes();
  });
  return report;
}

void PlanBody::record_runs() const {
  parts_.scheduler->with_lock([&] {
    for (const auto& slot : parts_.slots->all()) slot->record_runs();
  });
}

RunEvents PlanBody::events(bool is_forward) const {
  RunEvents events;
  parts_.scheduler->with_lock([&] {
    const ExecutionSlot& slot = *(is_forward ? last_forward_ : last_backward_);
    events = events_of(slot.programs().execution(is_forward));
  });
  return events;
}

std::vector<StreamSpan> PlanBody::stream_spans(bool is_forward) const {
  std::vector<StreamSpan> spans;
  parts_.scheduler->with_lock([&] {
    spans = (is_forward ? last_forward_ : last_backward_)->programs().stream_spans(is_forward);
  });
  return spans;
}

std::vector<StageReport> PlanBody::stages(bool is_forward, const Execution& execution) const {
  std::vector<StageReport> stages;
  const Program& program = execution.program();
  const auto& spans = execution.trace().spans();
  const Route& route = parts_.blueprint->route;
  // c2r runs the programs of r2c the other way round.
  const bool goes_forward = is_forward != (parts_.problem.kind == Kind::c2r);
  Dims grid =
      pieces_per_axis(route.input_view(), goes_forward ? route.before.front() : route.after.back());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Step& step = program.steps[i];
    StageReport stage;
    stage.name = step.name;
    stage.is_exchange = step.exchange >= 0;
    stage.start = spans[i].start;
    stage.seconds = spans[i].seconds;
    stage.bytes = step.bytes;
    stage.messages = step.messages;
    stage.message_bytes = step.message_bytes;
    stage.active_seconds = std::max(0.0, spans[i].active_to - spans[i].active_from);
    if (stage.is_exchange) {
      const ExchangeProgram& exchange = program.exchanges[static_cast<std::size_t>(step.exchange)];
      stage.segments = exchange.segments;
      stage.exchange = exchange.name;
    } else {
      const auto& passes = program.sweeps[static_cast<std::size_t>(step.sweep)].passes;
      stage.passes = passes.size();
      for (const PassProgram& pass : passes)
        for (const int axis : pass.spec.axes)
          stage.axes.push_back(route.input_view().user_axis(axis));
    }
    // A copy that is no stage of the strategy changes nothing.
    if (step.stage >= 0) {
      const auto number = static_cast<std::size_t>(step.stage);
      grid = pieces_per_axis(route.input_view(),
                             goes_forward ? route.after[number] : route.before[number]);
    }
    stage.grid = grid;
    stages.push_back(std::move(stage));
  }
  for (const Trace::Item& item : execution.trace().items())
    stages[item.step].items.push_back({execution.feeds(item), item.start, item.seconds});
  return stages;
}

std::shared_ptr<std::byte> PlanBody::allocate(std::int64_t bytes, Memory kind) const {
  const bool shares = parts_.shares_memory && parts_.node_ranks > 1 && !parts_.device;
  if (kind == Memory::host) return field_memory(bytes, shares, threads());
  if (parts_.through && kind == Memory::registered)
    return registered_memory(parts_.through, field_memory(bytes, shares, threads()), bytes);
  if (parts_.through && kind == Memory::device)
    throw Error(Error::invalid,
                "device memory is wanted of a plan that has its data in memory of the processor, "
                "from where they stream through the device",
                "take registered memory, or set a larger Options::device_memory_limit");
  if (parts_.through) return zeroed_memory(parts_.through, kind, bytes);
  if (!parts_.device)
    throw Error(
        Error::invalid,
        fmt::format("{} memory is wanted of a plan whose processors compute", to_string(kind)),
        "name a driver of devices as the engine (`weft engines` lists them)");
  return zeroed_memory(parts_.device, kind, bytes);
}

std::string PlanBody::device_text() const {
  const Device& device = parts_.through ? parts_.through : parts_.device;
  if (!device) return {};
  const DeviceTraits traits = device.driver->traits(device.number);
  return fmt::format("{}device {}: {} at {}",
                     parts_.through ? "in memory of the processor, in tiles through " : "",
                     device.number, traits.name, traits.bus);
}

std::string PlanBody::describe(Detail detail) const {
  const BoundPrograms& first = parts_.slots->all().front()->programs();
  const Description description{parts_.problem,
                                *parts_.blueprint,
                                largest_workspace_bytes_,
                                parts_.most_planned,
                                parts_.fewest_threads,
                                parts_.most_threads,
                                first.shares_input(),
                                first.shares_output(),
                                parts_.takes_turns,
                                parts_.blueprint->machine.has_devices
                                    ? std::nullopt
                                    : find_engine(parts_.blueprint->strategy.engine).caveat(),
                                parts_.route.text,
                                parts_.engine_choice,
                                parts_.remembered ? parts_.remembered->note : "",
                                parts_.raced,
                                parts_.options,
                                parts_.progress};
  return detail == Detail::all ? describe_plan(description) : summarize_plan(description);
}

}  // namespace weft
