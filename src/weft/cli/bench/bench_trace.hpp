// cli/bench/bench_trace: measurements as a trace for Perfetto and chrome://tracing.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/bench/bench.hpp"

namespace weft::cli {

/// A trace in Chrome's format, as docs/pictures.md says: one process per measurement and node,
/// one thread per rank. Source: "Trace Event Format", Google (2016).
std::string trace_of(const std::vector<Measurement>& measurements);

}  // namespace weft::cli
