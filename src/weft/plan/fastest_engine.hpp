// plan/fastest_engine: processors or devices, by prediction.
// Keeps: agreement - rank 0 predicts, and all ranks take what it says.
#pragma once

#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/options.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// An engine or a driver, and why it was taken.
struct FastestEngine {
  std::string engine;
  bool is_device = false;
  std::string told;  ///< both predictions, or why there is only one
};

/// What is predicted to transform arrays in memory of the processor faster: the first engine that
/// applies on all ranks, or the first driver of devices that does. `problem`: validated, c2c or
/// r2c. Measures links, memory, and copies of devices where `options` allow. Collective. Errors of
/// common_engine() where no engine applies, and of machine_here() for devices that are asked for.
FastestEngine fastest_engine(const Communicator& comm, const Problem& problem,
                             const Options& options);

}  // namespace weft
