// choose/device_library: what the library of transforms of devices does in a strategy: what weft's
// kernels cannot do, what the user asks for, and what a race shows.
// Keeps: agreement - all ranks come to the same strategy, or throw the same error.
#pragma once

#include <string>
#include <vector>

#include "weft/choose/raced_choices.hpp"

namespace weft {

/// The text of `strategy`, of a plan that devices compute, in which their library transforms all
/// lines that no block of threads can hold. If `is_asked`, it transforms all that it can: Fourier's
/// axes that are stored as a whole, up to three at once where no exchange is between them.
/// Collective. Error::unsupported, with the reason, if the library is asked for, or named in the
/// strategy, and is not on all ranks; where weft's kernels alone cannot do what is wanted, they say
/// so later.
std::string with_device_library(const Communicator& comm, const Problem& problem,
                                const Machine& machine, std::string strategy, bool is_asked);

/// A machine on which the planner splits no axis because blocks of threads could not hold it.
Machine without_block_limits(Machine machine);

/// Races the strategy of `blueprint`, of a plan that devices compute, with those in which the
/// library transforms all that it can, or only lines whose length is a convolution for weft's
/// kernels, or an axis that the strategy splits, for about `seconds`. The one that is kept may
/// leave data elsewhere. Nothing is raced where there is no library, or no memory for it, and where
/// it has none of these transforms. Collective; other errors as of AnyPlan.
RacedChoices raced_device_library(const RaceSetting& setting, const Blueprint& blueprint,
                                  double seconds);

}  // namespace weft
