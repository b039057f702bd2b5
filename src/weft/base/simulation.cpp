// base/simulation: advances the simulated clock, or has none.

#include "weft/base/simulation.hpp"

#ifdef WEFT_SIMULATED
#include <simgrid/engine.h>
#include <smpi/smpi.h>
#endif

namespace weft {

#ifdef WEFT_SIMULATED

const bool is_simulated = true;

namespace {
// Every rank has its own copies of these variables, because SMPI loads the program once per rank.
double of_passes = 0;  // seconds per byte
bool priorities = true;
bool blocking = false;
}  // namespace

double simulated_now() { return simgrid_get_clock(); }

void set_pass_seconds_per_byte(double seconds) { of_passes = seconds; }
double pass_seconds_per_byte() { return of_passes; }

void spend_pass(std::int64_t bytes) {
  // smpi_execute would ignore durations below smpi/cpu-threshold.
  if (of_passes > 0) smpi_execute_benched(static_cast<double>(bytes) * of_passes);
}

bool keeps_priorities() { return priorities; }

void set_keeps_priorities(bool keeps) { priorities = keeps; }

bool blocks_in_collectives() { return blocking; }

void set_blocks_in_collectives(bool blocks) { blocking = blocks; }

void spend_seconds(double seconds) { smpi_execute_benched(seconds); }

#else

const bool is_simulated = false;
double simulated_now() { return 0; }
void set_pass_seconds_per_byte(double) {}
double pass_seconds_per_byte() { return 0; }
void spend_pass(std::int64_t) {}
void spend_seconds(double) {}
bool keeps_priorities() { return true; }
void set_keeps_priorities(bool) {}
bool blocks_in_collectives() { return false; }
void set_blocks_in_collectives(bool) {}

#endif

}  // namespace weft
