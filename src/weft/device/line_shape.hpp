// device/line_shape: how a device transforms lines of some length: radix steps, lines in a tile,
// threads of a block.
// Pure: knows no device, only its limits.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/device/line_arguments.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// What a block of threads may use.
struct BlockLimits {
  std::int64_t shared_bytes = 48 * 1024;
  int threads = 1024;
  int warp = 32;  ///< the number of threads is a multiple of this
};

/// What the lines of a pass are.
struct LineWork {
  LineForm form = LineForm::c2c;
  bool backward = false;
  Precision precision = Precision::double_precision;
  std::int64_t points = 1;  ///< of a line in real space
  std::int64_t lines = 1;   ///< adjacent lines at most
  bool lines_first = true;  ///< whether adjacent lines are adjacent in memory, or points
  bool is_copy = false;     ///< nothing is transformed
};

/// The shape of tiles, and what a launch of the kernel asks for.
struct LineLaunch {
  LineShape shape;
  int threads = 1;                ///< of a block
  std::int64_t shared_bytes = 0;  ///< of a block
};

/// The radices of the steps for `points` points, the longest first. Empty, but for one point, if
/// there are prime factors above 13.
std::vector<int> device_radices(std::int64_t points);

/// How a device with these limits transforms such lines; nothing if it cannot, because of a prime
/// factor above 13 of the points (half of the points, of even real lines) or because a single line
/// does not fit.
std::optional<LineLaunch> line_launch(const LineWork& work, const BlockLimits& limits);

/// exp(-2 pi i k / points) for k < count, real and imaginary parts in turn.
template <class Real>
std::vector<Real> roots_of_unity(std::int64_t points, std::int64_t count);
extern template std::vector<float> roots_of_unity(std::int64_t, std::int64_t);
extern template std::vector<double> roots_of_unity(std::int64_t, std::int64_t);

}  // namespace weft
