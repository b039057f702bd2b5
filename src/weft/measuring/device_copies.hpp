// measuring/device_copies: what copies of one device take.
#pragma once

#include <cstdint>
#include <functional>

#include "weft/device/device.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/measuring/time_limit.hpp"

namespace weft {

/// Bytes of an array that is copied: at most `most_bytes`, and a small part of what is free on the
/// selected device and of `spare_bytes` of the processor's memory.
struct CopySize {
  std::int64_t most_bytes = 0, spare_bytes = 0;

  std::int64_t bytes(const DeviceDriver& driver) const;
};

/// The fastest of several times in which `copies` are enqueued and awaited, in seconds. Once before
/// that, so that all is set up.
double seconds_of_copies(const TimeLimit& limit, const std::function<void()>& copies);

/// The speeds of a device, which is selected then. Errors of the driver.
DeviceSpeed measure_device(const Device& device, const CopySize& size, const TimeLimit& limit);

}  // namespace weft
