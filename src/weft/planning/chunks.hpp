// planning/chunks: chooses the number of chunks of an exchange and the axes along which it is cut,
// so that one chunk is transferred while others are computed on either side.
#pragma once

#include <vector>

#include "weft/grid/cutting.hpp"
#include "weft/machine/machine.hpp"
#include "weft/planning/route.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/planning/traffic.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// How the exchange of each stage is cut into its number of chunks; the cuttings of passes and of
/// exchanges in one chunk have one cell. An axis that neither adjacent pass transforms is used for
/// both passes: each chunk is then computed, sent and computed on without waiting for others.
/// Otherwise, the pass before is cut along one of its axes and the pass after along one of its own.
/// Messages for the first part of the pass after are sent first, so that its lines are complete
/// while the other messages are still on their way.
std::vector<Cutting> cuttings_of(const Strategy& strategy, const Route& route);

/// What determines the number of chunks.
struct ChunkRule {
  /// The cost of a message, as the bytes that a link carries in that time: 1 us at 4 GB/s per rank.
  /// What was measured between the nodes of the machine takes its place if that is more.
  /// K chunks cost K messages and leave about 1/K of the transfer time exposed, so the best K is
  /// near the root of what two ranks (or nodes that share memory) exchange, in this unit.
  /// Simulated slabs and pencils are within 4% of the best of 1 to 64 chunks (docs/performance.md,
  /// "How many chunks").
  std::int64_t message_cost_bytes = std::int64_t{1} << 12;
  /// The largest number that is chosen here; users may ask for up to weft::most_chunks. With 16,
  /// 300x300x300 in slabs on 8 simulated hosts took 1.18 times the best time.
  int most_chosen_chunks = 64;
  /// MPI sends smaller messages eagerly (Open MPI over TCP and SMPI do), so that a later, more
  /// urgent message cannot overtake them. Where the two passes are cut along different axes, this
  /// order matters, and messages are not made smaller, unless that left fewer than 2 parts on
  /// either side. 8 chunks of 65.5 kB kept the order, 9 did not (docs/performance.md, "Chunks on
  /// simulated networks").
  std::int64_t ordered_message_bytes = std::int64_t{1} << 16;
  /// Where both passes are cut along the last axis, whose points are contiguous, rows of a chunk
  /// are not made shorter: passes load and store whole lines of the cache. 256x256x256 in natural
  /// order between two hosts, whose links nothing limits, took 153 to 167 ms with rows of 256
  /// bytes, 166 to 196 with 128 and 210 to 264 with 64 (docs/performance.md, "Rows of chunks").
  std::int64_t least_row_bytes = 256;
  /// The same where links are known to be so much slower than walks over memory: passes are hidden
  /// behind exchanges then, and exchanges gain by more chunks. Between a walk of 32 to 41 GB/s and
  /// links of 0.48 GB/s both take as long, within 5%; with 0.62 and 1.2, rows of 64 bytes take 1.3
  /// times as long.
  std::int64_t least_row_bytes_of_slow_links = 64;
  double walks_of_slow_links = 75;
  int chunks = 0;  ///< what the user asks for, for every exchange that can be cut; 0: choose
};

/// `strategy` with the number of chunks chosen for every exchange that is between two passes, uses
/// an exchange in `cuttable`, and leaves the nodes (on one node, only if the user asks for chunks).
/// `memo`, if there is one, is of this machine.
Strategy chunked(Strategy strategy, const Problem& problem, const Machine& machine,
                 const std::vector<std::string>& cuttable, const ChunkRule& rule,
                 TrafficMemo* memo = nullptr);

}  // namespace weft
