// exchange/message_route: whether MPI takes messages of memory of devices itself, and why.
#pragma once

#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/device/device.hpp"

namespace weft {

/// How messages of memory of devices go, the same on all ranks.
struct MessageRoute {
  bool direct = false;
  /// One sentence: "messages go through registered memory of the processor: Open MPI v4.1.4 does
  /// not claim to take memory of devices".
  std::string text;
};

/// Whether the MPI of this process claims to take memory of the devices of driver `driver`, "cuda"
/// or "hip".
bool mpi_claims_devices(const std::string& driver);

/// Direct if the MPI of all ranks claims it, and does it (see message_trial); this rank uses
/// `device`, whose driver is called `name`. WEFT_DEVICE_MESSAGES in the environment, `staged` or
/// `direct`, answers in place of the trial. Collective. Error::invalid if it is another word,
/// Error::mismatch if ranks have different ones.
MessageRoute message_route(const Communicator& comm, const std::string& name, const Device& device);

}  // namespace weft
