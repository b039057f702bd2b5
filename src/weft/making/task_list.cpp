// making/task_list: tasks of sweeps, and of exchanges by messages, by collectives and in nodes.

#include "weft/making/task_list.hpp"

#include "weft/making/sweep_items.hpp"
#include "weft/program/index.hpp"

namespace weft {

namespace {

// The milestones of a step, as task numbers; -1 if it has none.
struct Milestones {
  int begins = -1, passes = -1, opens = -1, finishes = -1;
};

// The tasks of a ring, as task numbers; -1 where there is none.
struct RingTasks {
  std::vector<int> has_room;  // by outgoing message: the await that its place may be stored to
  std::vector<int> loaded;    // by incoming message: the raise that it has been loaded
};

class TaskWriter {
 public:
  TaskWriter(const StepPlan& plan, const std::vector<StepSource>& sources,
             std::size_t first_on_others, Program& program)
      : plan_(plan),
        sources_(sources),
        first_on_others_(first_on_others),
        program_(program),
        milestones_(sources.size()),
        rings_(sources.size()) {}

  void write() {
    add_milestones();
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (has_ring(i)) add_ring(i);
    if (first_on_others_ < plan_.size()) add_begin_signal();
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (sources_[i].layout == nullptr)
        write_sweep(i);
      else if (is_shared(i))
        write_node_exchange(i);
      else
        write_exchange(i);
  }

 private:
  const ExchangeLayout& layout(std::size_t i) const { return *sources_[i].layout; }
  Step& step(std::size_t i) { return program_.steps[i]; }
  bool is_shared(std::size_t i) const { return plan_[sources_[i].planned].shares_memory; }
  bool is_sweep(std::size_t i) const { return sources_[i].layout == nullptr; }
  bool has_ring(std::size_t i) const { return !is_sweep(i) && layout(i).slots > 0; }
  // The step of the program that a step of the plan belongs to.
  std::size_t step_of(std::size_t planned) const {
    std::size_t i = 0;
    while (i + 1 < sources_.size() && sources_[i + 1].planned <= planned) ++i;
    return planned < plan_.size() ? i : sources_.size();
  }

  int add(Task::Kind kind, std::size_t step, int index = 0) {
    Task task;
    task.kind = kind;
    task.step = static_cast<int>(step);
    task.index = index;
    program_.tasks.push_back(task);
    return static_cast<int>(program_.tasks.size()) - 1;
  }
  int add_milestone(Task::Milestone what, std::size_t step, int index = 0) {
    const int task = add(Task::milestone, step, index);
    program_.tasks.back().what = what;
    return task;
  }
  void wait(int task, int on, Why why, bool until_submitted = false) {
    program_.tasks[at(task)].waits.push_back({on, why, until_submitted});
  }
  int add_signal(std::string name, int raisers) {
    program_.signals.push_back({std::move(name), raisers});
    return static_cast<int>(program_.signals.size()) - 1;
  }
  int add_await(std::size_t step, int signal, int after, int lag = 0) {
    const int task = add(Task::await, step, signal);
    program_.tasks.back().lag = lag;
    wait(task, after, Why::begun);
    return task;
  }

  // ---- all steps

  void add_milestones() {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      Milestones& of = milestones_[i];
      of.begins = add_milestone(Task::begins, i);
      if (is_sweep(i)) {
        of.passes = add_milestone(Task::passes, i);
        continue;
      }
      of.opens = add_milestone(Task::opens, i);
      of.finishes = add_milestone(Task::finishes, i);
      const ExchangeLayout& exchange = layout(i);
      for (std::size_t m = 0; m < exchange.outgoing_messages.size(); ++m)
        step(i).stored.push_back(add(Task::stored, i, static_cast<int>(m)));
      for (std::size_t m = 0; m < exchange.incoming_messages.size(); ++m)
        step(i).arrived.push_back(add_milestone(Task::arrived, i, static_cast<int>(m)));
      // An exchange begins together with the sweep that stores to it.
      if (i > 0) wait(of.begins, milestones_[i - 1].begins, Why::begun);
    }
  }

  // A rank raises this signal when it begins the run: it has published where its arrays are, and
  // has finished the run before. Until all ranks of the node have raised it, no rank works on other
  // ranks' arrays or stores to their memory.
  void add_begin_signal() {
    const Machine& machine = plan_.blueprint().machine;
    const int members = static_cast<int>(machine.ranks_of(machine.node(program_.rank)).size());
    const int signal = add_signal("run begun", members);
    const int told = add(Task::raise, 0, signal);
    program_.all_begun = add_await(0, signal, told);
  }

  // A cell of a ring has the place of an earlier one. Before it is stored, the ranks that load that
  // one must have done so.
  void add_ring(std::size_t i) {
    const ExchangeLayout& exchange = layout(i);
    const int cells = static_cast<int>(exchange.cells.size());
    RingTasks& ring = rings_[i];
    ring.has_room.assign(exchange.outgoing_cells.size(), -1);
    ring.loaded.assign(exchange.incoming_cells.size(), -1);
    std::vector<int> signals(exchange.cells.size(), -1);
    for (int c = 0; c + exchange.slots < cells; ++c)
      if (exchange.cells[at(c)].loaders > 0)
        signals[at(c)] = add_signal(fmt::format("exchange {}: cell {} loaded", step(i).exchange, c),
                                    exchange.cells[at(c)].loaders);
    std::vector<int> in_slot(at(exchange.slots), -1);  // the cell that was stored there last
    for (std::size_t m = 0; m < exchange.outgoing_cells.size(); ++m) {
      const int cell = exchange.outgoing_cells[m];
      int& before = in_slot[at(cell % exchange.slots)];
      if (before >= 0) ring.has_room[m] = add_await(i, signals[at(before)], milestones_[i].opens);
      before = cell;
    }
    for (std::size_t m = 0; m < exchange.incoming_cells.size(); ++m)
      if (const int signal = signals[at(exchange.incoming_cells[m].cell)]; signal >= 0)
        ring.loaded[m] = add(Task::raise, i, signal);
  }

  void write_sweep(std::size_t i) {
    wait_for_turn(i);
    const SweepProgram& sweep = program_.sweeps[at(step(i).sweep)];
    const Milestones& mine = milestones_[i];
    const TileMessages of_tiles(sweep.passes.back());
    for (std::size_t item = 0; item < sweep.items.size(); ++item) {
      const int task = add(Task::compute, i, static_cast<int>(item));
      wait(task, mine.begins, Why::begun);
      if (i + 1 < sources_.size() && !is_sweep(i + 1))
        wait(task, milestones_[i + 1].opens, Why::opened);
      if (i > 0 && is_sweep(i - 1)) wait(task, milestones_[i - 1].passes, Why::in_turn);
      if (i > 0 && !is_sweep(i - 1))
        for (const int message : sweep.items[item].messages) {
          wait(task, step(i - 1).arrived[at(message)], Why::arrived);
          if (const int loaded = ring_task(rings_[i - 1].loaded, message); loaded >= 0)
            wait(loaded, task, Why::loaded);
        }
      if (program_.all_begun >= 0 && i >= step_of(first_on_others_))
        wait(task, program_.all_begun, Why::all_begun);
      wait(mine.passes, task, Why::done);
      tell_stored(i, sweep, item, task, of_tiles);
    }
    // Without items, the steps after this one still wait for the steps before it.
    if (sweep.items.empty()) wait(mine.passes, mine.begins, Why::begun);
  }

  // Whether a sweep after the first one stores to the target. Only for steps that overlap: their
  // first step is a sweep, which reads the source.
  bool overwrites_source(std::size_t i) const {
    if (i == 0) return false;
    for (std::size_t pass = sources_[i].planned; pass <= plan_.sweep_last(pass); ++pass) {
      if (plan_.stores_to_target(pass)) return true;
      if (pass == plan_.sweep_last(pass)) break;
    }
    return false;
  }

  // Makes `task` wait until this rank's source has been read, by this rank and by others.
  void wait_until_source_is_read(int task) {
    if (is_sweep(0)) {
      wait(task, milestones_[0].passes, Why::source_read);
      return;
    }
    if (is_shared(0)) {  // other ranks load from the source
      wait(task, milestones_[0].finishes, Why::source_read);
      return;
    }
    for (std::size_t t = 0; t < program_.tasks.size(); ++t) {
      const Task& reader = program_.tasks[t];
      if (reader.step == 0 && (reader.kind == Task::collective || reader.kind == Task::send))
        wait(task, static_cast<int>(t), Why::source_read);
    }
  }

  void wait_for_turn(std::size_t i) {
    const int begins = milestones_[i].begins;
    if (plan_.overlaps()) {
      if (plan_.blueprint().problem.in_place && overwrites_source(i))
        wait(begins, milestones_[0].passes, Why::source_read);
      return;
    }
    std::size_t before = i;  // becomes the sweep before
    while (before > 0 && !is_sweep(before - 1)) --before;
    if (before == 0) return;
    --before;
    // The sweeps beside a ring run together.
    if (has_ring(before + 1)) {
      wait(begins, milestones_[before].begins, Why::begun);
      if (plan_.blueprint().problem.in_place &&
          plan_.ring(sources_[i - 1].planned) == Ring::to_target)
        wait_until_source_is_read(begins);
      return;
    }
    wait(begins, milestones_[before].passes, Why::in_turn);
    // An exchange must have finished before the second sweep after it begins.
    std::size_t exchange = before;
    while (exchange > 0 && is_sweep(exchange - 1)) --exchange;
    if (exchange > 0) wait(begins, milestones_[exchange - 1].finishes, Why::finished);
  }

  static int ring_task(const std::vector<int>& tasks, int message) {
    return tasks.empty() ? -1 : tasks[at(message)];
  }

  // Makes the tasks `stored` of the outgoing messages that an item stores to wait for the item, and
  // the item for room in a ring.
  void tell_stored(std::size_t i, const SweepProgram& sweep, std::size_t number, int task,
                   const TileMessages& of_tiles) {
    if (i + 1 >= sources_.size() || is_sweep(i + 1)) return;
    const Item& item = sweep.items[number];
    const PassProgram& last = sweep.passes.back();
    std::vector<bool> stores(step(i + 1).stored.size(), false);
    for (std::size_t grain = item.first; grain < item.last; ++grain) {
      const std::size_t p = sweep.passes.size() - 1;
      for (std::size_t t = sweep.first_tile(p, sweep.order[grain]);
           t < sweep.first_tile(p, sweep.order[grain] + 1); ++t)
        for (const int message : of_tiles.targets(last.tiles[t])) stores[at(message)] = true;
    }
    for (std::size_t m = 0; m < stores.size(); ++m) {
      if (!stores[m]) continue;
      wait(step(i + 1).stored[m], task, Why::stored, true);
      if (const int room = ring_task(rings_[i + 1].has_room, static_cast<int>(m)); room >= 0)
        wait(task, room, Why::opened);
    }
  }

  // ---- exchanges by messages and by collectives

  void write_exchange(std::size_t i) {
    const ExchangeLayout& exchange = layout(i);
    const Milestones& mine = milestones_[i];
    wait(mine.opens, mine.begins, Why::begun);
    std::vector<int> receives, sends, collectives;
    for (std::size_t r = 0; r < exchange.program.receives.size(); ++r) {
      receives.push_back(add(Task::receive, i, static_cast<int>(r)));
      wait(receives.back(), mine.begins, Why::begun);
    }
    for (std::size_t s = 0; s < exchange.program.sends.size(); ++s)
      sends.push_back(add(Task::send, i, static_cast<int>(s)));
    for (std::size_t c = 0; c < exchange.program.collectives.size(); ++c)
      collectives.push_back(add_collective(i, static_cast<int>(c), collectives));
    for (std::size_t m = 0; m < exchange.outgoing_messages.size(); ++m) {
      const Outgoing& message = exchange.outgoing_messages[m];
      const int stored = step(i).stored[m];
      if (message.send >= 0) wait(sends[at(message.send)], stored, Why::stored);
      if (message.collective >= 0) wait(collectives[at(message.collective)], stored, Why::stored);
      if (message.stays_as >= 0) wait(step(i).arrived[at(message.stays_as)], stored, Why::stored);
    }
    for (std::size_t m = 0; m < exchange.incoming_messages.size(); ++m) {
      const Incoming& message = exchange.incoming_messages[m];
      const int arrived = step(i).arrived[m];
      if (message.receive >= 0) wait(arrived, receives[at(message.receive)], Why::done);
      if (message.collective >= 0) wait(arrived, collectives[at(message.collective)], Why::done);
      wait(mine.finishes, arrived, Why::done);
    }
    for (const auto* tasks : {&receives, &sends, &collectives})
      for (const int task : *tasks) wait(mine.finishes, task, Why::done);
    wait(mine.finishes, loaded(i), Why::loaded);
  }

  int add_collective(std::size_t i, int number, const std::vector<int>& before) {
    const int task = add(Task::collective, i, number);
    wait(task, milestones_[i].begins, Why::begun);
    if (!before.empty()) wait(task, before.back(), Why::ordered, true);
    // In place, the last exchange receives into the source: a rank with nothing to store must not
    // start it before its source has been read.
    if (plan_.blueprint().problem.in_place && i + 1 == sources_.size() && i > 0)
      wait_until_source_is_read(task);
    return task;
  }

  // The task after which all data that arrived have been loaded: the next sweep has run.
  int loaded(std::size_t i) const {
    return i + 1 < sources_.size() ? milestones_[i + 1].passes : milestones_[i].begins;
  }

  // ---- exchanges in nodes

  // The tasks of a cell of an exchange that shares memory.
  struct CellTasks {
    int stored_signal = -1, arrived_signal = -1;
    int all_stored = -1, all_arrived = -1;  // awaits of these signals
  };

  void write_node_exchange(std::size_t i) {
    const ExchangeLayout& exchange = layout(i);
    const Milestones& mine = milestones_[i];
    const Machine& machine = plan_.blueprint().machine;
    const int members = static_cast<int>(machine.ranks_of(machine.node(program_.rank)).size());
    const std::string name = fmt::format("exchange {}: ", step(i).exchange);
    const int left_signal = add_signal(name + "left", members);
    open(i, left_signal, members, name);
    std::vector<CellTasks> cells(exchange.cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      cells[c].stored_signal =
          add_signal(fmt::format("{}cell {} stored", name, c), exchange.cells[c].storers);
      cells[c].arrived_signal =
          add_signal(fmt::format("{}cell {} received", name, c), exchange.cells[c].receivers);
    }
    const int leaves = add(Task::raise, i, left_signal);
    wait(leaves, mine.opens, Why::opened);
    for (std::size_t g = 0; g < exchange.outgoing_cells.size(); ++g)
      tell_cell_stored(i, g, cells, leaves);
    for (std::size_t c = 0; c < cells.size(); ++c) move_segments(i, c, cells[c], leaves);
    for (std::size_t t = 0; t < exchange.incoming_cells.size(); ++t) take_cell(i, t, cells, leaves);
    if (!exchange.incoming_messages.empty()) wait(leaves, loaded(i), Why::loaded);
    for (const int task : rings_[i].loaded)
      if (task >= 0) wait(leaves, task, Why::done);
    // Other ranks load from this rank's memory until they have left. Then the memory may be used
    // again, by this program or by the user.
    wait(mine.finishes, leaves, Why::done);
    wait(mine.finishes, loaded(i), Why::loaded);
    if (i + 1 < sources_.size())
      wait(mine.finishes, add_await(i, left_signal, leaves), Why::counted);
  }

  // An exchange opens when all ranks of the node have left it in the run before. Then no rank loads
  // any more from the memory that is about to be stored to, and the signals of the cells have their
  // final values of that run, so that the two runs do not mix.
  void open(std::size_t i, int left_signal, int members, const std::string& name) {
    const Milestones& mine = milestones_[i];
    wait(mine.opens, mine.begins, Why::begun);
    wait(mine.opens, add_await(i, left_signal, mine.begins, 1), Why::counted);
    if (!plan_.opens_together(sources_[i].planned)) return;
    const int begun_signal = add_signal(name + "begun", members);
    const int begun = add(Task::raise, i, begun_signal);
    wait(begun, mine.begins, Why::begun);
    // A sweep that reads the source and stores to the exchange stores each tile where it found it.
    const bool is_behind = sources_[i].planned > plan_.sweep_last(plan_.source_last_step()) + 1;
    if (is_behind && plan_.stores_to_unread_arrays(sources_[i].planned))
      wait_until_source_is_read(begun);
    wait(mine.opens, add_await(i, begun_signal, begun), Why::counted);
  }

  void tell_cell_stored(std::size_t i, std::size_t number, const std::vector<CellTasks>& cells,
                        int leaves) {
    const ExchangeLayout& exchange = layout(i);
    const int told = add(Task::raise, i, cells[at(exchange.outgoing_cells[number])].stored_signal);
    // Data in the source array have been stored before the run.
    if (exchange.outgoing_messages.empty())
      wait(told, milestones_[i].opens, Why::opened);
    else
      wait(told, step(i).stored[number], Why::stored);
    wait(leaves, told, Why::done);
  }

  int all_stored(std::size_t i, CellTasks& cell) {
    if (cell.all_stored < 0)
      cell.all_stored = add_await(i, cell.stored_signal, milestones_[i].opens);
    return cell.all_stored;
  }

  // MPI sends a large message when its receive has been posted and the sender has been told so. If
  // one of two nodes is ahead, its chunks stand before this answer in the queue to the other node,
  // which sends nothing meanwhile: the link carries one direction after the other, in up to twice
  // the time. So a large chunk is received when what this node sends in its cell is stored. Not
  // with p2p, which limits the sends to all ranks together: those that wait for one rank would
  // hold back the others.
  bool is_paired(std::size_t i, const Message& message) const {
    return plan_.cutting_of(sources_[i].planned).cells() > 1 &&
           message.count * layout(i).program.element_bytes >=
               plan_.blueprint().machine.eager_message_bytes;
  }

  // Sends first, so that MPI asks the other node before it answers it. That node then answers in
  // turn before it begins to send its chunk, behind which the answer would stand in the queue. A
  // send that the window holds back is posted later, and its receive is not: two nodes whose sends
  // waited for room and whose receives waited for sends would stop each other.
  void move_segments(std::size_t i, std::size_t c, CellTasks& cell, int leaves) {
    const CellUse& use = layout(i).cells[c];
    for (const int number : use.sends) {
      const int send = add(Task::send, i, number);
      wait(send, all_stored(i, cell), Why::counted);
      wait(leaves, send, Why::done);
    }
    if (!use.receives.empty()) {
      const int told = add(Task::raise, i, cell.arrived_signal);
      for (const int number : use.receives) {
        const int receive = add(Task::receive, i, number);
        wait(receive, milestones_[i].opens, Why::opened);
        if (!use.sends.empty() && is_paired(i, layout(i).program.receives[at(number)]))
          wait(receive, all_stored(i, cell), Why::paired);
        wait(told, receive, Why::done);
      }
      wait(leaves, told, Why::done);
    }
  }

  // If the exchange is not cut, its single cell also tells that all ranks of the node have run the
  // steps before: steps then use the same memory in turn, including arrays of other ranks.
  void take_cell(std::size_t i, std::size_t number, std::vector<CellTasks>& cells, int leaves) {
    const ExchangeLayout& exchange = layout(i);
    const Incoming& incoming = exchange.incoming_cells[number];
    CellTasks& cell = cells[at(incoming.cell)];
    const auto need = [&](int task) {
      if (!exchange.incoming_messages.empty()) wait(step(i).arrived[number], task, Why::counted);
      wait(leaves, task, Why::counted);
    };
    if (!incoming.from_other_nodes || cells.size() == 1) need(all_stored(i, cell));
    if (!incoming.from_other_nodes) return;
    if (cell.all_arrived < 0)
      cell.all_arrived = add_await(i, cell.arrived_signal, milestones_[i].opens);
    need(cell.all_arrived);
  }

  const StepPlan& plan_;
  const std::vector<StepSource>& sources_;
  std::size_t first_on_others_;
  Program& program_;
  std::vector<Milestones> milestones_;
  std::vector<RingTasks> rings_;  // by step
};

}  // namespace

void write_tasks(const StepPlan& plan, const std::vector<StepSource>& sources,
                 std::size_t first_on_others, Program& program) {
  TaskWriter(plan, sources, first_on_others, program).write();
}

}  // namespace weft
