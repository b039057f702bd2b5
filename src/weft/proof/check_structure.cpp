// proof/check_structure: checks ranges first, then counts work.

#include "weft/proof/check_structure.hpp"

#include <algorithm>
#include <type_traits>

#include "weft/program/index.hpp"
#include "weft/proof/check_work.hpp"

namespace weft {

namespace {

template <class Values>
bool is_index(int number, const Values& values) {
  return number >= 0 && at(number) < values.size();
}

// Checks the program of one rank. The insides of its sweeps and exchanges are left to
// proof/check_work.
class ProgramCheck {
 public:
  ProgramCheck(const ProgramSet& set, int direction, int rank, HazardList& hazards)
      : set_(set),
        program_(program_of(set, direction, rank)),
        direction_(direction),
        rank_(rank),
        hazards_(hazards) {}

  // Each check uses only indices that the checks before it have found to be in range.
  bool passes() {
    if (!require(program_.rank == rank_, -1, "its program says that it is rank {}", program_.rank))
      return false;
    for (std::size_t b = 0; b < program_.buffers.size(); ++b)
      if (!check_buffer(static_cast<int>(b))) return false;
    if (!require(program_.buffers.size() >= 2 && is_own(0, Home::source) && is_own(1, Home::target),
                 -1, "its first two buffers are not its own source and target arrays"))
      return false;
    for (std::size_t s = 0; s < program_.steps.size(); ++s)
      if (!check_step(static_cast<int>(s))) return false;
    for (std::size_t t = 0; t < program_.tasks.size(); ++t)
      if (!check_task(static_cast<int>(t))) return false;
    return check_sweeps_and_exchanges() && check_milestones();
  }

 private:
  template <class... Values>
  bool require(bool holds, int task, fmt::format_string<Values...> text, Values&&... values) {
    if (holds || hazards_.is_full()) return holds;
    return hazards_.require(false, Hazard::malformed, {direction_, rank_, task}, "{}: {}",
                            in_words(direction_, rank_),
                            fmt::format(text, std::forward<Values>(values)...));
  }
  const auto& buffer(int number) const { return program_.buffers[at(number)]; }
  bool is_own(int number, Home home) const {
    return buffer(number).rank == rank_ && buffer(number).home == home;
  }

  // The owner of a buffer must have a buffer of the same role in the same place.
  bool check_buffer(int number) {
    const auto& mine = buffer(number);
    const bool near = mine.rank >= 0 && mine.rank < ranks_of(set_) &&
                      set_.node_of_rank[at(mine.rank)] == set_.node_of_rank[at(rank_)];
    if (!require(near, -1, "buffer {} belongs to rank {}, which shares no memory with it", number,
                 mine.rank))
      return false;
    if (!require(mine.offset >= 0 && mine.bytes >= 0, -1, "buffer {} has {} bytes from byte {} on",
                 number, mine.bytes, mine.offset))
      return false;
    if (mine.rank == rank_)
      return require(
          mine.home != Home::workspace || mine.offset + mine.bytes <= program_.workspace_bytes, -1,
          "buffer {} ends beyond the workspace", number);
    std::remove_reference_t<decltype(mine)>* theirs = nullptr;
    for (const auto& other : program_of(set_, direction_, mine.rank).buffers)
      if (other.rank == mine.rank && other.role == mine.role) theirs = &other;
    return require(theirs != nullptr && theirs->home == mine.home &&
                       theirs->offset == mine.offset && theirs->bytes == mine.bytes,
                   -1, "buffer {} is not what rank {} has as its buffer of role {}", number,
                   mine.rank, mine.role);
  }

  bool check_step(int number) {
    const Step& step = program_.steps[at(number)];
    if (!require(step.sweep < 0 ? is_index(step.exchange, program_.exchanges)
                                : step.exchange < 0 && is_index(step.sweep, program_.sweeps),
                 -1, "step {} is not one sweep or one exchange", number))
      return false;
    for (const auto* tasks : {&step.stored, &step.arrived})
      for (const int task : *tasks)
        if (!require(is_index(task, program_.tasks), -1, "step {} names task {}", number, task))
          return false;
    return true;
  }

  bool check_task(int number) {
    const Task& task = program_.tasks[at(number)];
    if (!require(is_index(task.step, program_.steps), number, "task {} is of step {}", number,
                 task.step))
      return false;
    if (!require(names_something(task), number, "task {} is of number {}, which its step lacks",
                 number, task.index))
      return false;
    if (!require(task.lag >= 0, number, "task {} has lag {}", number, task.lag)) return false;
    for (const Wait& wait : task.waits)
      if (!require(is_index(wait.task, program_.tasks), number, "task {} waits for task {}", number,
                   wait.task))
        return false;
    return true;
  }
  bool names_something(const Task& task) const {
    const Step& step = program_.steps[at(task.step)];
    const auto in_exchange = [&](const auto& values) {
      return step.exchange >= 0 &&
             is_index(task.index, program_.exchanges[at(step.exchange)].*values);
    };
    switch (task.kind) {
      case Task::compute:
        return step.sweep >= 0 && is_index(task.index, program_.sweeps[at(step.sweep)].items);
      case Task::stored:
        return is_index(task.index, step.stored);
      case Task::receive:
        return in_exchange(&ExchangeProgram::receives);
      case Task::send:
        return in_exchange(&ExchangeProgram::sends);
      case Task::collective:
        return in_exchange(&ExchangeProgram::collectives);
      case Task::raise:
      case Task::await:
        return is_index(task.index, program_.signals);
      case Task::milestone:
        break;
    }
    return task.what != Task::arrived || is_index(task.index, step.arrived);
  }

  bool check_sweeps_and_exchanges() {
    std::vector<int> sweep_steps(program_.sweeps.size(), -1);
    std::vector<int> exchange_steps(program_.exchanges.size(), -1);
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      const Step& step = program_.steps[s];
      int& its_step =
          step.sweep >= 0 ? sweep_steps[at(step.sweep)] : exchange_steps[at(step.exchange)];
      if (!require(its_step < 0, -1, "steps {} and {} have the same sweep or exchange", its_step,
                   s))
        return false;
      its_step = static_cast<int>(s);
      const std::string wrong = step.sweep >= 0 ? sweep_fault(program_, static_cast<int>(s))
                                                : exchange_fault(program_, static_cast<int>(s));
      if (!require(wrong.empty(), -1, "step {} ({}): {}", s, step.name, wrong)) return false;
    }
    const std::string wrong = work_fault(program_);
    return require(wrong.empty(), -1, "{}", wrong);
  }

  // Step::stored and Step::arrived must name tasks of that kind, step and index.
  bool check_milestones() {
    for (std::size_t s = 0; s < program_.steps.size(); ++s) {
      const Step& step = program_.steps[s];
      for (std::size_t m = 0; m < step.stored.size(); ++m)
        if (!is_named(step.stored[m], Task::stored, Task::none, s, m)) return false;
      for (std::size_t m = 0; m < step.arrived.size(); ++m)
        if (!is_named(step.arrived[m], Task::milestone, Task::arrived, s, m)) return false;
    }
    return true;
  }
  bool is_named(int number, Task::Kind kind, Task::Milestone what, std::size_t step,
                std::size_t index) {
    const Task& task = program_.tasks[at(number)];
    return require(
        task.kind == kind && task.what == what && at(task.step) == step && at(task.index) == index,
        number, "task {} is not that of message {} of step {}", number, index, step);
  }

  const ProgramSet& set_;
  const Program& program_;
  int direction_, rank_;
  HazardList& hazards_;
};

}  // namespace

void check_structure(const ProgramSet& set, HazardList& hazards) {
  if (!hazards.require(set.backward.empty() || set.backward.size() == set.forward.size(),
                       Hazard::malformed, {}, "{} forward programs, but {} backward ones",
                       set.forward.size(), set.backward.size()))
    return;
  const bool has_nodes = set.node_of_rank.size() == set.forward.size() &&
                         std::all_of(set.node_of_rank.begin(), set.node_of_rank.end(),
                                     [&](int node) { return node >= 0 && node < ranks_of(set); });
  if (!hazards.require(has_nodes, Hazard::malformed, {}, "ranks without a node")) return;
  for (int direction = 0; direction < directions; ++direction)
    for (std::size_t rank = 0; rank < programs_of(set, direction).size(); ++rank)
      ProgramCheck(set, direction, static_cast<int>(rank), hazards).passes();
}

}  // namespace weft
