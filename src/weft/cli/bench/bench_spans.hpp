// cli/bench/bench_spans: gathers what all ranks did in a run, for a trace.
#pragma once

#include <vector>

#include "weft/cli/bench/bench.hpp"
#include "weft/device/stream_times.hpp"

namespace weft::cli {

/// The last run of a plan in one direction, as this rank knows it.
struct LastRun {
  const Communicator& comm;
  const MachineReport& machine;
  const std::vector<StageReport>& stages;
  std::vector<StreamSpan> streams;  ///< what this rank's device did
  RunEvents events;
  bool is_forward = true;
  double began = 0;  ///< when this rank left the barrier before it
};

/// Adds the spans and events of all ranks to those of the measurement. Collective.
void add_run(Measurement& found, const LastRun& run);

}  // namespace weft::cli
