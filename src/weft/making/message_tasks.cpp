// making/exchange_tasks: exchanges by messages and by collectives.

#include "weft/making/exchange_tasks.hpp"
#include "weft/making/memory_turns.hpp"

namespace weft {

namespace {

// The tasks of an exchange, by the number of the message or the collective.
struct Transfers {
  std::vector<int> receives, sends, collectives;
};

// All members start the collectives of an exchange in the order of their numbers.
Transfers add_transfers(const ExchangeProgram& program, std::size_t step, int begins,
                        TaskBuilder& tasks) {
  Transfers made;
  for (std::size_t r = 0; r < program.receives.size(); ++r) {
    made.receives.push_back(tasks.add(Task::receive, step, static_cast<int>(r)));
    tasks.wait(made.receives.back(), begins, Why::begun);
  }
  for (std::size_t s = 0; s < program.sends.size(); ++s)
    made.sends.push_back(tasks.add(Task::send, step, static_cast<int>(s)));
  for (std::size_t c = 0; c < program.collectives.size(); ++c) {
    const int task = tasks.add(Task::collective, step, static_cast<int>(c));
    tasks.wait(task, begins, Why::begun);
    if (c > 0) tasks.wait(task, made.collectives.back(), Why::ordered, true);
    made.collectives.push_back(task);
  }
  return made;
}

}  // namespace

void add_message_tasks(const ProgramSteps& steps, const std::vector<StepTasks>& made, std::size_t i,
                       TaskBuilder& tasks) {
  const ExchangeLayout& exchange = steps.layout(i);
  const StepTasks& mine = made[i];
  tasks.wait(mine.opens, mine.begins, Why::begun);
  const auto [receives, sends, collectives] =
      add_transfers(exchange.program, i, mine.begins, tasks);
  // In place, the last exchange receives into the source: a rank with nothing to store must not
  // start it before its source has been read.
  if (steps.in_place() && i + 1 == steps.size() && i > 0)
    for (const int task : collectives) wait_until_source_is_read(steps, made[0], task, tasks);
  for (std::size_t m = 0; m < exchange.outgoing_messages.size(); ++m) {
    const Outgoing& message = exchange.outgoing_messages[m];
    const int stored = tasks.step(i).stored[m];
    if (message.send >= 0) tasks.wait(sends[at(message.send)], stored, Why::stored);
    if (message.collective >= 0)
      tasks.wait(collectives[at(message.collective)], stored, Why::stored);
    if (message.stays_as >= 0)
      tasks.wait(tasks.step(i).arrived[at(message.stays_as)], stored, Why::stored);
  }
  for (std::size_t m = 0; m < exchange.incoming_messages.size(); ++m) {
    const Incoming& message = exchange.incoming_messages[m];
    const int arrived = tasks.step(i).arrived[m];
    if (message.receive >= 0) tasks.wait(arrived, receives[at(message.receive)], Why::done);
    if (message.collective >= 0)
      tasks.wait(arrived, collectives[at(message.collective)], Why::done);
    tasks.wait(mine.finishes, arrived, Why::done);
  }
  for (const auto* transfers : {&receives, &sends, &collectives})
    for (const int task : *transfers) tasks.wait(mine.finishes, task, Why::done);
  tasks.wait(mine.finishes, mine.all_loaded, Why::loaded);
}

}  // namespace weft
