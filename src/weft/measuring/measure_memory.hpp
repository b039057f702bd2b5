// measuring/measure_memory: what the cores of a node load and store per second.
#pragma once

#include "weft/comm/communicator.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/measuring/time_limit.hpp"

namespace weft {

/// Copies and adds arrays on 1, 2, ... cores of each node at the same time: as STREAM does
/// (McCalpin, Memory Bandwidth and Machine Balance, 1995), with arrays of at least four times the
/// shared cache if JobFacts::spare_bytes and the time suffice; and walks over them as
/// passes do (memory/tile_walk), in memory and in half of the shared cache. Loads and stores of the
/// program count, not the loads with which a cache fills lines that are stored. Collective.
/// Error::system if the memory cannot be had.
MemoryMeasurement measure_memory(const Communicator& comm, const JobFacts& job,
                                 const TimeLimit& limit);

/// The numbers of cores that are measured: 1, 2, 3, 4, 6, 8, 12 ... and `most`.
std::vector<int> measured_cores(int most);

}  // namespace weft
