// cli/bench/movement: `weft bench --workload reshape` and `--workload halo` - data that move
// without a transform: to another distribution, or to the ghost points around each rank's part.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/bench/bench_setup.hpp"
#include "weft/cli/command.hpp"

namespace weft::cli {

/// A movement of one problem's input; the same on every rank.
struct MovementMeasurement : Setup {
  std::string workload;     ///< "reshape" or "halo"
  std::int64_t ghosts = 0;  ///< of a halo: ghost points at both ends of every axis
  Times seconds;
  std::int64_t bytes = 0;  ///< sent to other ranks, by the rank that sends most
};

/// Moves the points of `problem` from its input's distribution to its output's; slabs and pencils
/// where these are free. Collective.
MovementMeasurement measure_reshape(const Surroundings& here, const Problem& problem,
                                    const Options& options, const Repetition& repetition);

/// Fills `ghosts` ghost points at both ends of every axis, all of them periodic, in the input's
/// distribution; bricks where it is free. Collective.
MovementMeasurement measure_halo(const Surroundings& here, const Problem& problem,
                                 const Options& options, const Repetition& repetition,
                                 std::int64_t ghosts);

/// A table with one row per measurement, then the strategies.
std::string table_of(const std::vector<MovementMeasurement>& measurements);

/// A JSON array with one object per measurement.
std::string json_of(const std::vector<MovementMeasurement>& measurements);

}  // namespace weft::cli
