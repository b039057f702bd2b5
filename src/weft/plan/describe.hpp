// plan/describe: a plan in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/choose/raced_choices.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/memory_use.hpp"
#include "weft/options.hpp"

namespace weft {

struct Description {
  const Problem& problem;
  const Blueprint& blueprint;
  std::int64_t workspace_bytes;
  const MemoryUse& memory;                    ///< planned, the largest numbers of any rank
  std::int64_t fewest_threads, most_threads;  // of any rank
  bool shares_input, shares_output;           ///< whether the node works on each other's arrays
  bool takes_turns;                           ///< some node has fewer cores than ranks
  std::optional<std::string> engine_caveat;
  std::string message_route;  ///< how messages of memory of devices go; empty without any
  std::string engine_choice;  ///< why processors or devices compute, if weft chose between them
  std::string remembered;     ///< where the strategy is from; empty if it was not remembered
  const RaceReport& raced;    ///< how the choices of the passes were found
  Options options;            ///< that the plan was made with, and the engine that it took
  Progress progress;          ///< that the plan has; not automatic
};

/// At most six lines: the problem, the ranks and threads, the engine, the strategy, how it was
/// chosen, what the plan takes, and what is worth knowing.
std::string summarize_plan(const Description& description);

/// A paragraph: the problem, the strategy, where the data lie stage by stage, what is sent, what
/// the plan takes, and then how it was chosen: what is predicted (see describe_predictions), what
/// was raced, and what is remembered.
std::string describe_plan(const Description& description);

/// Options::segment_bytes in words: "segments of at least 256 KiB", "one segment for two nodes".
std::string segment_text(std::int64_t bytes);

/// Pretend::eager_message_bytes in words: "messages below 256 KiB are eager", "no message is
/// eager".
std::string eager_text(std::int64_t bytes);

/// A line that says why ranks of one node do not share memory, where that is so.
std::string not_shared_text(const Machine& machine);

}  // namespace weft
