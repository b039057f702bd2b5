// base/simulation: the simulated clock of a build for SimGrid's SMPI (the preset `smpi`).
// Keeps: in any other build, all of this is inlined to nothing.
#pragma once

#include <cstdint>

namespace weft {

// Under SMPI, ranks are threads of one process that take turns, messages take the time of a
// simulated network, and computation takes no time except for what is spent here.
#ifdef WEFT_SIMULATED

inline constexpr bool is_simulated = true;

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

#else

inline constexpr bool is_simulated = false;
inline double simulated_now() { return 0; }
inline void set_pass_seconds_per_byte(double) {}
inline double pass_seconds_per_byte() { return 0; }
inline void spend_pass(std::int64_t) {}
inline void spend_seconds(double) {}
inline constexpr bool keeps_priorities() { return true; }
inline void set_keeps_priorities(bool) {}
inline constexpr bool blocks_in_collectives() { return false; }
inline void set_blocks_in_collectives(bool) {}

#endif

}  // namespace weft
