// choose/pass_trials: tries how passes may be executed on this machine, and chooses what is
// fastest. Keeps: agreement - all ranks try the same at about the same time, and choose by the
// slowest rank.
#pragma once

#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/making/blueprint.hpp"

namespace weft {

/// A strategy with the choices of its passes, and how they were found.
struct MeasuredStrategy {
  Strategy strategy;
  std::string tried;   ///< a line for each candidate that was timed; the kept ones are marked
  int candidates = 0;  ///< how many were timed
};

/// What trials of samples chose, and what the rule chooses, in the same words.
struct MeasuredChoices {
  MeasuredStrategy measured;
  Strategy by_rule;
};

/// Tries, for each pass of the strategy of `blueprint` and in both directions: engines, columns as
/// columns or made contiguous, prefetches, and copies. With `engine`, no other engine is tried.
/// Samples of passes run on the threads of this rank, on all ranks at about the same time, for
/// about `seconds` at most; what is not tried by then is not chosen. Collective.
MeasuredChoices measured_choices(const Communicator& comm, const Blueprint& blueprint,
                                 const std::string& engine, double seconds);

/// Whether the passes of a problem take long enough for a trial to tell a difference.
bool is_worth_trials(const Problem& problem, int ranks);

}  // namespace weft
