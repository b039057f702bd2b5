// support/late_device: puts the late device into the table of drivers of a test program, and lets
// its plans use the devices that the environment names.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "support/tested_driver.hpp"
#include "weft/base/ensure.hpp"
#include "weft/device/late_nccl.hpp"

namespace {

// For messages by a library like NCCL: a process has other devices than those of all others, and
// enough of them for the ranks of its node.
void use_late_nccl(unsigned seed) {
  weft::LateDriver::Settings settings;
  settings.seed = seed;
  settings.lateness = seed % 2 == 0 ? weft::Lateness::random : weft::Lateness::laziest;
  settings.devices = 12;
  settings.domain = static_cast<int>(getpid() % 65536);
  weft::pretend_driver(weft::late_entry(settings));
  weft::pretend_nccl(
      "late", weft::late_nccl(dynamic_cast<weft::LateDriver&>(weft::find_driver("late").get())));
}

}  // namespace

// Called by main(), of programs that are linked with this file. With WEFT_TEST_ENGINE=DRIVER, plans
// that name no engine are on its devices: "late", of which WEFT_LATE_SEED says how late it is, or
// "cuda" or "hip". Where these have no device, the program ends: else its tests would pass on the
// processor. With WEFT_LATE_NCCL=1, late devices have a library like NCCL.
void use_late_device() {
  const char* const given = std::getenv("WEFT_LATE_SEED");
  const auto seed = static_cast<unsigned>(given != nullptr ? std::atoi(given) : 1);
  if (std::getenv("WEFT_LATE_NCCL") != nullptr)
    use_late_nccl(seed);
  else
    weft::pretend_driver(weft::late_entry(seed));
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
