// cli/bench/bench: the measurements that `weft bench` makes of transforms in both directions.
#pragma once

#include <array>
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
    std::vector<int> axes;   ///< that a pass transforms; see StageReport
    std::size_t passes = 0;  ///< of the strategy; 0 for an exchange
  };
  std::vector<Stage> stages;

  /// On devices: what the last forward run copied between the memories of the processor and of the
  /// device, the maximum over all ranks; and in which part of the time that copies took in both
  /// directions, of all ranks together, devices computed. The second only if streams were timed.
  std::optional<std::int64_t> copied_bytes;
  std::optional<double> hidden_copy_share;

  /// An item of a pass that a rank ran in the last forward or backward run, or what a stream of its
  /// device did. The start counts from when the first rank left the barrier of the run.
  struct Span {
    std::string name;
    std::string feeds;  ///< which ranks waited for the item
    int rank = 0, node = 0;
    bool is_forward = true;
    double start = 0, seconds = 0;
    std::string stream = {};  ///< of a device: what did it; empty: the rank
  };
  /// What a rank sent, received and waited for in this run; times count from its barrier, too.
  struct RankEvents {
    int rank = 0, node = 0;
    bool is_forward = true;
    RunEvents run;
  };
  // Only if requested:
  std::vector<Span> spans;         ///< of all ranks
  std::vector<RankEvents> events;  ///< of all ranks, in both directions
  std::array<std::vector<std::string>, 2>
      steps;  ///< names of the steps of a run, forward and backward
};

/// Of Measurement::Span::stream, in the order of StreamSpan::Work.
constexpr std::array<const char*, 3> stream_names{"passes", "copies from the device",
                                                  "copies to the device"};

/// A problem, and the options of a plan for it.
struct Case {
  Problem problem;
  Options options;
};

/// Makes a plan for each case and measures it; with Repetition::in_turn, all plans are made before,
/// and each of their runs is one turn, in which each runs once. With spans, all that ranks and
/// streams of devices do is recorded. Collective.
std::vector<Measurement> measure(const Surroundings& here, const std::vector<Case>& cases,
                                 const Repetition& repetition, bool with_spans);

}  // namespace weft::cli
