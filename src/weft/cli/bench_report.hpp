// cli/bench_report: measurements as a table, as JSON, as a trace for Perfetto.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/bench.hpp"

namespace weft::cli {

/// A row per measurement, then the stages and the strategy of the fastest of each problem size.
std::string table_of(const std::vector<Measurement>& measurements);

/// An array of objects, one per measurement.
std::string json_of(const std::vector<Measurement>& measurements);

/// Chrome's trace format: a process per measurement and node, a thread per rank.
std::string trace_of(const std::vector<Measurement>& measurements);

}  // namespace weft::cli
