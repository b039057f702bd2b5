// device/rank_devices: which device each rank uses.
// Pure: knows no driver and no MPI.
#pragma once

#include <cstdint>
#include <vector>

namespace weft {

/// What a rank knows of the devices of its node. Ranks may see different ones, as variables such as
/// CUDA_VISIBLE_DEVICES hide some.
struct DevicesSeen {
  int asked = -1;                     ///< the number of the device to use; -1: any
  std::vector<std::int64_t> devices;  ///< by number: what tells it from other devices of the node
};

/// The device of a rank.
struct RankDevice {
  int number = 0;  ///< as this rank numbers the devices that it sees
  int ranks = 1;   ///< of this node that use it

  friend bool operator==(const RankDevice&, const RankDevice&) = default;
};

/// The devices of all ranks. Ranks that ask for none share out those of their node evenly: ranks
/// that follow each other share a device, if there are more ranks than devices.
/// Error::invalid, which names the rank, for a device that does not exist; Error::unsupported for a
/// rank that sees none.
std::vector<RankDevice> rank_devices(const std::vector<int>& node_of_rank,
                                     const std::vector<DevicesSeen>& seen);

}  // namespace weft
