// support/tested_driver: the driver of devices on which tests of plans run.
#pragma once

#include <cstdlib>
#include <string>

namespace weft::test {

/// The driver that WEFT_TEST_ENGINE names: "late", "cuda" or "hip". Empty if it names an engine of
/// the processor, or nothing.
inline std::string driver_of_environment() {
  const char* const engine = std::getenv("WEFT_TEST_ENGINE");
  const std::string name = engine != nullptr ? engine : "";
  return name == "late" || name == "cuda" || name == "hip" ? name : "";
}

/// The driver for tests of devices themselves.
inline std::string tested_driver() {
  const std::string name = driver_of_environment();
  return name.empty() ? "late" : name;
}

}  // namespace weft::test
