// choose/checked_options: checking what a user says about how to plan, and telling it to the
// planner.
#pragma once

#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/options.hpp"
#include "weft/planning/planner.hpp"
#include "weft/planning/progress.hpp"

namespace weft {

/// The most threads of a rank.
inline constexpr int most_threads = 4096;

/// estimate, measure or tune.
const char* to_string(Effort effort);
/// Error::invalid for anything else.
Effort parse_effort(const std::string& text);

/// All options in one line: what every rank must agree on.
std::string to_string(const Options& options);

/// Error::invalid or Error::unsupported if the numbers among them cannot be, or not on `comm`.
void check(const Options& options, const Communicator& comm);

/// Error::unsupported if a simulation asks for blocking collectives, and the strategy has no such
/// form or something else may be under way beside its exchanges.
void check_blocking(const Options& options, const Strategy& strategy);

/// What they tell the planner on `machine`. Error::invalid if that cannot be.
Choices choices_for(const Options& options, const Problem& problem, const Machine& machine);

/// Where Options::placement, asked here, puts the pieces of what `strategy` stages: every rank must
/// have the same.
std::string asked_placement(const Placement& placement, const Strategy& strategy,
                            const Problem& problem, int ranks);

}  // namespace weft
