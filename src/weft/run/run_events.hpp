// run/run_events: what a rank did in a run besides computing, and what it waited for, as values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/program/program.hpp"

namespace weft {

class Execution;

/// A message or collective that a rank handed to MPI, or a signal that it raised or awaited.
struct RunEvent {
  Task::Kind kind = Task::receive;  ///< receive, send, collective, raise or await
  int step = 0;                     ///< of the program
  int peer = -1;                    ///< the rank at the other end of a message; -1: several
  int number = 0;                   ///< a message's tag, or the number of a collective or signal
  bool is_of_earlier_run = false;   ///< a signal that was awaited of an earlier run
  std::int64_t bytes = 0;           ///< of a message; of a collective, what this rank sends
  /// When it was handed over, how long the call took, and when this rank saw that it was complete.
  double start = 0, call_seconds = 0, end = 0;
  std::string signal = {};  ///< its name

  friend bool operator==(const RunEvent&, const RunEvent&) = default;
};

/// A time without anything to do, which ended when an event had completed, in the order of
/// RunEvents::events, or something else had happened.
struct RunWait {
  enum Other { all_ranks = -1, device = -2 };  ///< that they vote; that it computes
  int event = all_ranks;
  double start = 0, seconds = 0;

  friend bool operator==(const RunWait&, const RunWait&) = default;
};

struct RunEvents {
  std::vector<RunEvent> events;
  std::vector<RunWait> waits;

  friend bool operator==(const RunEvents&, const RunEvents&) = default;
};

/// Those of the last run, on the clock of weft::now(). None unless its tasks were recorded.
RunEvents events_of(const Execution& execution);

/// As numbers, for messages of MPI, with times in nanoseconds after `zero`.
std::vector<std::int64_t> numbers_of(const RunEvents& events, double zero);
/// The events that numbers_of() has given, with times in seconds after its zero.
RunEvents events_of(const std::vector<std::int64_t>& numbers);

}  // namespace weft
