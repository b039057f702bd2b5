// cli/bench: what `weft bench` is asked to measure, and what it finds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/cli/command.hpp"
#include "weft/plan/any_plan.hpp"

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

/// What one problem took with one choice of engine and exchange; the same on every rank.
struct Measurement {
  Problem problem;
  int ranks = 1, nodes = 1, threads = 1;  ///< threads of the rank that has most
  std::string engine, exchange, strategy;
  int chunks = 1;  ///< of the exchange that is cut most
  Progress progress = Progress::by_tiles;
  Repetition repetition;
  double plan_seconds = 0;
  Times forward, backward;
  double gflops = 0;                ///< forward, at the median
  double overlap = 0;               ///< part of the exchanges' active time that nobody waited for
  std::optional<double> max_error;  ///< relative to the largest value
  double error_limit = 0;
  std::int64_t workspace_bytes = 0;  ///< of the rank that has most

  /// A stage of the forward run of median time: the maximum over ranks.
  struct Stage {
    std::string name;
    double seconds = 0;
    std::int64_t bytes = 0, messages = 0, message_bytes = 0, segments = 0;
  };
  std::vector<Stage> stages;

  /// What a rank did in the last run forward and back, a pass item by item; start from the run's
  /// barrier.
  struct Span {
    std::string name;
    std::string feeds;  ///< who waited for the item
    int rank = 0, node = 0;
    bool is_forward = true;
    double start = 0, seconds = 0;
  };
  std::vector<Span> spans;  ///< all ranks'; only if asked for
};

/// Plans and measures. Collective.
Measurement measure(const Surroundings& here, const Problem& problem, const Options& options,
                    const Repetition& repetition, bool with_spans);

}  // namespace weft::cli
