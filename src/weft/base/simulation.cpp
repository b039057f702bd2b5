// base/simulation: letting simulated time go by.

#include "weft/base/simulation.hpp"

#ifdef WEFT_SIMULATED

#include <simgrid/engine.h>
#include <smpi/smpi.h>

namespace weft {

namespace {
// Every rank has its own: SMPI loads the program once a rank.
double pass_seconds_per_byte = 0;
bool priorities = true;
}  // namespace

double simulated_now() { return simgrid_get_clock(); }

void set_pass_seconds_per_byte(double seconds) { pass_seconds_per_byte = seconds; }

void spend_pass(std::int64_t bytes) {
  // Not smpi_execute: it leaves out what is shorter than smpi/cpu-threshold.
  if (pass_seconds_per_byte > 0)
    smpi_execute_benched(static_cast<double>(bytes) * pass_seconds_per_byte);
}

bool keeps_priorities() { return priorities; }

void set_keeps_priorities(bool keeps) { priorities = keeps; }

void spend_seconds(double seconds) { smpi_execute_benched(seconds); }

}  // namespace weft

#endif
