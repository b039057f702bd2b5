// measuring/measure_messages: how fast messages are between pairs of ranks, and between nodes.
#pragma once

#include "weft/comm/communicator.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/measuring/time_limit.hpp"

namespace weft {

/// The sizes of messages for which speeds are measured: 1 KiB to 4 MiB.
std::vector<std::int64_t> measured_sizes();

/// The ranks whose pairs are measured: all if they are at most `most`; else half of them are the
/// first ranks, which share a node if any do, and the others are spread over all ranks.
std::vector<int> ranks_of_map(int ranks, int most);

/// Latencies and bandwidths of pairs of ranks, one pair after another, and of nodes; how they
/// depend on the size; what a message costs a rank, and a barrier the ranks of a node. When the
/// limit ends, pairs and sizes are left out that nothing else is made of. Collective.
MessageMeasurement measure_messages(const Communicator& comm, const JobFacts& job,
                                    const TimeLimit& limit);

/// MPI_Alltoall and MPI_Alltoallv of all ranks, as two curves. The sizes end where time or
/// JobFacts::spare_bytes do. Collective.
std::vector<SizeCurve> measure_collectives(const Communicator& comm, const JobFacts& job,
                                           const TimeLimit& limit);

}  // namespace weft
