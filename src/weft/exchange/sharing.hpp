// exchange/sharing: which ranks of a node can map each other's memory, and that of their devices.
// Keeps: agreement - the answer is the same on every rank.
#pragma once

#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/device/device.hpp"

namespace weft {

/// The answer.
struct Sharing {
  /// The node of every rank, divided where ranks cannot map each other's memory: all ranks that
  /// have one number can. Numbered in the order of the lowest ranks.
  std::vector<int> node_of_rank;
  /// Why a node was divided: the first failure that a rank met. Empty if none was.
  std::string why_not;
};

/// Every rank makes a little memory and tries to map that of all other ranks of its node: they may
/// be in different containers, run as different users, or deny access to their memory. If ranks
/// compute on a `device` each, of one driver, they also copy from a little memory of the devices of
/// the others: devices may not reach each other. Collective. Error::system, on all ranks, if a
/// limit of the system is exceeded.
Sharing sharing_of(const Communicator& comm, const std::vector<int>& node_of_rank,
                   const Device& device = {});

}  // namespace weft
