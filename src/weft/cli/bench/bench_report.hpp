// cli/bench/bench_report: formats measurements as a table and as JSON.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/bench/bench.hpp"

namespace weft::cli {

/// A table with one row per measurement, then the stages and the strategy of the fastest
/// measurement of each problem.
std::string table_of(const std::vector<Measurement>& measurements);

/// A JSON array with one object per measurement.
std::string json_of(const std::vector<Measurement>& measurements);

}  // namespace weft::cli
