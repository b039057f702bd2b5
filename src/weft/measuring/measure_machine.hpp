// measuring/measure_machine: measures the machine that a job runs on, one part after another.
#pragma once

#include <functional>
#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/measuring/time_limit.hpp"

namespace weft {

/// What is measured, and for how long.
struct MeasurementChoices {
  std::string name;             ///< of the machine; empty: the host of rank 0
  double seconds = 20;          ///< about so long in all, but see least_patience
  std::vector<int> node_sizes;  ///< see Options
  int threads = 0;              ///< of the plans; see Options
  Clock clock = now;            ///< which tells when time is up
};

/// The largest accepted number of seconds.
inline constexpr double most_measurement_seconds = 3600;

/// In fewer seconds, a slow machine is not measured at all; so it may take as many.
inline constexpr double least_patience = 10;

/// All measurements. What a busy machine has no time for is measured once or left out, and told in
/// MachineMeasurement::cut_short. `tell` is called on every rank with what begins. Collective.
/// Error::invalid for seconds that are not positive or too many, Error::unsupported in a build for
/// SimGrid; other errors as of the parts.
MachineMeasurement measure_machine(const Communicator& comm, const MeasurementChoices& choices,
                                   const std::function<void(const std::string&)>& tell);

}  // namespace weft
