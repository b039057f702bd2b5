// measuring/measure_transforms: what the engines take for lines in cache, called as passes call
// them.
#pragma once

#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/measuring/time_limit.hpp"

namespace weft {

/// The lengths that are measured.
inline constexpr std::int64_t measured_lengths[] = {16, 32, 64, 128, 256, 512, 1024, 2048, 4096};

/// All engines that apply on all ranks, the default first: complex doubles, and by the default
/// engine real lines and single precision, many lines at once, from one array to another in
/// `cache_bytes`. All ranks compute at the same time, on one core each; a time is the median of the
/// slowest rank. Engines choose their code with `effort`, or without trials when the aim is
/// reached; others than the default are left out when the limit is over. Collective. Error::system
/// if an engine has no code for these lines.
std::vector<EngineMeasurement> measure_transforms(const Communicator& comm,
                                                  std::int64_t cache_bytes, const TimeLimit& limit,
                                                  Effort effort);

}  // namespace weft
