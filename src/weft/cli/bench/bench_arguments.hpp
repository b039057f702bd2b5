// cli/bench/bench_arguments: the values of the command line of `weft bench`.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/bench/bench_setup.hpp"
#include "weft/cli/given.hpp"
#include "weft/memory/caches.hpp"

namespace weft::cli {

struct BenchArguments {
  Given given;
  std::vector<std::string> strategies;
  std::string json, trace, workload = "transforms";
  bool no_verify = false, explain = false;
  std::int64_t ghosts = 1;
  double pass_seconds_per_byte = 0;
  bool no_priorities = false, blocking = false;
  Caches simulated_caches = simulated_host;
  Repetition repetition;
};

inline void require_at_least(const char* option, int value, int least) {
  if (value >= least) return;
  throw Error(Error::invalid, fmt::format("{} is {}", option, value),
              fmt::format("it must be at least {}", least));
}

}  // namespace weft::cli
