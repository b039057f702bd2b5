// program/mutations: finding kinds of waits, and removing them.

#include "weft/program/mutations.hpp"

#include <algorithm>

namespace weft {

namespace {

template <class Programs, class Body>
void for_each_task(Programs& set, const Body& body) {
  for (auto* programs : {&set.forward, &set.backward})
    for (auto& program : *programs)
      for (auto& task : program.tasks) body(program, task);
}

bool awaits(const Program& program, const Task& task, const std::string& signal) {
  return task.kind == Task::await &&
         program.signals[static_cast<std::size_t>(task.index)].name == signal;
}

}  // namespace

std::string to_string(const WaitKind& kind) {
  if (!kind.signal.empty()) return "await of " + kind.signal;
  return std::string(to_string(kind.why)) + (kind.until_submitted ? " (until submitted)" : "");
}

std::vector<WaitKind> wait_kinds(const ProgramSet& set) {
  std::vector<WaitKind> kinds;
  const auto add = [&](const WaitKind& kind) {
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  };
  for_each_task(set, [&](const Program& program, const Task& task) {
    for (const Wait& wait : task.waits) add({wait.why, wait.until_submitted, {}});
    if (task.kind == Task::await)
      add({Why::done, false, program.signals[static_cast<std::size_t>(task.index)].name});
  });
  return kinds;
}

ProgramSet without(ProgramSet set, const WaitKind& kind) {
  for_each_task(set, [&](const Program& program, Task& task) {
    if (kind.signal.empty()) {
      std::erase_if(task.waits, [&](const Wait& wait) {
        return wait.why == kind.why && wait.until_submitted == kind.until_submitted;
      });
    } else if (awaits(program, task, kind.signal)) {
      task.kind = Task::milestone;
      task.what = Task::none;
    }
  });
  return set;
}

}  // namespace weft
