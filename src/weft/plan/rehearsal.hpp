// plan/rehearsal: runs a whole plan in several ways, where nothing less tells which is fastest.
// Keeps: agreement - all ranks run the same at the same time, and choose by the slowest rank.
#pragma once

#include <memory>

#include "weft/comm/communicator.hpp"
#include "weft/model/problem.hpp"
#include "weft/options.hpp"
#include "weft/plan/pass_trials.hpp"
#include "weft/program/blueprint.hpp"

namespace weft {

/// Whether a plan's data are about as large as the shared caches. Of smaller data, caches keep what
/// a pass stores until it is loaded again, and of larger data they do not; in between it depends on
/// what else uses them.
bool is_worth_rehearsal(const Blueprint& blueprint);

/// Tries for the passes of the strategy of `blueprint` whether their stores should bypass the
/// caches. Makes a plan for `problem` with each candidate, and runs all plans in turn, there and
/// back, for about `seconds`, not counting what it takes to make them. Of `options`, what describes
/// the machine is used. Errors as of AnyPlan, but for Error::system when a candidate is made, as of
/// too little memory: then it is not tried. Collective.
MeasuredStrategy rehearsed(const std::shared_ptr<const Communicator>& comm, const Problem& problem,
                           const Blueprint& blueprint, const Options& options, double seconds);

}  // namespace weft
