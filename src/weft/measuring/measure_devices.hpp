// measuring/measure_devices: what copies of devices take, on each host and between ranks.
#pragma once

#include <cstdint>
#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/device/driver.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/measuring/time_limit.hpp"

namespace weft {

/// A driver of which all ranks have devices: its number in the table of drivers, or -1, and why
/// there is none.
struct CommonDriver {
  int number = -1;
  std::string why_none;
};

/// The first such driver. Collective.
CommonDriver common_driver(const Communicator& comm);

/// The first rank of each host measures all its devices, one after the other; then some ranks of a
/// host copy from the memory of each other's devices: arrays of `most_bytes`, or less where memory
/// is scarce. The device of every rank is selected then. Collective. Errors of the driver, on all
/// ranks; ranks that cannot map each other's memory are told in DeviceMeasurement::why_no_pairs.
DeviceMeasurement measure_devices(const Communicator& comm, const JobFacts& job,
                                  DeviceDriver& driver, std::int64_t most_bytes,
                                  const TimeLimit& limit);

}  // namespace weft
