// replay/transfers_under_way: how far the transfers of a replay have come.
// Pure.
#pragma once

#include <map>
#include <vector>

#include "weft/replay/event_queue.hpp"
#include "weft/replay/flows.hpp"
#include "weft/replay/rank_replay.hpp"
#include "weft/replay/rounds.hpp"
#include "weft/replay/step_times.hpp"
#include "weft/replay/transfer_routes.hpp"

namespace weft {

/// Begins transfers when both of their sides allow it, lets their data flow, and makes the events
/// of them. Their ranks are delayed by handling them.
class TransfersUnderWay {
 public:
  /// What transfers have to do with.
  struct Surroundings {
    const ProgramSet& set;
    const ReplaySpeeds& speeds;
    std::vector<RankReplay>& ranks;
    EventQueue& events;
    StepTimes& steps;
  };
  /// `around`, `network` and `node_of` must outlive it. Node i of the set is node_of[i].
  TransfersUnderWay(const Surroundings& around, const Network& network,
                    const std::vector<int>& node_of, const std::vector<DataTransfer>& transfers);

  std::size_t count() const { return transfers_.size(); }
  const DataTransfer& operator[](int number) const { return transfers_[at(number)].data; }
  /// Whether the sender's part ends before the data have arrived.
  bool is_eager(int number) const { return transfers_[at(number)].is_eager; }

  /// The rank begins to send what its task sends.
  void send(int rank, int task) { leave(rank, of_task(sent_by_[at(rank)], task)); }
  /// The rank is ready to receive what its task receives, and begins the first round of it.
  void receive(int rank, int task);
  /// Transfers that the task has yet to end.
  int left(int rank, int task) const { return left_[at(rank)][at(task)]; }
  /// One of them has ended. Returns whether it was the last one.
  bool end_one(int rank, int task);

  /// Whether data are under way.
  bool any_flows() const { return flows_.count() > 0; }
  /// When the next data arrive, if that is before `event`; see Flows::next_end().
  double next_arrival(double event) { return flows_.next_end(event); }
  /// The transfers whose data arrive then, until the next call.
  const std::vector<int>& take_arrived();
  /// The data of the transfer leave.
  void start_flow(int number);
  /// They have arrived.
  void arrive(int number);
  /// Lets the receiver handle data that have arrived, if it is ready for them.
  void hand_over(int number);

 private:
  struct Transfer {
    DataTransfer data;
    std::size_t step = 0;
    bool is_far = false, is_eager = false;
    bool is_sent = false, is_asked_for = false, is_under_way = false, has_arrived = false;
    double sent = 0;
  };
  // Numbers of transfers, by task of a rank.
  using ByTask = std::vector<std::vector<int>>;

  static const std::vector<int>& of_task(const ByTask& all, int task);
  void add(const DataTransfer& data);
  void leave(int rank, const std::vector<int>& transfers);
  void ask_for(const std::vector<int>& transfers);
  void enter_round(int rank, int task);
  void begin_if_ready(int number);
  double handle(int rank) {
    return around_.ranks[at(rank)].handle(around_.events.now(), around_.speeds.message_seconds);
  }

  Surroundings around_;
  TransferRoutes routes_;
  Flows flows_;
  std::vector<Transfer> transfers_;
  std::vector<ByTask> sent_by_, received_by_;  // by rank, those of no round
  std::vector<std::map<int, Rounds>> rounds_;  // by rank and task
  std::vector<std::vector<int>> left_;         // by rank and task
  std::vector<int> arrived_;
};

}  // namespace weft
