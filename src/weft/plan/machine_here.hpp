// plan/machine_here: the machine that a plan is made for.
// Keeps: agreement - the Machine is the same on every rank.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/choose/checked_options.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/comm/cores.hpp"
#include "weft/device/device.hpp"
#include "weft/exchange/sharing.hpp"
#include "weft/machine/machine.hpp"

namespace weft {

/// What a rank has.
struct RankHere {
  CoreShare cores;
  Device device;  ///< that computes for it; none: its cores do
  /// Bytes of the device's memory that the rank may take, of what the ranks share that use it: all
  /// of it, and what is free, but for what its context and tables take.
  std::int64_t device_bytes = 0, free_device_bytes = 0;
  int device_ranks = 1;  ///< of its node that use the device
};

/// Machine::tile_bytes of ranks that may take `free_bytes` of what is free on their devices.
std::int64_t streamed_tile_bytes(std::int64_t free_bytes, const Options& options);

/// The question which machine the ranks of a communicator have.
class MachineInquiry {
 public:
  /// Prepares what this rank tells the others. `node_sizes` are as of agreed_node_sizes(), and
  /// find_machines() has been called. Not collective.
  MachineInquiry(const Communicator& comm, const std::vector<int>& node_sizes);

  /// The ranks, their nodes (divided where ranks cannot share memory) and threads, and the smallest
  /// caches that any rank is told of, so that tiles fit everywhere. If `options.engine` is a driver
  /// of devices, ranks use the devices of their nodes as Options::device says, and nodes are
  /// divided where ranks cannot share the memory of devices, either. With `streams`, data stay in
  /// memory of the processor and stream through the devices. `here` becomes what this rank has.
  /// Called once. Collective; errors as of agreed_devices.
  Machine ask(const Options& options, RankHere& here, bool streams);

 private:
  // What ranks tell those of their machine, and what they tell all.
  struct Neighbour {
    CoreClaim cores;
    SharingTrial::Offer memory;
  };
  struct Facts {
    int threads;
    std::int64_t cache_bytes, shared_cache_bytes, tile_bytes;
    BlockLimits block;
  };
  void tell_neighbours();
  Facts facts(const Options& options, RankHere& here, bool streams) const;
  const SharingTrial::Offer* offer_of(int rank) const;

  const Communicator* comm_;
  std::vector<int> node_of_rank_;
  Neighbour mine_;
  std::vector<int> neighbour_ranks_;  // of this machine, ascending; this one among them
  std::vector<Neighbour> neighbours_;
  std::vector<Told<Facts>> told_;
  SharingTrial trial_;
};

/// The answer, in calls of its own. Collective; errors as of agreed_node_sizes and agreed_devices.
/// `here`, if it is given, becomes what this rank has.
Machine machine_here(const Communicator& comm, const Options& options, RankHere* here = nullptr,
                     bool streams = false);

/// Where `options` allow to measure, replaces the caches of machine_here() by the measured ones,
/// where these contradict. `share` is the core_share() of this rank. Collective.
void confirm_caches(const Communicator& comm, const Options& options, const CoreShare& share,
                    Machine& machine);

}  // namespace weft
