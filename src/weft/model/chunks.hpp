// model/chunks: into how many chunks an exchange is cut, and along which axes - so that a chunk is
// on the wire while the next one is computed, and another is taken further already.
#pragma once

#include <vector>

#include "weft/grid/cutting.hpp"
#include "weft/model/machine.hpp"
#include "weft/model/problem.hpp"
#include "weft/model/route.hpp"
#include "weft/model/strategy.hpp"

namespace weft {

/// How each stage's exchange is cut into its number of chunks; passes, and exchanges in one piece,
/// are not. An axis that neither pass beside the exchange transforms serves both: then a chunk is
/// computed, sent and taken further by itself. Otherwise the storing pass is cut along one of its
/// axes, and the loading pass along one of its own: messages for the loading pass's first part
/// leave first, so that its lines are complete while the others are still on their way.
std::vector<Cutting> cuttings_of(const Strategy& strategy, const Route& route);

/// What the number of chunks depends on.
struct ChunkRule {
  /// What the wire carries while a message costs its ranks time: 1 us at 4 GB/s a rank. K chunks
  /// cost so much for each, and leave about a K-th of the wire's time unhidden, so K is best near
  /// the root of what two ranks (nodes, where they share memory) exchange, in this unit.
  std::int64_t message_cost_bytes = std::int64_t{1} << 12;
  int most_chunks = 64;
  /// MPI takes smaller messages over at once (Open MPI's TCP does, and SMPI), and nothing goes
  /// before what it has taken. So where the passes beside an exchange are cut along different axes,
  /// and the more urgent columns of later planes are to go first, messages are no smaller - unless
  /// that left fewer than 2 parts on either side.
  std::int64_t ordered_message_bytes = std::int64_t{1} << 16;
  int chunks = 0;  ///< the user's wish, for every exchange that can be cut; 0: the rule's choice
};

/// `strategy` with its exchanges cut: those that stand between two passes, are carried out by
/// exchanges in `cuttable`, and leave their nodes.
Strategy chunked(Strategy strategy, const Problem& problem, const Machine& machine,
                 const std::vector<std::string>& cuttable, const ChunkRule& rule);

}  // namespace weft
