// base/simulation: letting simulated time go by.

#include "weft/base/simulation.hpp"

#ifdef WEFT_SIMULATED

#include <simgrid/engine.h>
#include <smpi/smpi.h>

namespace weft {

namespace {
double pass_seconds_per_byte = 0;  // every rank has its own: SMPI loads the program once a rank
}  // namespace

double simulated_now() { return simgrid_get_clock(); }

void set_pass_seconds_per_byte(double seconds) { pass_seconds_per_byte = seconds; }

void spend_pass(std::int64_t bytes) {
  // Not smpi_execute: it leaves out what is shorter than smpi/cpu-threshold.
  if (pass_seconds_per_byte > 0)
    smpi_execute_benched(static_cast<double>(bytes) * pass_seconds_per_byte);
}

void spend_seconds(double seconds) { smpi_execute_benched(seconds); }

}  // namespace weft

#endif
