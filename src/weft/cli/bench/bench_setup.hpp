// cli/bench/bench_setup: what all benchmarks have in common in their input and in their results.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/plan/plan_body.hpp"

namespace weft {
class AnyPlan;
}

namespace weft::cli {

/// How a benchmark is repeated, and whether its result is verified.
struct Repetition {
  int warmup = 1, repeat = 5;
  bool verifies = true;
  int in_flight = 1;             ///< transforms that a run starts together, each of its own field
  double work_seconds = 0;       ///< computed by the application during every forward run
  std::optional<Memory> memory;  ///< of fields; none: what the plan allocates if nobody says
  bool in_turn = false;          ///< one run of each plan after the other, over and over
};

/// Seconds of several runs, each the time of the slowest rank.
struct Times {
  double min = 0, median = 0, max = 0;
};
Times times_of(std::vector<double> seconds);

/// One problem with one engine and one exchange, and its plan; the same on every rank.
struct Setup {
  Problem problem;
  int ranks = 1, nodes = 1, threads = 1;  ///< threads: the largest number on any rank
  std::string engine, exchange, strategy;
  int chunks = 1;                          ///< the largest number of chunks of any exchange
  Progress progress = Progress::by_tiles;  ///< of the plan
  Repetition repetition;
  double plan_seconds = 0;
  double gflops = 0;                ///< at the median time
  std::optional<double> max_error;  ///< relative to the largest value; empty if not verified
  double error_limit = 0;
  std::int64_t workspace_bytes = 0;  ///< the largest on any rank
  std::string explanation;           ///< the plan in words, with what was tried
};

/// The members that follow from a (validated) problem, the report of its plan and the options. The
/// caller sets the workspace, the times and the error.
Setup setup_of(const Problem& problem, const PlanReport& plan, const Options& options,
               const Repetition& repetition);

/// The conventional operation count of one transform: 5 N log2 N for complex fields, half of it for
/// real fields.
double flops_of(const Problem& problem);

/// The memory of a field's input and output on this rank; one array for both in place.
class Fields {
 public:
  /// Of the plan's memory, of the kind that is asked for, or of any as std::vector allocates it.
  /// Collective over `comm`. `plan` is null on ranks that have no part in it. Errors:
  /// AnyPlan::allocate.
  Fields(const Communicator& comm, const AnyPlan* plan, Arrays arrays,
         std::optional<Memory> kind = std::nullopt);
  void* input() const { return input_.get(); }
  void* output() const { return output_.get(); }

 private:
  std::shared_ptr<std::byte> input_, output_;
};

}  // namespace weft::cli
