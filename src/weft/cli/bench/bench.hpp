// cli/bench/bench: the measurements that `weft bench` makes of transforms in both directions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/cli/bench/bench_setup.hpp"
#include "weft/cli/command.hpp"

namespace weft::cli {

/// The measurement of one problem with one engine and one exchange; the same on every rank.
struct Measurement : Setup {
  Times forward, backward;  ///< gflops are those of forward
  double overlap = 0;       ///< part of the exchanges' active time during which no rank waited

  /// A stage of the forward run of median time: maxima over all ranks.
  struct Stage {
    std::string name;
    double seconds = 0;
    std::int64_t bytes = 0, messages = 0, message_bytes = 0, segments = 0;
  };
  std::vector<Stage> stages;

  /// On devices: what the last forward run copied between the memories of the processor and of the
  /// device, the maximum over all ranks; and in which part of the time that copies took in both
  /// directions, of all ranks together, devices computed. The second only if streams were timed.
  std::optional<std::int64_t> copied_bytes;
  std::optional<double> hidden_copy_share;

  /// A stage, or an item of a pass, that a rank ran in the last forward or backward run. The start
  /// counts from the barrier of the run.
  struct Span {
    std::string name;
    std::string feeds;  ///< which ranks waited for the item
    int rank = 0, node = 0;
    bool is_forward = true;
    double start = 0, seconds = 0;
    std::string stream = {};  ///< of a device: what did it; empty: the rank
  };
  std::vector<Span> spans;  ///< of all ranks; only if requested
};

/// A problem, and the options of a plan for it.
struct Case {
  Problem problem;
  Options options;
};

/// Makes a plan for each case and measures it; with Repetition::in_turn, all plans are made before,
/// and each of their runs is one turn, in which each runs once. With spans, streams of devices are
/// timed, too. Collective.
std::vector<Measurement> measure(const Surroundings& here, const std::vector<Case>& cases,
                                 const Repetition& repetition, bool with_spans);

}  // namespace weft::cli
