// cli/bench/work: simulates the computation of an application while transforms run.
#pragma once

namespace weft::cli {

/// Computes for `seconds` of processor time of this thread. With `calls_progress`, calls
/// weft::progress() about every millisecond, whose time is added.
void work(double seconds, bool calls_progress);

}  // namespace weft::cli
