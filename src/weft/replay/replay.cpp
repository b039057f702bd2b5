// replay/replay: events in the order of their times; of equal times, in the order in which they
// were made.

#include "weft/replay/replay.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <tuple>

#include "weft/base/ensure.hpp"
#include "weft/program/index.hpp"
#include "weft/replay/flows.hpp"
#include "weft/replay/rank_replay.hpp"
#include "weft/replay/rounds.hpp"
#include "weft/replay/transfer_routes.hpp"
#include "weft/replay/transfers.hpp"

namespace weft {

namespace {

// The tolerance of flows. A choice: times differ by at most 0.4% from those without, in a quarter
// of the time on 512 ranks.
constexpr double tolerance = 0.005;

class Replayer {
 public:
  Replayer(const ProgramSet& set, const ReplaySpeeds& speeds, const Network& network,
           const std::vector<int>& node_of, const std::vector<DataTransfer>& transfers)
      : set_(set),
        speeds_(speeds),
        routes_(set, speeds, network, node_of, transfers),
        flows_(routes_.bytes_per_second(), tolerance) {
    for (const Program& program : set.forward) ranks_.emplace_back(program, speeds);
    begins_.resize(ranks_.size());
    ends_.resize(ranks_.size());
    rounds_.resize(ranks_.size());
    for (const DataTransfer& transfer : transfers) add(transfer);
    const int nodes = 1 + *std::max_element(set.node_of_rank.begin(), set.node_of_rank.end());
    signals_.resize(at(nodes));
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      signals_[at(set.node_of_rank[rank])].resize(set.forward[rank].signals.size());
    for (const Step& step : set.forward.front().steps)
      steps_.push_back({step.name, std::numeric_limits<double>::infinity(), 0, 0});
  }

  Replay run() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) advance(static_cast<int>(rank));
    std::vector<int> ended;
    while (true) {
      if (events_.empty() && flows_.count() == 0) break;
      const double flow_end =
          events_.empty() ? flows_.next_end() : flows_.next_end(events_.top().time);
      if (events_.empty() || flow_end <= events_.top().time) {
        time_ = flow_end;
        ended.clear();
        flows_.take_ended(ended);
        for (const int transfer : ended) arrive(transfer);
      } else {
        const Event event = events_.top();
        events_.pop();
        time_ = event.time;
        happen(event);
      }
    }
    return result();
  }

 private:
  struct Event {
    enum Kind {
      part,      // of the item of `rank`: the part `number` is complete
      sent,      // MPI has taken the data of transfer `number`, which is eager
      flows,     // the data of transfer `number` leave
      received,  // transfer `number` is handled by its receiver
      seen       // `rank` has seen the signal that its task `number` awaits
    };
    double time;
    std::int64_t order;
    Kind kind;
    int rank, number;
    double handled;  // by the rank when the event was made: a part is later by what came since

    bool operator<(const Event& other) const {  // for the queue, whose top is its largest element
      return std::tie(other.time, other.order) < std::tie(time, order);
    }
  };
  struct Transfer {
    DataTransfer of;
    bool is_far = false, is_eager = false;
    bool is_sent = false, is_asked_for = false, is_under_way = false, has_arrived = false;
    double sent = 0;
  };
  struct SignalState {
    int raised = 0;
    std::vector<std::pair<int, int>> awaiting;  // ranks and tasks
  };
  // The transfers that the tasks of a rank begin (end), by task.
  using ByTask = std::vector<std::vector<int>>;

  RankReplay& rank(int number) { return ranks_[at(number)]; }
  const Task& task_of(int rank, int task) const { return set_.forward[at(rank)].tasks[at(task)]; }

  void add(const DataTransfer& of) {
    const int number = static_cast<int>(transfers_.size());
    Transfer transfer{of};
    transfer.is_far = routes_.is_far(of);
    transfer.is_eager = of.bytes < static_cast<double>(speeds_.eager_bytes);
    transfers_.push_back(transfer);
    if (of.round > 0) {
      rounds_[at(of.from)][of.from_task].add_send(of.round, number);
      rounds_[at(of.to)][of.to_task].add_receive(of.round, number);
    } else {
      begins_[at(of.from)].resize(set_.forward[at(of.from)].tasks.size());
      ends_[at(of.to)].resize(set_.forward[at(of.to)].tasks.size());
      begins_[at(of.from)][at(of.from_task)].push_back(number);
      ends_[at(of.to)][at(of.to_task)].push_back(number);
    }
    rank(of.from).add_transfer(of.from_task);
    rank(of.to).add_transfer(of.to_task);
  }

  void push(double time, Event::Kind kind, int rank, int number) {
    events_.push({time, next_order_++, kind, rank, number, ranks_[at(rank)].handled});
  }

  // ---- what a rank does

  void advance(int number) {
    RankReplay& here = rank(number);
    while (true) {
      for (int task = here.schedule().take_ready(); task >= 0; task = here.schedule().take_ready())
        submit(number, task);
      if (here.item >= 0) return;
      here.item = here.schedule().take_item();
      if (here.item < 0) return;
      begin_part(number, 0);
      ReplayedStep& step = steps_[at(task_of(number, here.item).step)];
      step.begin = std::min(step.begin, time_);
    }
  }

  void begin_part(int number, int part) {
    RankReplay& here = rank(number);
    const auto& parts = here.parts(here.item);
    const double before = part == 0 ? 0 : parts[at(part - 1)].seconds;
    const double seconds = parts[at(part)].seconds - before;
    here.add_work(at(task_of(number, here.item).step), seconds);
    // What is handled at this moment comes first.
    double begin = time_;
    if (part == 0) begin = std::max({begin, here.handles_until, here.handles_bytes_until});
    push(begin + seconds, Event::part, number, part);
  }

  void end_part(int number, int part) {
    RankReplay& here = rank(number);
    const int task = here.item;
    const auto step = at(task_of(number, task).step);
    const int message = here.parts(task)[at(part)].message;
    if (message < 0) {
      steps_[step].end = std::max(steps_[step].end, time_);
      here.item = -1;
      here.schedule().mark_completed(task);
    } else {
      if (here.counts_down(step, message))
        here.schedule().mark_completed(here.program().steps[step + 1].stored[at(message)]);
      begin_part(number, part + 1);
    }
    advance(number);
  }

  void submit(int number, int task) {
    const Task& of = task_of(number, task);
    if (of.kind == Task::raise) {
      rank(number).schedule().mark_completed(task);
      raise(number, of.index);
    } else if (of.kind == Task::await) {
      await(number, task);
    } else if (of.kind == Task::send) {
      rank(number).sends(exchange_of(number, task)).add(of.index);
      send_waiting(number, exchange_of(number, task));
    } else {
      if (of.kind == Task::collective) leave(number, of_task(begins_[at(number)], task));
      ask_for(of_task(ends_[at(number)], task));
      enter_round(number, task);
      if (rank(number).transfers_left(task) == 0) rank(number).schedule().mark_completed(task);
    }
  }

  std::size_t exchange_of(int number, int task) const {
    const Program& program = set_.forward[at(number)];
    return at(program.steps[at(program.tasks[at(task)].step)].exchange);
  }

  void send_waiting(int number, std::size_t exchange) {
    SendWindow& window = rank(number).sends(exchange);
    for (int next = window.take(); next >= 0; next = window.take())
      leave(number, of_task(begins_[at(number)], rank(number).send_task(exchange, next)));
  }

  // Handling a message delays the item that is computed.
  double handle(int number) {
    RankReplay& here = rank(number);
    here.handles_until = std::max(time_, here.handles_until) + speeds_.message_seconds;
    if (here.item >= 0) here.handled += speeds_.message_seconds;
    return here.handles_until;
  }

  // So do the bytes of a message from when it is under way; a rank that computes nothing handles
  // them meanwhile, and what is left then delays its next item.
  void handle_bytes(int number, double bytes) {
    RankReplay& here = rank(number);
    const double seconds = bytes * speeds_.message_seconds_per_byte;
    if (here.item >= 0)
      here.handled += seconds;
    else
      here.handles_bytes_until = std::max(time_, here.handles_bytes_until) + seconds;
  }

  // ---- transfers

  static const std::vector<int>& of_task(const ByTask& all, int task) {
    static const std::vector<int> none;
    return all.empty() ? none : all[at(task)];
  }

  // Enters the first or the next round of a collective that goes by rounds.
  void enter_round(int number, int task) {
    const auto rounds = rounds_[at(number)].find(task);
    if (rounds == rounds_[at(number)].end()) return;
    const Rounds::Round round = rounds->second.take();
    leave(number, round.sends);
    ask_for(round.receives);
  }

  void leave(int number, const std::vector<int>& transfers) {
    for (const int t : transfers) {
      Transfer& transfer = transfers_[at(t)];
      transfer.is_sent = true;
      transfer.sent = transfer.is_far ? handle(number) : time_;
      begin_if_ready(t);
    }
  }

  void ask_for(const std::vector<int>& transfers) {
    for (const int t : transfers) {
      transfers_[at(t)].is_asked_for = true;
      begin_if_ready(t);
      if (transfers_[at(t)].has_arrived) receive(t);
    }
  }

  void begin_if_ready(int number) {
    Transfer& transfer = transfers_[at(number)];
    const bool needs_both = !transfer.is_eager || transfer.of.round > 0;
    if (transfer.is_under_way || !transfer.is_sent || (needs_both && !transfer.is_asked_for))
      return;
    transfer.is_under_way = true;
    transfer.sent = std::max(time_, transfer.sent);
    if (transfer.is_far)
      for (const int one : {transfer.of.from, transfer.of.to}) handle_bytes(one, transfer.of.bytes);
    ReplayedStep& step = steps_[at(task_of(transfer.of.from, transfer.of.from_task).step)];
    step.begin = std::min(step.begin, transfer.sent);
    if (transfer.is_eager) push(transfer.sent, Event::sent, transfer.of.from, number);
    push(transfer.sent + routes_.latency(transfer.of), Event::flows, transfer.of.from, number);
  }

  void start_flow(int number) {
    const DataTransfer& of = transfers_[at(number)].of;
    flows_.start(time_, routes_.route(of), of.bytes, number);
  }

  // The data of a transfer are there.
  void arrive(int number) {
    Transfer& transfer = transfers_[at(number)];
    transfer.has_arrived = true;
    ReplayedStep& step = steps_[at(task_of(transfer.of.from, transfer.of.from_task).step)];
    step.end = std::max(step.end, time_);
    step.busy += (time_ - transfer.sent) / static_cast<double>(ranks_.size());
    if (!transfer.is_eager) end_send(transfer);
    if (transfer.is_asked_for) receive(number);
  }

  void end_send(const Transfer& transfer) {
    const int number = transfer.of.from, task = transfer.of.from_task;
    const Task& of = task_of(number, task);
    if (of.kind == Task::send) {
      rank(number).sends(exchange_of(number, task)).complete(of.index);
      send_waiting(number, exchange_of(number, task));
    }
    end_transfer(number, task);
  }

  void receive(int number) {
    const Transfer& transfer = transfers_[at(number)];
    const double when = transfer.is_far ? handle(transfer.of.to) : time_;
    push(when, Event::received, transfer.of.to, number);
  }

  void end_transfer(int number, int task) {
    const auto rounds = rounds_[at(number)].find(task);
    if (rounds != rounds_[at(number)].end() && rounds->second.end_transfer())
      enter_round(number, task);
    if (!rank(number).end_transfer(task)) return;
    rank(number).schedule().mark_completed(task);
    advance(number);
  }

  // ---- signals

  SignalState& signal(int number, int index) {
    return signals_[at(set_.node_of_rank[at(number)])][at(index)];
  }

  void raise(int number, int index) {
    SignalState& state = signal(number, index);
    if (++state.raised < set_.forward[at(number)].signals[at(index)].raisers) return;
    for (const auto& [awaiting, task] : state.awaiting)
      push(time_ + speeds_.synchronization_seconds, Event::seen, awaiting, task);
    state.awaiting.clear();
  }

  // Awaits a signal; nothing of the run before is left to wait for.
  void await(int number, int task) {
    const Task& of = task_of(number, task);
    SignalState& state = signal(number, of.index);
    if (of.lag > 0 || state.raised >= set_.forward[at(number)].signals[at(of.index)].raisers)
      push(time_, Event::seen, number, task);
    else
      state.awaiting.emplace_back(number, task);
  }

  // ---- events

  void happen(const Event& event) {
    switch (event.kind) {
      case Event::part:
        if (const double later = rank(event.rank).handled - event.handled; later > 0)
          push(time_ + later, Event::part, event.rank, event.number);
        else
          end_part(event.rank, event.number);
        return;
      case Event::sent:
        end_send(transfers_[at(event.number)]);
        return;
      case Event::flows:
        start_flow(event.number);
        return;
      case Event::received: {
        const DataTransfer& of = transfers_[at(event.number)].of;
        end_transfer(of.to, of.to_task);
        return;
      }
      case Event::seen:
        rank(event.rank).schedule().mark_completed(event.number);
        advance(event.rank);
        return;
    }
  }

  Replay result() {
    Replay result;
    double computed = 0;
    for (const RankReplay& each : ranks_) {
      ensure(each.schedule().is_done(), each.program().rank);
      computed += each.computed();
      for (std::size_t s = 0; s < steps_.size(); ++s)
        if (each.program().steps[s].sweep >= 0)
          steps_[s].busy = std::max(steps_[s].busy, each.computed_in(s));
    }
    result.seconds = time_;
    result.waiting = time_ == 0 ? 0 : 1 - computed / (time_ * static_cast<double>(ranks_.size()));
    for (ReplayedStep& step : steps_) step.begin = std::min(step.begin, step.end);
    result.steps = std::move(steps_);
    result.transfers = static_cast<std::int64_t>(transfers_.size());
    return result;
  }

  const ProgramSet& set_;
  const ReplaySpeeds& speeds_;
  TransferRoutes routes_;
  Flows flows_;
  std::vector<RankReplay> ranks_;
  std::vector<Transfer> transfers_;
  std::vector<ByTask> begins_, ends_;              // by rank
  std::vector<std::map<int, Rounds>> rounds_;      // by rank and task
  std::vector<std::vector<SignalState>> signals_;  // by node
  std::vector<ReplayedStep> steps_;
  std::priority_queue<Event> events_;
  std::int64_t next_order_ = 0;
  double time_ = 0;
};

}  // namespace

Replay replay(const ProgramSet& set, const ReplaySpeeds& speeds, const Network& network,
              const std::vector<int>& node_of) {
  // The list of transfers is not kept while they run.
  const auto made = [&] {
    return Replayer(set, speeds, network, node_of, transfers_of(set, speeds.pairwise));
  };
  return made().run();
}

}  // namespace weft
