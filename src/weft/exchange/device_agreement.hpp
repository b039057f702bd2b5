// exchange/device_agreement: all ranks know which device each of them uses.
// Keeps: agreement - a rank that asks for a device that does not exist is an error on all ranks.
#pragma once

#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/device/rank_devices.hpp"

namespace weft {

class DeviceDriver;

/// The devices of all ranks, of which this one asks for device `asked` of its driver, or, with -1,
/// for any. node_of_rank[r] is the node of rank r. Collective. Errors of rank_devices(), on all
/// ranks.
std::vector<RankDevice> agreed_devices(const Communicator& comm,
                                       const std::vector<int>& node_of_rank,
                                       const DeviceDriver& driver, int asked);

}  // namespace weft
