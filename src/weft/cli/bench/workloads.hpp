// cli/bench/workloads: the table of what `weft bench` can run.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/bench/bench.hpp"
#include "weft/cli/bench/bench_arguments.hpp"
#include "weft/cli/command.hpp"

namespace weft::cli {

struct Workload {
  const char* name;
  /// Error::invalid for options that the workload does not support.
  void (*check)(const BenchArguments&);
  /// Measures all cases, prints the times and writes the files. Collective.
  void (*run)(const BenchArguments&, const Surroundings&, const std::vector<Case>&);
};

/// The workload called `name`. Error::invalid, with all names, if there is none.
const Workload& workload_named(const std::string& name);

}  // namespace weft::cli
