// program/library_lines: whether a library of transforms can do what a pass does.
// Pure.
#pragma once

#include <optional>
#include <string>

#include "weft/program/pass_spec.hpp"

namespace weft {

/// Empty if the pass is transforms that libraries have: Fourier's, of lines all points of which are
/// stored. Else the reason why not.
std::optional<std::string> why_not_by_library(const PassSpec& spec);

}  // namespace weft
