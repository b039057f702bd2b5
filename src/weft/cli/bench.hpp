// cli/bench: what `weft bench` finds of transforms, there and back.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/bench_setup.hpp"
#include "weft/cli/command.hpp"

namespace weft::cli {

/// What one problem took with one choice of engine and exchange; the same on every rank.
struct Measurement : Setup {
  Times forward, backward;  ///< gflops are those of forward
  double overlap = 0;       ///< part of the exchanges' active time that nobody waited for

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
