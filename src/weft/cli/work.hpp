// cli/work: stands for what an application computes while transforms run.
#pragma once

namespace weft::cli {

/// Computes for `seconds` of processor time of this thread. With `calls_progress`, calls
/// weft::progress() about every millisecond, whose time is added.
void work(double seconds, bool calls_progress);

}  // namespace weft::cli
