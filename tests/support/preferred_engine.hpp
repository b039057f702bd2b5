// support/preferred_engine: lets all tests of a program run with one engine.
#pragma once

#include <cstdlib>
#include <string>

#include "support/tested_driver.hpp"

namespace weft {
// Defined in fft/engine; null in programs without engines.
[[gnu::weak]] void pretend_preferred_engine(const std::string& name);
}  // namespace weft

namespace weft::test {

/// With WEFT_TEST_ENGINE=NAME, plans take this engine where none is named, as if it came first in
/// the table of engines. support/late_device takes the names of drivers.
inline void prefer_engine_of_environment() {
  const char* const name = std::getenv("WEFT_TEST_ENGINE");
  if (name == nullptr || *name == 0 || !driver_of_environment().empty()) return;
  if (pretend_preferred_engine != nullptr) pretend_preferred_engine(name);
}

}  // namespace weft::test
