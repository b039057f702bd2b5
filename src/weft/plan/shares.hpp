// plan/shares: what a rank has of the arrays of a plan.
// Pure: makes no MPI call.
#pragma once

#include <utility>

#include "weft/making/blueprint.hpp"
#include "weft/share.hpp"

namespace weft {

/// The shares of a rank in real and in spectral space. In place, either side has room for the
/// other.
std::pair<Share, Share> shares_of(const Blueprint& blueprint, int rank);

}  // namespace weft
