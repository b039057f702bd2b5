// program/library_lines: looks for what only weft's own kernels do.

#include "weft/program/library_lines.hpp"

#include <algorithm>

namespace weft {

std::optional<std::string> why_not_by_library(const PassSpec& spec) {
  if (spec.axes.empty()) return "it transforms nothing";
  if (!spec.lines.empty()) return "not all of its transforms are Fourier transforms";
  if (spec.twiddle) return "one of its axes is a part of a split one";
  const auto is_partly_stored = [](const KeptLine& kept) { return !kept.is_all(); };
  if (std::ranges::any_of(spec.kept, is_partly_stored) || spec.source_points || spec.target_points)
    return "not all points of its lines are stored";
  return std::nullopt;
}

}  // namespace weft
