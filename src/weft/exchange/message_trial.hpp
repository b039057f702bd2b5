// exchange/message_trial: tries whether MPI sends from memory of devices, and receives into it.
// Keeps: an MPI that cannot do it is an answer, not the end of the process.
#pragma once

#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/device/driver.hpp"

namespace weft {

/// Sends small and large messages from every rank to the next one, and a collective, from memory of
/// each rank's device into that of another, and compares what has arrived. Empty if MPI does all of
/// it; else the reason why not, the same on all ranks: "MPI touches memory of the device as if it
/// were the processor's". `kind` is that of the memory; tests try others. Collective; what is still
/// under way after 10 s is given up, and its memory never freed.
std::string why_not_direct(const Communicator& comm, DeviceDriver& driver, int device,
                           Memory kind = Memory::device);

}  // namespace weft
