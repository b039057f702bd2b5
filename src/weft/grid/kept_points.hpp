// grid/kept_points: which points of a line are stored, where the others are known to be zero or are
// not asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// Some points of a line: `count` in all, of which the last `tail` are the last points of the line,
/// and the others those from `first` on.
struct KeptPoints {
  std::int64_t count = 0, first = 0, tail = 0;

  /// All of `points` points.
  static KeptPoints all(std::int64_t points) { return {points, 0, 0}; }
  /// Where, in a line of `points` points, the kept point `i` is.
  std::int64_t position(std::int64_t i, std::int64_t points) const {
    return i < count - tail ? first + i : points - count + i;
  }
  friend bool operator==(const KeptPoints&, const KeptPoints&) = default;
};

/// A line of `points` points in real space, and which of them, and of its coefficients, are stored.
struct KeptLine {
  std::int64_t points = 0;  ///< 0: all points and all coefficients are stored
  KeptPoints real, spectral;

  bool is_all() const { return points == 0; }
  friend bool operator==(const KeptLine&, const KeptLine&) = default;
};

/// The line along an axis from a list by axis. An empty list stands for lines that are stored as a
/// whole.
inline KeptLine kept_along(const std::vector<KeptLine>& lines, int axis) {
  return lines.empty() ? KeptLine{} : lines[static_cast<std::size_t>(axis)];
}

}  // namespace weft
