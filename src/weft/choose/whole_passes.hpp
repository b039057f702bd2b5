// choose/whole_passes: the strategy in which a library transforms all that a rank has in one call.
// Keeps: agreement - all ranks list the same.
#pragma once

#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/making/blueprint.hpp"

namespace weft {

/// The strategy of `blueprint` with one transform of oneMKL in place of the passes between two
/// exchanges (planning/other_walks), where all ranks can run it, and where all are on processors of
/// Intel, or oneMKL is `asked` for: on AMD's, it never won. Nothing where `asked` is another
/// engine, where a rank has no oneMKL, or one that would use one thread of several, where no such
/// passes have several axes, where they do not go from one piece of an array to another
/// (making/whole_pass), and between several nodes. Collective.
std::vector<Strategy> whole_passes(const Communicator& comm, const Blueprint& blueprint,
                                   const std::string& asked);

}  // namespace weft
