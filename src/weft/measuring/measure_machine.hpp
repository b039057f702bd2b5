// measuring/measure_machine: measures the machine that a job runs on, one part after another.
#pragma once

#include <functional>
#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/measuring/machine_measurement.hpp"

namespace weft {

/// What is measured, and for how long.
struct MeasurementChoices {
  std::string name;             ///< of the machine; empty: the host of rank 0
  double seconds = 20;          ///< about so long in all
  std::vector<int> node_sizes;  ///< see Options
  int threads = 0;              ///< of the plans; see Options
};

/// The largest accepted number of seconds.
inline constexpr double most_measurement_seconds = 3600;

/// All measurements. `tell` is called on every rank with what begins. Collective. Error::invalid
/// for seconds that are not positive or too many, Error::unsupported in a build for SimGrid; other
/// errors as of the parts.
MachineMeasurement measure_machine(const Communicator& comm, const MeasurementChoices& choices,
                                   const std::function<void(const std::string&)>& tell);

}  // namespace weft
