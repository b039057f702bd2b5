// weft/stage_time: what a stage of a plan did in its last run.
// Floor: plan.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

/// What a stage of a plan did in its last run on this rank.
struct StageTime {
  std::string name;            ///< as describe() calls it
  bool is_exchange;            ///< or a pass
  double start, seconds;       ///< when it began, on the steady clock, and how long it took
  std::int64_t bytes;          ///< sent to other ranks
  std::int64_t messages;       ///< sent to other nodes
  std::int64_t message_bytes;  ///< of these messages
  int segments;                ///< that the message between a pair of nodes is cut into, at most
  double active_seconds;       ///< of an exchange: from the first message to the last
};

}  // namespace weft
