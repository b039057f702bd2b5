// choose/candidates: the plans that are worth a race.
// Pure: makes no MPI call.
#pragma once

#include <string>
#include <vector>

#include "weft/machine/machine.hpp"
#include "weft/options.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// Up to `most` strategies for `problem` (validated; c2c, r2c or r2r) that `machine` can run and
/// `options` allow: of every exchange that applies the two that are predicted to be fastest, and
/// then the others, the fastest first. Predictions are those of a typical cluster whose nodes have
/// as many ranks. Without choices of their passes.
std::vector<Strategy> promising_strategies(const Problem& problem, const Machine& machine,
                                           const Options& options, int most);

/// Error::invalid if `machine` cannot run the strategy for `problem` (as above).
void require_runnable(const Strategy& strategy, const Problem& problem, const Machine& machine);

/// The strategy with other numbers of chunks, wherever an exchange between two passes can be cut.
/// Nothing if none can.
std::vector<Strategy> in_other_chunks(const Strategy& strategy, const Options& options);

/// The strategy with the stores of all its passes past the caches, and to the caches.
std::vector<Strategy> with_other_stores(const Strategy& strategy);

/// Other least sizes of segments than the machine's with which the strategy's exchanges `node` cut
/// their messages in other ways; ascending, each way once. Nothing if there is no such exchange
/// between nodes, or nothing to choose.
std::vector<std::int64_t> other_segment_sizes(const Strategy& strategy, const Problem& problem,
                                              const Machine& machine);

/// Other sizes than the machine's from which on messages are taken for no longer eager, so that all
/// chunks of the strategy's exchanges `node` are received only when the node sends its own, or none
/// are. Nothing if no such exchange between nodes is cut.
std::vector<std::int64_t> other_eager_sizes(const Strategy& strategy, const Problem& problem,
                                            const Machine& machine);

/// The other choices of Progress than `usual` that may make a difference for blocking runs of the
/// strategy: none where MPI moves nothing. A thread is the last, and only where `allows_thread`.
/// Not by_calls for plans with several transforms in flight, as races run one at a time: they would
/// not see that the tiles of one no longer move the messages of another.
std::vector<Progress> other_progress(const Strategy& strategy, const Machine& machine,
                                     const Options& options, Progress usual, bool allows_thread);

}  // namespace weft
