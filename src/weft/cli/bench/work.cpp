// cli/bench/work: a busy loop.

#include "weft/cli/bench/work.hpp"

#include <ctime>

#include "weft/base/simulation.hpp"
#include "weft/base/trace.hpp"
#include "weft/ticket.hpp"

namespace weft::cli {

namespace {

constexpr double between_calls = 1e-3;

// The processor time of this thread, which does not depend on what else uses the core. SimGrid's
// ranks are threads, too.
double core_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void some_arithmetic() {
  volatile double value = 1;  // volatile, so that the compiler keeps the loop
  constexpr int steps = 2000;
  for (int i = 0; i < steps; ++i) value = value * 0.999 + 0.001;
}

}  // namespace

void work(double seconds, bool calls_progress) {
  double left = seconds;
  while (left > 0) {
    const double part = calls_progress && left > between_calls ? between_calls : left;
    if (is_simulated) {
      spend_seconds(part);
    } else {
      for (const double began = core_seconds(); core_seconds() - began < part;) some_arithmetic();
    }
    left -= part;
    if (calls_progress) progress();
  }
}

}  // namespace weft::cli
