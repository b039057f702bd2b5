// cli/bench/bench_arguments: the values of the command line of `weft bench`.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/bench/bench_setup.hpp"
#include "weft/cli/plan_choices.hpp"
#include "weft/cli/problem_options.hpp"
#include "weft/memory/caches.hpp"

namespace weft::cli {

struct BenchArguments {
  ProblemArguments problem;
  std::vector<std::string> strategies;
  std::string json, trace, progress = "automatic", workload = "transforms", policy, instances = "1";
  bool no_verify = false, explain = false;
  std::int64_t ghosts = 1;
  int chunks = 0;
  double pass_seconds_per_byte = 0;
  bool no_priorities = false, blocking = false;
  Caches simulated_caches = simulated_host;
  PlanChoices choices;
  Repetition repetition;
};

inline void require_at_least(const char* option, int value, int least) {
  if (value >= least) return;
  throw Error(Error::invalid, fmt::format("{} is {}", option, value),
              fmt::format("it must be at least {}", least));
}

}  // namespace weft::cli
