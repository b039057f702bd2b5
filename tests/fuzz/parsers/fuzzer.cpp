// fuzz/parsers/fuzzer: what libFuzzer calls; WEFT_FUZZED is the name of the target.

#include <cstddef>
#include <cstdint>

#include "fuzz/parsers/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  static const weft::fuzz::Target& target = weft::fuzz::target_of(WEFT_FUZZED);
  target.run(std::string(reinterpret_cast<const char*>(data), bytes));
  return 0;
}
