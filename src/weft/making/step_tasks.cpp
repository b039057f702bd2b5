// making/step_tasks: milestones of steps, and the tasks of rings.

#include "weft/making/step_tasks.hpp"

namespace weft {

namespace {

StepTasks add_milestones(const ProgramSteps& steps, std::size_t i, TaskBuilder& tasks) {
  StepTasks made;
  made.begins = tasks.add_milestone(Task::begins, i);
  if (steps.is_sweep(i)) {
    made.passes = tasks.add_milestone(Task::passes, i);
    return made;
  }
  made.opens = tasks.add_milestone(Task::opens, i);
  made.finishes = tasks.add_milestone(Task::finishes, i);
  const ExchangeLayout& exchange = steps.layout(i);
  for (std::size_t m = 0; m < exchange.outgoing_messages.size(); ++m)
    tasks.step(i).stored.push_back(tasks.add(Task::stored, i, static_cast<int>(m)));
  for (std::size_t m = 0; m < exchange.incoming_messages.size(); ++m)
    tasks.step(i).arrived.push_back(tasks.add_milestone(Task::arrived, i, static_cast<int>(m)));
  return made;
}

// A cell of a ring has the place of an earlier one. Before it is stored, the ranks that load that
// one must have done so.
void add_ring(const ExchangeLayout& exchange, std::size_t step, StepTasks& made,
              TaskBuilder& tasks) {
  const int cells = static_cast<int>(exchange.cells.size());
  made.has_room.assign(exchange.outgoing_cells.size(), -1);
  made.loaded.assign(exchange.incoming_cells.size(), -1);
  std::vector<int> signals(exchange.cells.size(), -1);
  for (int c = 0; c + exchange.slots < cells; ++c)
    if (exchange.cells[at(c)].loaders > 0)
      signals[at(c)] =
          tasks.add_signal(fmt::format("exchange {}: cell {} loaded", tasks.step(step).exchange, c),
                           exchange.cells[at(c)].loaders);
  std::vector<int> in_slot(at(exchange.slots), -1);  // the cell that was stored there last
  for (std::size_t m = 0; m < exchange.outgoing_cells.size(); ++m) {
    const int cell = exchange.outgoing_cells[m];
    int& before = in_slot[at(cell % exchange.slots)];
    if (before >= 0) made.has_room[m] = tasks.add_await(step, signals[at(before)], made.opens);
    before = cell;
  }
  for (std::size_t m = 0; m < exchange.incoming_cells.size(); ++m)
    if (const int signal = signals[at(exchange.incoming_cells[m].cell)]; signal >= 0)
      made.loaded[m] = tasks.add(Task::raise, step, signal);
}

}  // namespace

int ProgramSteps::members() const {
  const Machine& machine = blueprint().machine;
  return static_cast<int>(machine.ranks_of(machine.node(rank_)).size());
}

std::size_t ProgramSteps::step_of(std::size_t planned) const {
  if (planned >= plan_.size()) return size();
  std::size_t i = 0;
  while (i + 1 < size() && sources_[i + 1].planned <= planned) ++i;
  return i;
}

std::vector<StepTasks> add_step_tasks(const ProgramSteps& steps, TaskBuilder& tasks) {
  std::vector<StepTasks> made;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    made.push_back(add_milestones(steps, i, tasks));
    // An exchange begins together with the sweep that stores to it.
    if (i > 0 && steps.is_exchange(i)) tasks.wait(made[i].begins, made[i - 1].begins, Why::begun);
  }
  // What arrived has been loaded when the next sweep has run.
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps.is_exchange(i))
      made[i].all_loaded = i + 1 < steps.size() ? made[i + 1].passes : made[i].begins;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps.has_ring(i)) add_ring(steps.layout(i), i, made[i], tasks);
  return made;
}

}  // namespace weft
