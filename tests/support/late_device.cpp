// support/late_device: puts the late device into the table of drivers of a test program, and lets
// its plans use the devices that the environment names.

#include <cstdio>
#include <cstdlib>

#include "support/tested_driver.hpp"
#include "weft/base/ensure.hpp"
#include "weft/device/late.hpp"

// Called by main(), of programs that are linked with this file. With WEFT_TEST_ENGINE=DRIVER, plans
// that name no engine are on its devices: "late", of which WEFT_LATE_SEED says how late it is, or
// "cuda" or "hip". Where these have no device, the program ends: else its tests would pass on the
// processor.
void use_late_device() {
  const char* const seed = std::getenv("WEFT_LATE_SEED");
  weft::pretend_driver(weft::late_entry(seed != nullptr ? std::atoi(seed) : 1));
  const std::string driver = weft::test::driver_of_environment();
  if (driver.empty()) return;
  try {
    weft::DriverEntry entry = weft::find_driver(driver);
    entry.is_usual = true;
    weft::pretend_driver(entry);
  } catch (const weft::Error& error) {
    std::fprintf(stderr, "WEFT_TEST_ENGINE=%s: %s\n", driver.c_str(), error.what());
    std::_Exit(1);
  }
}
