// run/run_events: finds out of the trace of a run which messages, collectives and signals it had.

#include "weft/run/run_events.hpp"

#include <cmath>

#include "weft/program/index.hpp"
#include "weft/run/execution.hpp"

namespace weft {

namespace {

constexpr double nano = 1e9;
constexpr int nothing = -1;

void add_message(RunEvent& event, const Message& message, std::int64_t element_bytes) {
  event.peer = message.peer;
  event.number = message.tag;
  event.bytes = message.count * element_bytes;
}

RunEvent event_of(const Program& program, const Task& task) {
  RunEvent event;
  event.kind = task.kind;
  event.step = task.step;
  event.number = task.index;
  event.is_of_earlier_run = task.lag > 0;
  if (task.kind == Task::raise || task.kind == Task::await) {
    event.signal = program.signals[at(task.index)].name;
    return event;
  }
  const ExchangeProgram& exchange = program.exchanges[at(program.steps[at(task.step)].exchange)];
  if (task.kind == Task::send)
    add_message(event, exchange.sends[at(task.index)], exchange.element_bytes);
  if (task.kind == Task::receive)
    add_message(event, exchange.receives[at(task.index)], exchange.element_bytes);
  if (task.kind == Task::collective)
    for (const Collective::Part& part : exchange.collectives[at(task.index)].sends)
      if (part.peer != program.rank) event.bytes += part.elements() * exchange.element_bytes;
  return event;
}

}  // namespace

RunEvents events_of(const Execution& execution) {
  const Program& program = execution.program();
  const Trace& trace = execution.trace();
  RunEvents found;
  std::vector<int> event_of_task(program.tasks.size(), nothing);
  for (std::size_t t = 0; t < trace.tasks().size(); ++t) {
    const Trace::TaskTimes& times = trace.tasks()[t];
    if (times.submitted == 0) continue;
    event_of_task[t] = static_cast<int>(found.events.size());
    RunEvent& event = found.events.emplace_back(event_of(program, program.tasks[t]));
    event.start = times.submitted;
    event.call_seconds = times.call_seconds;
    event.end = times.completed;
  }
  for (const Trace::Idle& wait : trace.waits()) {
    int event = RunWait::all_ranks;
    if (wait.task != Trace::Idle::nobody) event = event_of_task[at(wait.task)];
    if (event == nothing && wait.task != Trace::Idle::nobody) event = RunWait::device;
    found.waits.push_back({event, wait.start, wait.end - wait.start});
  }
  return found;
}

std::vector<std::int64_t> numbers_of(const RunEvents& events, double zero) {
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(events.events.size())};
  const auto since = [zero](double time) {
    return time > 0 ? std::llround((time - zero) * nano) : 0;
  };
  for (const RunEvent& event : events.events) {
    numbers.insert(numbers.end(),
                   {event.kind, event.step, event.peer, event.number, event.is_of_earlier_run,
                    event.bytes, since(event.start), std::llround(event.call_seconds * nano),
                    since(event.end), static_cast<std::int64_t>(event.signal.size())});
    numbers.insert(numbers.end(), event.signal.begin(), event.signal.end());
  }
  for (const RunWait& wait : events.waits)
    numbers.insert(numbers.end(),
                   {wait.event, since(wait.start), std::llround(wait.seconds * nano)});
  return numbers;
}

RunEvents events_of(const std::vector<std::int64_t>& numbers) {
  RunEvents events;
  auto next = numbers.begin();
  const auto number = [&] { return static_cast<int>(*next++); };
  const auto seconds = [&] { return static_cast<double>(*next++) / nano; };
  for (std::int64_t left = *next++; left > 0; --left) {
    RunEvent& event = events.events.emplace_back();
    event.kind = static_cast<Task::Kind>(number());
    event.step = number();
    event.peer = number();
    event.number = number();
    event.is_of_earlier_run = number() != 0;
    event.bytes = *next++;
    event.start = seconds();
    event.call_seconds = seconds();
    event.end = seconds();
    for (int letters = number(); letters > 0; --letters)
      event.signal += static_cast<char>(number());
  }
  while (next != numbers.end()) {
    RunWait& wait = events.waits.emplace_back();
    wait.event = number();
    wait.start = seconds();
    wait.seconds = seconds();
  }
  return events;
}

}  // namespace weft
