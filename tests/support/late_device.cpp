// support/late_device: puts the late device into the table of drivers of a test program.

#include <cstdlib>
#include <string_view>

#include "weft/device/late.hpp"

// Called by main(), of programs that are linked with this file. With WEFT_TEST_ENGINE=late, plans
// that name no engine are on it; WEFT_LATE_SEED says how late it is.
void use_late_device() {
  const char* const seed = std::getenv("WEFT_LATE_SEED");
  weft::DriverEntry entry = weft::late_entry(seed != nullptr ? std::atoi(seed) : 1);
  const char* const engine = std::getenv("WEFT_TEST_ENGINE");
  entry.is_usual = engine != nullptr && engine == std::string_view("late");
  weft::pretend_driver(entry);
}
