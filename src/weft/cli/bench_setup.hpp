// cli/bench_setup: what every benchmark is asked for and tells, whatever it runs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/plan/plan_body.hpp"

namespace weft::cli {

/// How often, and whether the result is looked at.
struct Repetition {
  int warmup = 1, repeat = 5;
  bool verifies = true;
  int in_flight = 1;        ///< transforms that a run starts at once, each of a field of its own
  double work_seconds = 0;  ///< of the application, between start and wait of every forward run
};

/// Seconds of several runs, each of its slowest rank.
struct Times {
  double min = 0, median = 0, max = 0;
};
Times times_of(std::vector<double> seconds);

/// One problem with one choice of engine and exchange, and how it was planned; the same on every
/// rank.
struct Setup {
  Problem problem;
  int ranks = 1, nodes = 1, threads = 1;  ///< threads of the rank that has most
  std::string engine, exchange, strategy;
  int chunks = 1;  ///< of the exchange that is cut most
  Progress progress = Progress::by_tiles;
  Repetition repetition;
  double plan_seconds = 0;
  double gflops = 0;                ///< at the median
  std::optional<double> max_error;  ///< relative to the largest value
  double error_limit = 0;
  std::int64_t workspace_bytes = 0;  ///< of the rank that has most
};

/// What can be told of a (validated) problem, its strategy and the options: of ranks and nodes,
/// threads and bytes nothing.
Setup setup_of(const Problem& problem, const Strategy& strategy, const Options& options,
               const Repetition& repetition);

/// The usual count of one transform: 5 N log2 N for complex, half of it for real fields.
double flops_of(const Problem& problem);

/// A field's memory on this rank; one array in place.
class Fields {
 public:
  /// Collective over `comm`, whose ranks have parts of `plan` or none (null).
  Fields(const Communicator& comm, const AnyPlan* plan);
  void* input() const { return input_.get(); }
  void* output() const { return output_.get(); }

 private:
  std::shared_ptr<std::byte> input_, output_;
};

}  // namespace weft::cli
