// planning/chunks: chooses the number of chunks of an exchange and the axes along which it is cut,
// so that one chunk is transferred while others are computed on either side.
#pragma once

#include <vector>

#include "weft/grid/cutting.hpp"
#include "weft/planning/cost.hpp"
#include "weft/planning/route.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// How the exchange of each stage is cut into its number of chunks; the cuttings of passes and of
/// exchanges in one chunk have one cell. An axis that neither adjacent pass transforms is used for
/// both passes: each chunk is then computed, sent and computed on without waiting for others.
/// Otherwise, the pass before is cut along one of its axes and the pass after along one of its own.
/// Messages for the first part of the pass after are sent first, so that its lines are complete
/// while the other messages are still on their way.
std::vector<Cutting> cuttings_of(const Strategy& strategy, const Route& route);

/// `strategy` with `chunks` chunks, or if that is 0 as many as a rule chooses, for every exchange
/// that is between two passes, uses an exchange in `cuttable`, and leaves the nodes (on one node,
/// only if the user asks for chunks). The rule follows from constants::message_cost_bytes and those
/// after it.
Strategy chunked(Strategy strategy, const Problem& problem, const CostPredictor& predictor,
                 const std::vector<std::string>& cuttable, int chunks);

}  // namespace weft
