// proof/check_order: the events of one direction's programs on all ranks, and the order of events
// that the executor and MPI guarantee.
// Pure. Keeps: an order that is only likely is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "weft/program/index.hpp"
#include "weft/proof/check_matches.hpp"

namespace weft {

/// The events of one run: the beginning and the end of the run on every rank; the submission and
/// the completion of every task, which are one event for tasks that complete at once; and for each
/// signal of every node the event that all its raisers have raised it. before(e) lists events
/// directly before e; every other event before e is before one of these.
class OrderGraph {
 public:
  OrderGraph(const ProgramSet& set, int direction, const Matches& matches);

  int events() const { return events_; }
  int begin(int rank) const { return begins_[at(rank)]; }
  int end(int rank) const { return begins_[at(rank)] + 1; }
  int submit(int rank, int task) const { return submits_[at(first_tasks_[at(rank)] + task)]; }
  int complete(int rank, int task) const { return completes_[at(first_tasks_[at(rank)] + task)]; }
  int signal(int node, int number) const { return first_signals_[at(node)] + number; }
  /// The events of signals are [first_signal(), first_signal() + signals()).
  int first_signal() const { return first_signal_; }
  int signals() const { return signals_; }

  std::span<const int> before(int event) const { return causes_.of(event); }
  /// An await with a lag: `event` is after event `signal` of the run that is `lag` runs of this
  /// direction before.
  struct LagWait {
    int event, signal, lag;
  };
  /// The lag wait of an event, or null.
  const LagWait* lag_wait(int event) const {
    const int number = lag_numbers_[at(event)];
    return number < 0 ? nullptr : &lag_waits_[at(number)];
  }

  /// All events in an order in which each comes after those before it. If there is no such order,
  /// tasks wait for each other: returns nothing and adds a hazard. Assumes here that MPI holds back
  /// a send until its receive is posted, and a collective until all members have started it; and
  /// that an exchange that limits its sends holds back any send of a rank until the others have
  /// completed. Where messages may go in groups (program/message_groups), they may do so, or not.
  std::vector<int> sorted(HazardList& hazards) const;

 private:
  // Lists of events, one list for each event.
  struct Lists {
    std::vector<int> first, events;
    std::span<const int> of(int event) const {
      const auto begin = at(first[at(event)]);
      return std::span(events).subspan(begin, at(first[at(event) + 1]) - begin);
    }
  };
  using Edges = std::vector<std::pair<int, int>>;  // an event, and one before it

  const std::vector<Program>& programs() const { return programs_of(*set_, direction_); }
  int add_event() { return events_++; }
  void add_tasks();
  void add_waits();
  void add_messages(const Matches& matches);
  void add_limits(const Matches& matches);
  void add_collectives(const Matches& matches);
  struct GroupEvents {
    int starts, ends;
  };
  void add_groups(const Matches& matches);
  std::map<int, GroupEvents> groups_of(const Program& program);
  void add_signals();
  static Lists lists_of(int events, const Edges& edges);
  void tell_cycle(std::span<const int> cycle, HazardList& hazards) const;

  const ProgramSet* set_;
  int direction_;
  int events_ = 0;
  std::vector<int> begins_, first_tasks_;  // by rank
  std::vector<int> submits_, completes_;   // by task of all ranks
  std::vector<int> first_signals_;         // by node
  int first_signal_ = 0, signals_ = 0;
  Edges before_, held_;  // for the constructor; held_: possible delays, only for deadlocks
  Lists causes_, holds_;
  std::vector<LagWait> lag_waits_;
  std::vector<int> lag_numbers_;  // by event
};

}  // namespace weft
