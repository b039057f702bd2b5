// plan/device_speeds: what a rank has of its device and of the bus.
// Keeps: agreement - the speeds are the same on every rank.
#pragma once

#include "weft/comm/communicator.hpp"
#include "weft/device/device.hpp"
#include "weft/options.hpp"
#include "weft/planning/offload.hpp"

namespace weft {

/// Those of the slowest rank while all ranks copy at once some MiB of registered memory to their
/// devices, back, and within them; nominal ones of a device that `sharing` ranks use if `options`
/// do not allow to measure. Collective. Errors of the driver, on all ranks.
DeviceSpeeds device_speeds(const Communicator& comm, const Device& device, int sharing,
                           const Options& options);

}  // namespace weft
