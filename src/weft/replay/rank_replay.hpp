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
  /// Begins a part of it at `time`, or when what is handled at this moment has been. Returns when
  /// the part ends, if nothing more is handled meanwhile.
  double begin_part(int part, double time);
  /// By how much the part is later because of what has been handled since it began, or since the
  /// last call.
  double take_delay();
  /// Handles a message at `time`, which takes `seconds`, and delays the item that is computed.
  /// Returns when that is done.
  double handle(double time, double seconds);
  /// Handles the bytes of a message, from when it is under way; so do these. A rank that computes
  /// nothing handles them meanwhile, and what is left then delays its next item.
  void handle_bytes(double time, double seconds);

  /// Seconds of items, parts that are under way included, of all steps and of one.
  double computed() const { return std::accumulate(computed_.begin(), computed_.end(), 0.0); }
  double computed_in(std::size_t step) const { return computed_[step]; }

 private:
  void add_sweep(std::size_t step, const ReplaySpeeds& speeds);

  const Program* program_;
  Schedule schedule_;
  std::vector<SendWindow> sends_;
  std::vector<std::vector<int>> send_tasks_;
  std::vector<std::vector<std::vector<Part>>> parts_;  // by step, item
  std::vector<std::vector<int>> items_left_;           // by step, message: that have not stored it
  std::vector<double> computed_;                       // by step
  // What handling messages has taken while items were computed, and how much of this is part of the
  // end that has been told.
  double handled_ = 0, told_ = 0;
  double handles_until_ = 0, handles_bytes_until_ = 0;
};

}  // namespace weft
