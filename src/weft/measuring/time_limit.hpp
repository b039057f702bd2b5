// measuring/time_limit: how long a measurement may take.
// Keeps: whatever is measured is measured once, and the rest only while there is time.
#pragma once

#include <functional>

#include "weft/base/trace.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

/// Tells seconds. Tests have clocks of their own.
using Clock = std::function<double()>;

/// A time until which work goes on, its aim; and a later one, its end. Until the end, work is
/// repeated as often as figures need at least. On an idle machine all work ends about at its aim.
class TimeLimit {
 public:
  /// Aims at `seconds` from now on, and ends after `most`.
  TimeLimit(double seconds, double most, Clock clock = now);

  /// The same end, and an aim `seconds` from now on that is no later than this one's.
  TimeLimit part(double seconds) const;
  /// An aim `seconds` from now on, and an end `most` after the beginning of this limit; neither is
  /// later than the end of this one.
  TimeLimit part(double seconds, double most) const;

  /// Seconds until the aim, at least 0.
  double left() const;
  bool is_reached() const { return left() <= 0; }  ///< the aim
  bool is_over() const { return clock_() >= end_; }

  /// Whether what was done `done` times is done once more: the first time in any case, up to
  /// `least` times until the end, and up to `most` times until the aim. On this rank.
  bool allows(int done, int least, int most) const;
  /// The same for all ranks alike. Collective.
  bool allows(const Communicator& comm, int done, int least, int most) const;
  /// Whether it is over for any rank. Collective.
  bool is_over(const Communicator& comm) const;
  /// What is left for the rank that has the least. Collective.
  double left(const Communicator& comm) const;

 private:
  TimeLimit(double begin, double aim, double end, Clock clock);

  Clock clock_;
  double begin_, aim_, end_;
};

}  // namespace weft
