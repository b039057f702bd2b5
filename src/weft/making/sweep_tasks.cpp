// making/sweep_tasks: one task for each item.

#include "weft/making/sweep_tasks.hpp"

#include "weft/making/memory_turns.hpp"
#include "weft/making/sweep_items.hpp"

namespace weft {

namespace {

// Which outgoing messages an item stores to, by message.
std::vector<bool> stored_messages(const SweepProgram& sweep, const Item& item,
                                  const TileMessages& messages, std::size_t count) {
  std::vector<bool> stores(count, false);
  const std::size_t last = sweep.passes.size() - 1;
  for (std::size_t place = item.first; place < item.last; ++place) {
    const std::size_t grain = sweep.order[place];
    for (std::size_t t = sweep.first_tile(last, grain); t < sweep.first_tile(last, grain + 1); ++t)
      for (const int message : messages.targets(sweep.passes[last].tiles[t]))
        stores[at(message)] = true;
  }
  return stores;
}

}  // namespace

void add_sweep_tasks(const ProgramSteps& steps, const std::vector<StepTasks>& made, std::size_t i,
                     int all_begun, TaskBuilder& tasks) {
  wait_for_turn(steps, made, i, tasks);
  const SweepProgram& sweep = tasks.program().sweeps[at(tasks.step(i).sweep)];
  const StepTasks& mine = made[i];
  // Makes an item wait for what it loads.
  const auto wait_for_sources = [&](int task, const Item& item) {
    if (i == 0) return;
    if (steps.is_sweep(i - 1)) {
      tasks.wait(task, made[i - 1].passes, Why::in_turn);
      return;
    }
    for (const int message : item.messages) {
      tasks.wait(task, tasks.step(i - 1).arrived[at(message)], Why::arrived);
      if (!steps.has_ring(i - 1)) continue;
      if (const int loaded = made[i - 1].loaded[at(message)]; loaded >= 0)
        tasks.wait(loaded, task, Why::loaded);
    }
  };
  // Makes the messages that an item stores to wait for the item, and the item for room in a ring.
  const TileMessages messages(sweep.passes.back());
  const auto tell_stored = [&](int task, const Item& item) {
    if (!steps.is_exchange(i + 1)) return;
    const std::vector<int>& stored = tasks.step(i + 1).stored;
    const auto stores = stored_messages(sweep, item, messages, stored.size());
    for (std::size_t m = 0; m < stores.size(); ++m) {
      if (!stores[m]) continue;
      tasks.wait(stored[m], task, Why::stored, true);
      if (!steps.has_ring(i + 1)) continue;
      if (const int room = made[i + 1].has_room[m]; room >= 0) tasks.wait(task, room, Why::opened);
    }
  };
  for (std::size_t number = 0; number < sweep.items.size(); ++number) {
    const Item& item = sweep.items[number];
    const int task = tasks.add(Task::compute, i, static_cast<int>(number));
    tasks.wait(task, mine.begins, Why::begun);
    if (steps.is_exchange(i + 1)) tasks.wait(task, made[i + 1].opens, Why::opened);
    wait_for_sources(task, item);
    if (all_begun >= 0) tasks.wait(task, all_begun, Why::all_begun);
    tasks.wait(mine.passes, task, Why::done);
    tell_stored(task, item);
  }
  // Without items, the steps after this one still wait for the steps before it.
  if (sweep.items.empty()) tasks.wait(mine.passes, mine.begins, Why::begun);
}

}  // namespace weft
