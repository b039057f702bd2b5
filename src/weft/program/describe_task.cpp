// program/describe_task: describes one task of a program in words.

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/program/index.hpp"
#include "weft/program/program.hpp"

namespace weft {

namespace {

// "item 3 of tiles 12 to 15"
std::string item_words(const SweepProgram& sweep, int number) {
  const Item& item = sweep.items[at(number)];
  std::vector<std::size_t> grains(sweep.order.begin() + static_cast<std::ptrdiff_t>(item.first),
                                  sweep.order.begin() + static_cast<std::ptrdiff_t>(item.last));
  std::sort(grains.begin(), grains.end());
  const char* kind = sweep.passes.size() == 1 ? "tile" : "block";
  if (grains.empty()) return fmt::format("item {} of no {}s", number, kind);
  if (grains.size() == 1) return fmt::format("item {} of {} {}", number, kind, grains.front());
  if (grains.back() - grains.front() == grains.size() - 1)
    return fmt::format("item {} of {}s {} to {}", number, kind, grains.front(), grains.back());
  return fmt::format("item {} of {} {}s between {} and {}", number, grains.size(), kind,
                     grains.front(), grains.back());
}

std::string milestone_words(const Task& task) {
  switch (task.what) {
    case Task::begins:
      return "the step begins";
    case Task::passes:
      return "the step has run";
    case Task::opens:
      return "the exchange opens";
    case Task::arrived:
      return fmt::format("incoming message {} has arrived", task.index);
    case Task::finishes:
      return "the exchange has finished";
    case Task::none:
      break;
  }
  return "milestone";
}

std::string signal_words(const Program& program, const Task& task) {
  const std::string& name = program.signals[at(task.index)].name;
  if (task.kind == Task::raise) return fmt::format("raise of signal {} ({})", task.index, name);
  std::string words = fmt::format("await of signal {} ({})", task.index, name);
  if (task.lag == 1) words += " of the run before";
  if (task.lag > 1) words += fmt::format(" of {} runs before", task.lag);
  return words;
}

std::string what_it_does(const Program& program, const Task& task) {
  const Step& step = program.steps[at(task.step)];
  const auto exchange = [&]() -> const ExchangeProgram& {
    return program.exchanges[at(step.exchange)];
  };
  switch (task.kind) {
    case Task::compute:
      return item_words(program.sweeps[at(step.sweep)], task.index);
    case Task::stored:
      return fmt::format("outgoing message {} is stored", task.index);
    case Task::receive: {
      const Message& message = exchange().receives[at(task.index)];
      return fmt::format("receive {} from rank {}, tag {}", task.index, message.peer, message.tag);
    }
    case Task::send: {
      const Message& message = exchange().sends[at(task.index)];
      return fmt::format("send {} to rank {}, tag {}", task.index, message.peer, message.tag);
    }
    case Task::collective:
      return fmt::format("collective {} of {} ranks", task.index,
                         exchange().collectives[at(task.index)].group.size());
    case Task::raise:
    case Task::await:
      return signal_words(program, task);
    case Task::milestone:
      break;
  }
  return milestone_words(task);
}

}  // namespace

std::string describe_task(const Program& program, int number) {
  const Task& task = program.tasks[at(number)];
  return fmt::format("step {} ({}): {}", task.step, program.steps[at(task.step)].name,
                     what_it_does(program, task));
}

}  // namespace weft
