// cli/workloads: what `weft bench` can run, a row each.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/bench_arguments.hpp"
#include "weft/cli/command.hpp"

namespace weft::cli {

/// A problem with one choice of engine and exchange.
struct Case {
  Problem problem;
  Options options;
};

struct Workload {
  const char* name;
  /// Error::invalid for options that do not go together with it.
  void (*check)(const BenchArguments&);
  /// Measures all cases, tells the times and writes the files. Collective.
  void (*run)(const BenchArguments&, const Surroundings&, const std::vector<Case>&);
};

/// Error::invalid, with the names there are.
const Workload& workload_named(const std::string& name);

}  // namespace weft::cli
