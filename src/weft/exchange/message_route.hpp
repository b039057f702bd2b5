// exchange/message_route: how messages of memory of devices go, and why.
#pragma once

#include <memory>
#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/device/device.hpp"
#include "weft/exchange/nccl_channel.hpp"

namespace weft {

/// How messages of memory of devices go, the same on all ranks.
struct MessageRoute {
  /// MPI takes them from memory of the devices.
  bool direct = false;
  /// They go in groups of NCCL, but for boxes with strides. Null: they do not.
  std::shared_ptr<NcclChannel> channel = {};
  /// One sentence: "messages go through registered memory of the processor: Open MPI v4.1.4 does
  /// not claim to take memory of devices".
  std::string text = {};
};

/// Whether the MPI of this process claims to take memory of the devices of driver `driver`, "cuda"
/// or "hip".
bool mpi_claims_devices(const std::string& driver);

/// The first that applies of: by MPI, if the MPI of all ranks claims it, and does it (see
/// message_trial); by NCCL, if each rank has a device of its own, a trial succeeds, and a thread of
/// weft's makes `progress`; and through registered memory. This rank uses `device`, whose driver is
/// called `name`. NCCL keeps processors of a device waiting for messages: without such a thread, a
/// call of the application's that waits for the device could wait for a rank that does not call
/// weft. WEFT_DEVICE_MESSAGES in the environment, `staged`, `direct` or `nccl`, answers in place of
/// all this. Collective. Error::invalid if it is another word, Error::mismatch if ranks have
/// different ones, Error::unsupported if NCCL is asked for and does not apply.
MessageRoute message_route(const Communicator& comm, const std::string& name, const Device& device,
                           bool has_thread = false);

}  // namespace weft
