// plan/device_here: the device that a rank of a plan uses.
// Keeps: agreement - an error on one rank is an error on all.
#pragma once

#include "weft/comm/communicator.hpp"
#include "weft/device/device.hpp"
#include "weft/machine/machine.hpp"
#include "weft/options.hpp"

namespace weft {

/// The device of this rank, if `options.engine` is a driver of devices; Options::device says which.
/// Collective. Errors of
/// agreed_devices(), on all ranks.
Device device_here(const Communicator& comm, const Options& options, const Machine& machine);

}  // namespace weft
