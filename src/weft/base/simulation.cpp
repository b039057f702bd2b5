// base/simulation: advances the simulated clock.

#include "weft/base/simulation.hpp"

#ifdef WEFT_SIMULATED

#include <simgrid/engine.h>
#include <smpi/smpi.h>

namespace weft {

namespace {
// Every rank has its own copies of these variables, because SMPI loads the program once per rank.
double pass_seconds_per_byte = 0;
bool priorities = true;
}  // namespace

double simulated_now() { return simgrid_get_clock(); }

void set_pass_seconds_per_byte(double seconds) { pass_seconds_per_byte = seconds; }

void spend_pass(std::int64_t bytes) {
  // smpi_execute would ignore durations below smpi/cpu-threshold.
  if (pass_seconds_per_byte > 0)
    smpi_execute_benched(static_cast<double>(bytes) * pass_seconds_per_byte);
}

bool keeps_priorities() { return priorities; }

void set_keeps_priorities(bool keeps) { priorities = keeps; }

void spend_seconds(double seconds) { smpi_execute_benched(seconds); }

}  // namespace weft

#endif
