// base/simulation: the simulated clock of a build for SimGrid's SMPI (the preset `smpi`).
// Keeps: only simulation.cpp differs between that build and others, so that they share what is
// compiled above it. In any other build there is no clock, and what is set here has no effect.
#pragma once

#include <cstdint>

namespace weft {

/// Whether this is the build for SMPI. There, ranks are threads of one process that take turns,
/// messages take the time of a simulated network, and computation takes no time except for what is
/// spent here.
extern const bool is_simulated;

/// Simulated seconds since the start of the simulation.
double simulated_now();

/// Sets the simulated seconds that a pass takes for each byte it loads; initially 0.
void set_pass_seconds_per_byte(double seconds);
double pass_seconds_per_byte();

/// Advances the clock of this rank's host by the time of a pass over `bytes`.
void spend_pass(std::int64_t bytes);
/// Advances the clock of this rank's host by `seconds` of computation.
void spend_seconds(double seconds);

/// Whether tiles that other nodes wait for are computed first. Switched off only to measure what
/// this order gains.
bool keeps_priorities();
void set_keeps_priorities(bool keeps);

/// Whether the collectives of a run are blocking ones, in which a rank has few messages under way:
/// the simulator takes long for many at once. Only while one transform runs, without chunks.
bool blocks_in_collectives();
void set_blocks_in_collectives(bool blocks);

}  // namespace weft
