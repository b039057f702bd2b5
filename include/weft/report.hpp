// weft/report: what a plan is made of, and what its last runs did, as plain values.
// Floor: plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/dims.hpp"
#include "weft/memory_use.hpp"
#include "weft/options.hpp"
#include "weft/who_waits.hpp"

namespace weft {

/// An item of work: tiles of a pass that this rank computed together. All times of reports are in
/// seconds, and what began, began at a time of std::chrono::steady_clock.
struct ItemReport {
  Feeds feeds = Feeds::nobody;    ///< who waited for it
  double start = 0, seconds = 0;  ///< when it began, and how long it took
};

/// What a stage did in the last run on this rank: a pass, or an exchange.
struct StageReport {
  /// "pass 0: axes 2,1" where describe(Detail::all) has "fft 2,1"; "exchange 0: p2p to 1x4x1".
  /// Passes that run as one sweep are one stage.
  std::string name;
  bool is_exchange = false;  ///< whether it is an exchange; else it is a pass
  double start = 0;          ///< when it began
  /// How long this rank computed, if it is a pass, or waited, if it is an exchange.
  double seconds = 0;
  std::int64_t bytes = 0;          ///< bytes that this rank sends to other ranks
  std::int64_t messages = 0;       ///< how many messages this rank sends to other nodes
  std::int64_t message_bytes = 0;  ///< bytes of these messages together
  int segments = 0;  ///< the most segments of a message between two nodes; 0 for a pass
  /// For an exchange, the time from when its first part could be sent until its last message had
  /// arrived; 0 for a pass.
  double active_seconds = 0;
  std::size_t passes = 0;         ///< passes of the strategy in this sweep; 0 for an exchange
  std::vector<ItemReport> items;  ///< the items of a pass, in the order in which they ran
  /// The field's axes that a pass transforms, in this order; a sweep those of all of its passes.
  /// None for an exchange, and for a pass that only copies. A long axis that two passes transform,
  /// as the strategy says, is in both.
  std::vector<int> axes;
  std::string
      exchange;  ///< the name of an exchange, which `weft exchanges` lists; empty for a pass
  /// Into how many pieces each axis of the field is divided when the stage is over; ranks may share
  /// out the fields of a batch in addition. Empty where the data are in boxes of the problem's own,
  /// and where the strategy sees a long axis as two.
  Dims grid;
};

/// What the runs of a plan in one direction did on this rank.
struct RunReport {
  std::int64_t runs = 0;  ///< how many were started; a run that was refused does not count
  /// The stages of the last run, in its order; times are 0 before the first one.
  /// While a run is under way, they hold what it has done so far.
  std::vector<StageReport> stages;
  /// Of a plan on a device, the bytes that the last run copied between memory of the processor and
  /// of the device: arrays that are not in memory of the device, and messages that go through
  /// memory of the processor; or all that its passes load and store, if data stream through it.
  std::int64_t copied_bytes = 0;
};

/// The machine that a plan was made for: the one that is here, except for what Options::pretend
/// says. The same on all ranks.
struct MachineReport {
  int ranks = 1, nodes = 1;                        ///< the numbers of ranks and of nodes
  std::vector<int> node_of_rank, threads_of_rank;  ///< by rank: its node, from 0; its threads
  std::int64_t cache_bytes = 0;                    ///< a core's own cache, which holds a tile
  std::int64_t shared_cache_bytes = 0;             ///< a rank's part of the caches that cores share
  /// MPI is taken to send smaller messages without asking the receiver.
  std::int64_t eager_message_bytes = 0;
  std::int64_t segment_bytes = 0;  ///< messages between nodes are cut into no smaller segments
};

/// A plan, and what its runs have done on this rank.
struct PlanReport {
  std::string strategy;  ///< as Options::strategy takes it; the same on all ranks
  std::string engine;    ///< the FFT library, or the driver of devices; the same on all ranks
  /// This rank's device: its number, name and bus, and whether data stream through it; empty
  /// without one.
  std::string device;
  Progress progress = Progress::by_tiles;  ///< who takes runs further; never automatic
  bool is_remembered = false;              ///< whether tuning had found the strategy before
  MachineReport machine;                   ///< what it was made for
  PlanMemory memory;                       ///< of this rank, in bytes
  RunReport forward, backward;             ///< what the runs in each direction did
};

}  // namespace weft
