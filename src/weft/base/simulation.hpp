// base/simulation: in a build for SimGrid's SMPI (the preset `smpi`), ranks are threads of one
// process that take turns, messages take the time of a simulated network, and computing takes none
// but what is said here.
// Keeps: in any other build all of it is inlined to nothing.
#pragma once

#include <cstdint>

namespace weft {

#ifdef WEFT_SIMULATED

inline constexpr bool is_simulated = true;

/// Simulated seconds since the start.
double simulated_now();

/// Simulated seconds that a pass takes for each byte it loads; 0 at the start.
void set_pass_seconds_per_byte(double seconds);

/// Lets the simulated time of a pass over `bytes` go by on this rank's host.
void spend_pass(std::int64_t bytes);
/// Lets so much simulated time of computing go by.
void spend_seconds(double seconds);

/// Whether what feeds other nodes is computed before the rest; false tells what that is worth.
bool keeps_priorities();
void set_keeps_priorities(bool keeps);

#else

inline constexpr bool is_simulated = false;
inline double simulated_now() { return 0; }
inline void set_pass_seconds_per_byte(double) {}
inline void spend_pass(std::int64_t) {}
inline void spend_seconds(double) {}
inline constexpr bool keeps_priorities() { return true; }
inline void set_keeps_priorities(bool) {}

#endif

}  // namespace weft
