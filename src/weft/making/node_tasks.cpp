// making/exchange_tasks: exchanges in nodes, whose ranks tell each other by signals.

#include "weft/making/exchange_tasks.hpp"
#include "weft/making/memory_turns.hpp"

namespace weft {

namespace {

// The tasks of one exchange that shares memory.
class NodeExchangeTasks {
 public:
  NodeExchangeTasks(const ProgramSteps& steps, std::size_t i, const StepTasks& mine,
                    TaskBuilder& tasks)
      : steps_(steps),
        step_(i),
        exchange_(steps.layout(i)),
        mine_(mine),
        tasks_(tasks),
        name_(fmt::format("exchange {}: ", tasks.step(i).exchange)),
        left_signal_(tasks.add_signal(name_ + "left", steps.members())) {}

  // An exchange opens when all ranks of the node have left it in the run before. Then no rank loads
  // any more from the memory that is about to be stored to, and the signals of the cells have their
  // final values of that run, so that the two runs do not mix. Where ranks must open it together,
  // they begin it together, too. `first` are the tasks of the first step.
  void open(const StepTasks& first) {
    tasks_.wait(mine_.opens, mine_.begins, Why::begun);
    tasks_.wait(mine_.opens, await(left_signal_, mine_.begins, 1), Why::counted);
    const StepPlan& plan = steps_.plan();
    const std::size_t planned = steps_.planned(step_);
    if (!plan.opens_together(planned)) return;
    const int begun_signal = tasks_.add_signal(name_ + "begun", steps_.members());
    const int begun = tasks_.add(Task::raise, step_, begun_signal);
    tasks_.wait(begun, mine_.begins, Why::begun);
    // A sweep that reads the source and stores to the exchange stores each tile where it found it.
    const bool is_behind = planned > plan.sweep_last(plan.source_last_step()) + 1;
    if (is_behind && plan.stores_to_unread_arrays(planned))
      wait_until_source_is_read(steps_, first, begun, tasks_);
    tasks_.wait(mine_.opens, await(begun_signal, begun), Why::counted);
  }

  // Adds what the ranks do for each other between opening the exchange and leaving it.
  void move() {
    for (std::size_t c = 0; c < exchange_.cells.size(); ++c) {
      Cell& cell = cells_.emplace_back();
      cell.stored_signal =
          tasks_.add_signal(fmt::format("{}cell {} stored", name_, c), exchange_.cells[c].storers);
      cell.arrived_signal = tasks_.add_signal(fmt::format("{}cell {} received", name_, c),
                                              exchange_.cells[c].receivers);
    }
    leaves_ = tasks_.add(Task::raise, step_, left_signal_);
    tasks_.wait(leaves_, mine_.opens, Why::opened);
    for (std::size_t g = 0; g < exchange_.outgoing_cells.size(); ++g) tell_stored(g);
    for (std::size_t c = 0; c < cells_.size(); ++c) move_segments(c);
    for (std::size_t t = 0; t < exchange_.incoming_cells.size(); ++t) take(t);
  }

  // Other ranks load from this rank's memory until they have left. Then the memory may be used
  // again, by this program or by the user.
  void finish() {
    if (!exchange_.incoming_messages.empty()) tasks_.wait(leaves_, mine_.all_loaded, Why::loaded);
    for (const int task : mine_.loaded)
      if (task >= 0) tasks_.wait(leaves_, task, Why::done);
    tasks_.wait(mine_.finishes, leaves_, Why::done);
    tasks_.wait(mine_.finishes, mine_.all_loaded, Why::loaded);
    if (step_ + 1 < steps_.size())
      tasks_.wait(mine_.finishes, await(left_signal_, leaves_), Why::counted);
  }

 private:
  // The signals of a cell, and the awaits of them that have been added.
  struct Cell {
    int stored_signal = -1, arrived_signal = -1;
    int all_stored = -1, all_arrived = -1;
  };

  int await(int signal, int after, int lag = 0) {
    return tasks_.add_await(step_, signal, after, lag);
  }
  int all_stored(Cell& cell) {
    if (cell.all_stored < 0) cell.all_stored = await(cell.stored_signal, mine_.opens);
    return cell.all_stored;
  }
  int all_arrived(Cell& cell) {
    if (cell.all_arrived < 0) cell.all_arrived = await(cell.arrived_signal, mine_.opens);
    return cell.all_arrived;
  }

  void tell_stored(std::size_t number) {
    const Cell& cell = cells_[at(exchange_.outgoing_cells[number])];
    const int told = tasks_.add(Task::raise, step_, cell.stored_signal);
    // Data in the source array have been stored before the run.
    if (exchange_.outgoing_messages.empty())
      tasks_.wait(told, mine_.opens, Why::opened);
    else
      tasks_.wait(told, tasks_.step(step_).stored[number], Why::stored);
    tasks_.wait(leaves_, told, Why::done);
  }

  // MPI sends a large message when its receive has been posted and the sender has been told so. If
  // one of two nodes is ahead, its chunks stand before this answer in the queue to the other node,
  // which sends nothing meanwhile: the link carries one direction after the other, in up to twice
  // the time. So a large chunk is received when what this node sends in its cell is stored. Not
  // with p2p, which limits the sends to all ranks together: those that wait for one rank would
  // hold back the others.
  bool is_paired(const Message& message) const {
    return steps_.plan().cutting_of(steps_.planned(step_)).cells() > 1 &&
           message.count * exchange_.program.element_bytes >=
               steps_.blueprint().machine.eager_message_bytes;
  }

  // Sends first, so that MPI asks the other node before it answers it. That node then answers in
  // turn before it begins to send its chunk, behind which the answer would stand in the queue. A
  // send that the window holds back is posted later, and its receive is not: two nodes whose sends
  // waited for room and whose receives waited for sends would stop each other.
  void move_segments(std::size_t number) {
    const CellUse& use = exchange_.cells[number];
    Cell& cell = cells_[number];
    for (const int message : use.sends) {
      const int send = tasks_.add(Task::send, step_, message);
      tasks_.wait(send, all_stored(cell), Why::counted);
      tasks_.wait(leaves_, send, Why::done);
    }
    if (use.receives.empty()) return;
    const int told = tasks_.add(Task::raise, step_, cell.arrived_signal);
    for (const int message : use.receives) {
      const int receive = tasks_.add(Task::receive, step_, message);
      tasks_.wait(receive, mine_.opens, Why::opened);
      if (!use.sends.empty() && is_paired(exchange_.program.receives[at(message)]))
        tasks_.wait(receive, all_stored(cell), Why::paired);
      tasks_.wait(told, receive, Why::done);
    }
    tasks_.wait(leaves_, told, Why::done);
  }

  // If the exchange is not cut, its single cell also tells that all ranks of the node have run the
  // steps before: steps then use the same memory in turn, including arrays of other ranks.
  void take(std::size_t number) {
    const Incoming& incoming = exchange_.incoming_cells[number];
    Cell& cell = cells_[at(incoming.cell)];
    const auto need = [&](int task) {
      if (!exchange_.incoming_messages.empty())
        tasks_.wait(tasks_.step(step_).arrived[number], task, Why::counted);
      tasks_.wait(leaves_, task, Why::counted);
    };
    if (!incoming.from_other_nodes || cells_.size() == 1) need(all_stored(cell));
    if (incoming.from_other_nodes) need(all_arrived(cell));
  }

  const ProgramSteps& steps_;
  std::size_t step_;
  const ExchangeLayout& exchange_;
  const StepTasks& mine_;
  TaskBuilder& tasks_;
  std::string name_;
  int left_signal_;
  int leaves_ = -1;  // the task that raises it
  std::vector<Cell> cells_;
};

}  // namespace

void add_node_tasks(const ProgramSteps& steps, const std::vector<StepTasks>& made, std::size_t i,
                    TaskBuilder& tasks) {
  NodeExchangeTasks exchange(steps, i, made[i], tasks);
  exchange.open(made[0]);
  exchange.move();
  exchange.finish();
}

}  // namespace weft
