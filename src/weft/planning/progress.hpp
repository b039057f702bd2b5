// planning/progress: the names of the choices of Progress.
// Pure. Keeps: print-parse - parse_progress(to_string(p)) == p.
#pragma once

#include <string>

#include "weft/options.hpp"

namespace weft {

/// inline, tiles, thread or automatic.
const char* to_string(Progress progress);
/// Error::invalid for anything else.
Progress parse_progress(const std::string& text);

}  // namespace weft
