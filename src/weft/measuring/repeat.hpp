// measuring/repeat: does the same work again and again, for a limited time.
// Keeps: all ranks repeat equally often, as they all count the times of the slowest rank.
#pragma once

#include <algorithm>
#include <vector>

#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/measuring/time_limit.hpp"

namespace weft {

/// How often, and for how long.
struct Repetitions {
  TimeLimit limit;
  int least = 2, most = 25;
};

/// No time is shorter, as clocks tell nanoseconds.
inline constexpr double shortest_seconds = 1e-9;

/// Sorts the times, at least one, and summarizes them.
inline Repeated repeated(std::vector<double>& seconds) {
  std::sort(seconds.begin(), seconds.end());
  return {std::max(shortest_seconds, seconds.front()),
          std::max(shortest_seconds, seconds[seconds.size() / 2])};
}

/// The seconds that `body` takes the slowest rank, when all ranks call it at the same time.
/// Collective; `body` must not throw on some ranks only.
template <class Body>
double timed_together(const Communicator& comm, const Body& body) {
  comm.barrier();
  const double start = now();
  body();
  return comm.max(now() - start);
}

/// Calls `body` on all ranks at the same time. A time is that of the slowest rank. Collective;
/// `body` must not throw on some ranks only.
template <class Body>
Repeated repeat_together(const Communicator& comm, const Repetitions& repetitions,
                         const Body& body) {
  std::vector<double> all;
  agree(comm, [&] { all.reserve(static_cast<std::size_t>(repetitions.most)); });
  for (int done = 0; repetitions.limit.allows(comm, done, repetitions.least, repetitions.most);
       ++done)
    all.push_back(timed_together(comm, body));
  return repeated(all);
}

}  // namespace weft
