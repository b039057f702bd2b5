// device/line_shape: how a device transforms lines of some length: what of, by which radix steps,
// and how many lines in a tile and threads of a block.
// Pure: knows no device, only its limits.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/device/line_arguments.hpp"
#include "weft/machine/block_lines.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// What the lines of a pass are.
struct LineWork {
  LineForm form = LineForm::c2c;
  LineSum sum = LineSum::none;  ///< of c2c and r2r
  bool backward = false;
  Precision precision = Precision::double_precision;
  std::int64_t points = 1;  ///< of a line in real space
  std::int64_t lines = 1;   ///< adjacent lines at most
  bool lines_first = true;  ///< whether adjacent lines are adjacent in memory, or points
  bool is_copy = false;     ///< nothing is transformed
  /// Of the first half of an axis in two: points of the whole axis; 0: the axis is not in halves.
  std::int64_t split_points = 0;
  bool turns_by_line = false;  ///< adjacent lines are adjacent along the second half
};

/// The shape of tiles, and what a launch of the kernel asks for.
struct LineLaunch {
  LineShape shape;
  int threads = 1;                ///< of a block
  std::int64_t shared_bytes = 0;  ///< of a block
};

/// How a device with these limits transforms such lines; nothing if a single line does not fit.
std::optional<LineLaunch> line_launch(const LineWork& work, const BlockLimits& limits);

/// The longest such lines that fit a block.
std::int64_t longest_line(const LineWork& work, const BlockLimits& limits);

}  // namespace weft
