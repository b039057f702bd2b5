// exchange/sharing: which ranks of a node can map each other's memory, and that of their devices.
// Keeps: agreement - the answer is the same on every rank.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/device/device.hpp"
#include "weft/exchange/device_trial.hpp"
#include "weft/memory/shared_region.hpp"

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
/// compute on a device each, of one driver, they also copy from a little memory of the devices of
/// the others: devices may not reach each other.
class SharingTrial {
 public:
  /// Of the ranks of `comm`. Not collective. Error::system if a limit of the system is exceeded.
  SharingTrial(const Communicator& comm, std::vector<int> node_of_rank);
  /// Tries the memory of this rank's device as well. Not collective. Error::system if there is
  /// none.
  void add(const Device& device);

  /// What a rank offers to the others of its node, as plain data.
  struct Offer {
    SharedRegionHandle memory;  ///< of no process if it can make none
    DeviceTrial::Offer device;
  };
  const Offer& offer() const { return offer_; }
  /// The answer. `offer_of` tells what another rank of the node has offered; null for one of
  /// another machine, which shares nothing. Collective.
  using OfferOf = std::function<const Offer*(int rank)>;
  Sharing sharing(const Communicator& comm, const OfferOf& offer_of);

 private:
  std::string why_not(const Offer* theirs) const;
  void try_to_map(int me, const OfferOf& offer_of);

  std::vector<int> node_of_rank_;
  bool is_needed_ = false;  // some node has several ranks
  SharedRegion memory_;
  std::string refusal_;  // why this rank can make no memory
  DeviceTrial device_;
  Offer offer_;
  // What this rank has found out about the other ranks of its node.
  std::vector<std::int64_t> unreachable_;  // ranks whose memory it cannot map
  std::string why_not_;                    // of the first of them
};

/// The same for ranks that agreed on `node_of_rank`, and have a `device` each, or none. Collective.
Sharing sharing_of(const Communicator& comm, const std::vector<int>& node_of_rank,
                   const Device& device = {});

}  // namespace weft
