// planning/other_walks: the same transforms in fewer or more passes over memory, or with other axes
// in each pass.
#pragma once

#include <string>
#include <vector>

#include "weft/planning/strategy.hpp"

namespace weft {

/// The strategy with all passes that follow one another joined to one; with the last axis of each
/// pass in a pass of its own; and, for the first two passes of three axes or more with at most one
/// exchange between them, with the first axis of the one that has several as the last axis of both,
/// and with that axis first, but beside another one. Returns those of them that differ from
/// `strategy`, and none if it splits an axis. A machine may not be able to run all of them, as
/// exchanges divide axes. New passes have no choices.
std::vector<Strategy> with_other_walks(const Strategy& strategy);

/// The strategy with all passes that follow one another joined to one, if that then has several
/// axes, in which the engine `library` transforms all that a rank has in one call (PassChoice::
/// is_whole). `strategy` itself if it has no such passes or splits an axis. Passes of one axis keep
/// their choices.
Strategy with_whole_passes(const Strategy& strategy, const std::string& library);

}  // namespace weft
