// replay/rank_replay: one rank of a replay: which item it computes, and what it has to handle.
// Pure.
#pragma once

#include <numeric>
#include <vector>

#include "weft/program/index.hpp"
#include "weft/program/schedule.hpp"
#include "weft/program/send_window.hpp"
#include "weft/replay/replay.hpp"

namespace weft {

/// A rank's schedule and clock. Used by replay, which owns the events.
class RankReplay {
 public:
  RankReplay(const Program& program, const ReplaySpeeds& speeds);

  /// A point within an item at which an outgoing message, or with message -1 the item, is complete.
  struct Part {
    double seconds = 0;  ///< from the beginning of the item
    int message = -1;
  };
  /// What an item takes: the last part is its end.
  const std::vector<Part>& parts(int task) const;

  const Program& program() const { return *program_; }
  Schedule& schedule() { return schedule_; }
  const Schedule& schedule() const { return schedule_; }
  SendWindow& sends(std::size_t exchange) { return sends_[exchange]; }
  /// The task of send `index` of an exchange.
  int send_task(std::size_t exchange, int index) const { return send_tasks_[exchange][at(index)]; }
  /// Whether outgoing message `number` of the exchange that follows sweep step `step` is complete,
  /// now that one more item has stored its part of it.
  bool counts_down(std::size_t step, int number);

  /// The item that is computed; -1 if none is.
  int item = -1;
  /// What handling messages has taken of this rank so far: items end later by that.
  double handled = 0;
  double handles_until = 0;
  /// Until when bytes of messages keep it from computing, if nothing else does.
  double handles_bytes_until = 0;
  /// Seconds of items, parts that are under way included, of all steps and of one.
  double computed() const { return std::accumulate(computed_.begin(), computed_.end(), 0.0); }
  double computed_in(std::size_t step) const { return computed_[step]; }
  void add_work(std::size_t step, double seconds) { computed_[step] += seconds; }
  /// Transfers that task `task` has not ended.
  int transfers_left(int task) const { return transfers_left_[at(task)]; }
  void add_transfer(int task) { ++transfers_left_[at(task)]; }
  /// Returns whether it was the last of the task.
  bool end_transfer(int task) { return --transfers_left_[at(task)] == 0; }

 private:
  void add_sweep(std::size_t step, const ReplaySpeeds& speeds);

  const Program* program_;
  Schedule schedule_;
  std::vector<SendWindow> sends_;
  std::vector<std::vector<int>> send_tasks_;
  std::vector<std::vector<std::vector<Part>>> parts_;  // by step, item
  std::vector<std::vector<int>> items_left_;           // by step, message: that have not stored it
  std::vector<int> transfers_left_;                    // by task
  std::vector<double> computed_;                       // by step
};

}  // namespace weft
