// cli/work: what an application computes while transforms are under way.
#pragma once

namespace weft::cli {

/// Plain arithmetic that takes this thread `seconds` of a core, however often others interrupt it.
/// With `calls_progress`, weft::progress() is called about every millisecond; what that takes comes
/// on top.
void work(double seconds, bool calls_progress);

}  // namespace weft::cli
