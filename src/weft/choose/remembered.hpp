// choose/remembered: what a plan may know from earlier measurements, instead of planning and
// trials.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/machine/machine.hpp"
#include "weft/options.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// What was fastest.
struct Remembered {
  std::string strategy;
  int threads = 0;  ///< of each rank; 0: as many as it has without this
  std::int64_t cache_bytes = 0, shared_cache_bytes = 0;  ///< of the Machine that it was planned for
  std::int64_t segment_bytes = 0, eager_message_bytes = 0;  ///< 0: those that it has without this
  /// Where the user leaves it to weft: one that MPI allows on all ranks; automatic: the usual one.
  Progress progress = Progress::automatic;
  std::string note;  ///< where this is from, for describe()
};

/// Tells what is known about a problem (validated, with the boxes of all ranks) on a machine whose
/// caches are those that the system tells. Collective, and the same on all ranks; throws nothing
/// that is not thrown on all ranks. May be empty: then nothing is known.
using Recall = std::function<std::optional<Remembered>(const Communicator&, const Problem&,
                                                       const Machine&, const Options&)>;

}  // namespace weft
