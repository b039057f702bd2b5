// proof/mutations: finds the kinds of waits, and removes one.

#include "weft/proof/mutations.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

template <class Programs, class Body>
void for_each_task(Programs& set, const Body& body) {
  for (auto* programs : {&set.forward, &set.backward})
    for (auto& program : *programs)
      for (auto& task : program.tasks) body(program, task);
}

bool is_await_of(const Program& program, const Task& task, const WaitKind& kind) {
  return task.kind == Task::await && task.lag == kind.lag &&
         program.signals[static_cast<std::size_t>(task.index)].name == kind.signal;
}

}  // namespace

std::string to_string(const WaitKind& kind) {
  if (!kind.signal.empty())
    return "await of " + kind.signal +
           (kind.lag > 0 ? fmt::format(", {} run before", kind.lag) : "");
  return std::string(to_string(kind.why)) + (kind.until_submitted ? " (until submitted)" : "");
}

std::vector<WaitKind> wait_kinds(const ProgramSet& set) {
  std::vector<WaitKind> kinds;
  const auto add = [&](const WaitKind& kind) {
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  };
  for_each_task(set, [&](const Program& program, const Task& task) {
    for (const Wait& wait : task.waits) add({wait.why, wait.until_submitted, {}, 0});
    if (task.kind == Task::await)
      add({Why::done, false, program.signals[static_cast<std::size_t>(task.index)].name, task.lag});
  });
  return kinds;
}

ProgramSet without(ProgramSet set, const WaitKind& kind) {
  for_each_task(set, [&](const Program& program, Task& task) {
    if (kind.signal.empty()) {
      std::erase_if(task.waits, [&](const Wait& wait) {
        return wait.why == kind.why && wait.until_submitted == kind.until_submitted;
      });
    } else if (is_await_of(program, task, kind)) {
      task.kind = Task::milestone;
      task.what = Task::none;
    }
  });
  return set;
}

}  // namespace weft
