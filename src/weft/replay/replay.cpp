// replay/replay: what ranks do, event by event.

#include "weft/replay/replay.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/program/index.hpp"
#include "weft/replay/event_queue.hpp"
#include "weft/replay/node_signals.hpp"
#include "weft/replay/rank_replay.hpp"
#include "weft/replay/step_times.hpp"
#include "weft/replay/transfers.hpp"
#include "weft/replay/transfers_under_way.hpp"

namespace weft {

namespace {

class Replayer {
 public:
  Replayer(const ProgramSet& set, const ReplaySpeeds& speeds, const Network& network,
           const std::vector<int>& node_of, const std::vector<DataTransfer>& transfers)
      : set_(set),
        speeds_(speeds),
        ranks_(ranks_of(set, speeds)),
        steps_(set.forward.front()),
        transfers_({set, speeds, ranks_, events_, steps_}, network, node_of, transfers),
        signals_(set) {}

  Replay run() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) advance(static_cast<int>(rank));
    while (!events_.is_empty() || transfers_.any_flows()) {
      const double arrival = transfers_.next_arrival(events_.next_time());
      if (arrival <= events_.next_time()) {
        events_.go_on_to(arrival);
        for (const int transfer : transfers_.take_arrived()) arrive(transfer);
      } else {
        happen(events_.take());
      }
    }
    return result();
  }

 private:
  static std::vector<RankReplay> ranks_of(const ProgramSet& set, const ReplaySpeeds& speeds) {
    std::vector<RankReplay> ranks;
    for (const Program& program : set.forward) ranks.emplace_back(program, speeds);
    return ranks;
  }
  RankReplay& rank(int number) { return ranks_[at(number)]; }
  const Task& task_of(int rank, int task) const { return set_.forward[at(rank)].tasks[at(task)]; }
  std::size_t step_of(int rank, int task) const { return at(task_of(rank, task).step); }
  std::size_t exchange_of(int rank, int task) const {
    return at(set_.forward[at(rank)].steps[step_of(rank, task)].exchange);
  }

  void happen(const ReplayEvent& event) {
    switch (event.kind) {
      case ReplayEvent::part:
        if (const double later = rank(event.rank).take_delay(); later > 0)
          events_.push(event.time + later, ReplayEvent::part, event.rank, event.number);
        else
          end_part(event.rank, event.number);
        return;
      case ReplayEvent::sent:
        end_send(event.number);
        return;
      case ReplayEvent::flows:
        transfers_.start_flow(event.number);
        return;
      case ReplayEvent::received:
        end_transfer(transfers_[event.number].to, transfers_[event.number].to_task);
        return;
      case ReplayEvent::seen:
        rank(event.rank).schedule().mark_completed(event.number);
        advance(event.rank);
        return;
    }
  }

  // ---- tasks and items

  void advance(int number) {
    RankReplay& here = rank(number);
    while (true) {
      for (int task = here.schedule().take_ready(); task >= 0; task = here.schedule().take_ready())
        submit(number, task);
      if (here.item >= 0) return;
      here.item = here.schedule().take_item();
      if (here.item < 0) return;
      begin_part(number, 0);
      steps_.begin(step_of(number, here.item), events_.now());
    }
  }

  void begin_part(int number, int part) {
    RankReplay& here = rank(number);
    const double end = here.begin_part(part, events_.now());
    events_.push(end, ReplayEvent::part, number, part);
  }

  void end_part(int number, int part) {
    RankReplay& here = rank(number);
    const int task = here.item;
    const std::size_t step = step_of(number, task);
    const int message = here.parts(task)[at(part)].message;
    if (message < 0) {
      steps_.end(step, events_.now());
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
    const Task& submitted = task_of(number, task);
    if (submitted.kind == Task::raise) {
      rank(number).schedule().mark_completed(task);
      for (const auto& awaiting : signals_.raise(number, submitted.index))
        events_.push(events_.now() + speeds_.synchronization_seconds, ReplayEvent::seen,
                     awaiting.rank, awaiting.task);
    } else if (submitted.kind == Task::await) {
      if (signals_.await(number, task))
        events_.push(events_.now(), ReplayEvent::seen, number, task);
    } else if (submitted.kind == Task::send) {
      rank(number).sends(exchange_of(number, task)).add(submitted.index);
      send_waiting(number, exchange_of(number, task));
    } else {
      if (submitted.kind == Task::collective) transfers_.send(number, task);
      transfers_.receive(number, task);
      if (transfers_.left(number, task) == 0) rank(number).schedule().mark_completed(task);
    }
  }

  // ---- transfers

  void send_waiting(int number, std::size_t exchange) {
    SendWindow& window = rank(number).sends(exchange);
    for (int next = window.take(); next >= 0; next = window.take())
      transfers_.send(number, rank(number).send_task(exchange, next));
  }

  void arrive(int transfer) {
    transfers_.arrive(transfer);
    if (!transfers_.is_eager(transfer)) end_send(transfer);
    transfers_.hand_over(transfer);
  }

  void end_send(int transfer) {
    const int number = transfers_[transfer].from, task = transfers_[transfer].from_task;
    const Task& ended = task_of(number, task);
    if (ended.kind == Task::send) {
      rank(number).sends(exchange_of(number, task)).complete(ended.index);
      send_waiting(number, exchange_of(number, task));
    }
    end_transfer(number, task);
  }

  void end_transfer(int number, int task) {
    if (!transfers_.end_one(number, task)) return;
    rank(number).schedule().mark_completed(task);
    advance(number);
  }

  Replay result() {
    Replay result;
    double computed = 0;
    for (const RankReplay& each : ranks_) {
      ensure(each.schedule().is_done(), each.program().rank);
      computed += each.computed();
      for (std::size_t s = 0; s < steps_.size(); ++s)
        if (each.program().steps[s].sweep >= 0) steps_.count_computing(s, each.computed_in(s));
    }
    result.seconds = events_.now();
    result.waiting = result.seconds == 0
                         ? 0
                         : 1 - computed / (result.seconds * static_cast<double>(ranks_.size()));
    result.steps = steps_.take();
    result.transfers = static_cast<std::int64_t>(transfers_.count());
    return result;
  }

  const ProgramSet& set_;
  const ReplaySpeeds& speeds_;
  std::vector<RankReplay> ranks_;
  EventQueue events_;
  StepTimes steps_;
  TransfersUnderWay transfers_;
  NodeSignals signals_;
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
