// plan/rehearsal: runs a whole plan in several ways, where nothing less tells which is fastest.
// Keeps: agreement - all ranks run the same at the same time, and choose by the slowest rank.
#pragma once

#include <cstdint>
#include <memory>

#include "weft/comm/communicator.hpp"
#include "weft/model/problem.hpp"
#include "weft/options.hpp"
#include "weft/plan/pass_trials.hpp"
#include "weft/program/blueprint.hpp"

namespace weft {

/// Whether `bytes`, the largest input and output of a rank together, are about as much as its part
/// of the shared caches. Of smaller data, caches keep what a pass stores until it is loaded again,
/// and of larger data they do not; in between it depends on what else uses them.
bool is_worth_rehearsal(std::int64_t bytes, const Machine& machine);

/// Tries for the passes of the strategy of `blueprint` whether their stores should bypass the
/// caches. Makes a plan for `problem` with each candidate, and runs all plans in turn, there and
/// back, for about `seconds`, not counting what it takes to make them; not at all if two turns
/// would take more than twice as long. Of `options`, what describes the machine is used. The rule
/// decides where nothing is tried: if there is not enough memory (`bytes` are those of a rank's
/// input and output), if a run fails with Error::system, and if transforms of this process are
/// under way, as their callbacks would be called. Other errors as of AnyPlan. Collective.
MeasuredStrategy rehearsed(const std::shared_ptr<const Communicator>& comm, const Problem& problem,
                           const Blueprint& blueprint, const Options& options, std::int64_t bytes,
                           double seconds);

}  // namespace weft
