// weft/report: what a plan is made of, and what its last runs did, as plain values.
// Floor: plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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
  /// "pass 0: axes 2,1" where describe() has "fft 2,1"; "exchange 0: p2p to 1x4x1". Passes that run
  /// as one sweep are one stage.
  std::string name;
  bool is_exchange = false;        ///< or a pass
  double start = 0;                ///< when it began
  double seconds = 0;              ///< that this rank computed in a pass, or waited for an exchange
  std::int64_t bytes = 0;          ///< sent to other ranks
  std::int64_t messages = 0;       ///< sent to other nodes
  std::int64_t message_bytes = 0;  ///< of these messages
  int segments = 0;               ///< that the message between a pair of nodes is cut into, at most
  double active_seconds = 0;      ///< of an exchange: from the first message to the last
  std::size_t passes = 0;         ///< of the strategy that this is: several are one sweep
  std::vector<ItemReport> items;  ///< of a pass, in the order in which they ran
};

/// What the runs of a plan in one direction did on this rank.
struct RunReport {
  std::int64_t runs = 0;  ///< that were started; one that was refused does not count
  /// The stages of the last run, in its order; times are 0 before the first one.
  /// While a run is under way, they hold what it has done so far.
  std::vector<StageReport> stages;
};

/// The machine that a plan was made for: the one that is here, as far as nothing is pretended. The
/// same on all ranks.
struct MachineReport {
  int ranks = 1, nodes = 1;                        ///< how many of them
  std::vector<int> node_of_rank, threads_of_rank;  ///< nodes count from 0; threads that compute
  std::int64_t cache_bytes = 0;                    ///< of one core, into which a tile must fit
  std::int64_t shared_cache_bytes = 0;             ///< a rank's part of the cache of all cores
  /// MPI is taken to send smaller messages without asking the receiver.
  std::int64_t eager_message_bytes = 0;
  std::int64_t segment_bytes = 0;  ///< messages between nodes are cut into no smaller segments
};

/// A plan, and what its runs have done on this rank.
struct PlanReport {
  std::string strategy;                    ///< as Options::strategy takes it; the same on all ranks
  std::string engine;                      ///< the FFT library that computes; the same on all ranks
  Progress progress = Progress::by_tiles;  ///< who takes runs further; never automatic
  bool is_remembered = false;              ///< whether tuning had found the strategy before
  MachineReport machine;                   ///< what it was made for
  PlanMemory memory;                       ///< of this rank, in bytes
  RunReport forward, backward;             ///< what the runs in each direction did
};

}  // namespace weft
