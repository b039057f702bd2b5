// device/line_arguments: what the kernel of lines is given.
// Keeps: plain data of a fixed layout, the same for the compilers of processors and of devices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

/// What is transformed along lines: complex numbers, real ones to half of their spectrum, or back;
/// r2r: real ones are copied.
enum class LineForm : std::int32_t { c2c, r2c, c2r, r2r };

/// The registers in which a thread keeps its points between the two synchronizations of a step, and
/// how many butterflies of a radix it can hold.
inline constexpr int points_of_thread = 16;
constexpr int butterflies_of_thread(int radix) {
  return radix > points_of_thread ? 1 : points_of_thread / radix;
}

/// Divides numbers below 2^16 by a divisor below 2^16 with a multiplication.
struct Divisor {
  std::uint32_t divisor = 1;
  std::uint64_t reciprocal = std::uint64_t{1} << 32U;

  constexpr Divisor() = default;
  explicit constexpr Divisor(std::int64_t by)
      : divisor(static_cast<std::uint32_t>(by)),
        reciprocal(((std::uint64_t{1} << 32U) + divisor - 1) / divisor) {}
};

/// A radix step of all lines of a tile: butterfly k of a line takes its points k + j times
/// (points / radix), and gives its frequencies to p radix stride + r + j stride, where
/// p = k / stride and r = k mod stride.
struct LineStep {
  std::int32_t radix = 1;
  std::int32_t butterflies = 0;  ///< of a line: points / radix
  std::int32_t stride = 1;       ///< the product of the radices of the steps before
  Divisor by_stride;
  Divisor by_fastest;  ///< divides the number of a butterfly in the tile by what changes fastest
};

/// What a tile shares with a patch: `points` points from `first_point` on of `lines` lines from
/// `first_line` on. Point p of line l is element far + p * far_point + l * far_line of the buffer,
/// with p and l counted from the first.
struct LinePart {
  std::int64_t far = 0, far_point = 1, far_line = 1;
  std::int32_t buffer = 0;
  std::int32_t first_point = 0, points = 0, first_line = 0, lines = 0;
  std::int32_t lines_first = 0;  ///< whether adjacent threads take adjacent lines, or points
  Divisor by_fastest;            ///< divides by `lines` if lines_first, else by `points`
};

/// A tile: some adjacent lines, and where in the list of parts those that it loads and stores are.
struct LineTile {
  std::int32_t first_source = 0, sources = 0, first_target = 0, targets = 0;
  std::int32_t lines = 0;
  std::int32_t loads_all = 1;  ///< whether the sources hold all points; the others are zero
};

/// How the lines of all tiles are transformed.
struct LineShape {
  static constexpr int most_steps = 12;

  LineForm form = LineForm::c2c;
  std::int32_t backward = 0;        ///< whether exponents are positive
  std::int32_t points = 1;          ///< of a line in real space
  std::int32_t complex_points = 1;  ///< that are transformed: half of the points of even real lines
  std::int32_t lines = 1;           ///< of a full tile: a power of two
  std::int32_t lines_first = 1;     ///< whether adjacent lines are adjacent in a tile, or points
  std::int32_t point_stride = 1, line_stride = 1;  ///< of complex numbers in a tile
  std::int32_t steps = 0;
  std::array<LineStep, most_steps> step;

  constexpr bool is_even_real() const {
    return (form == LineForm::r2c || form == LineForm::c2r) && points % 2 == 0;
  }
};

/// The arguments of the kernel. All pointers are to memory of the device.
template <class Real>
struct LineArguments {
  LineShape shape;
  Real factor = 1;                      ///< by which what is stored is multiplied
  std::byte* const* buffers = nullptr;  ///< addresses
  const LineTile* tiles = nullptr;
  std::int64_t first_tile = 0, tile_count = 0;
  const LinePart* parts = nullptr;
  const Real* roots = nullptr;       ///< exp(-2 pi i k / complex_points), re and im in turn
  const Real* real_roots = nullptr;  ///< of even real lines: exp(-2 pi i k / points)
};

}  // namespace weft
