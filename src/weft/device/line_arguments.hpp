// device/line_arguments: what the kernel of lines is given.
// Keeps: plain data of a fixed layout, the same for the compilers of processors and of devices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weft/machine/block_limits.hpp"

namespace weft {

/// What is loaded and stored: complex numbers, real ones to half of their spectrum, or back; r2r:
/// real ones on both sides, which are copied or become sums.
enum class LineForm : std::int32_t { c2c, r2c, c2r, r2r };

/// Sums of cosines or sines along the lines, of real numbers or of complex ones: the transforms of
/// problem/line_transform.
enum class LineSum : std::int32_t { none, dct1, dct2, dct3, dct4, dst1, dst2, dst3, dst4 };

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
  /// Of arrays that hold some points only: far and its strides count points of a field, and these
  /// are the elements from the array's begin to the field, and from line to line.
  std::int64_t field = 0, field_line = 0;
};

/// A tile: some adjacent lines, and where in the list of parts those that it loads and stores are.
struct LineTile {
  std::int32_t first_source = 0, sources = 0, first_target = 0, targets = 0;
  std::int32_t lines = 0;
  std::int32_t loads_all = 1;  ///< whether the sources hold all points; the others are zero
  std::int32_t turn = 0;       ///< of the first line: its index along the second half of the axis
};

/// How the lines of all tiles are transformed. A line in a tile is a complex one: two adjacent real
/// lines that are copied or become sums are its real and imaginary parts.
struct LineShape {
  static constexpr int most_steps = most_block_steps;

  LineForm form = LineForm::c2c;
  LineSum sum = LineSum::none;
  std::int32_t is_copy = 0;         ///< nothing is transformed
  std::int32_t backward = 0;        ///< whether exponents are positive
  std::int32_t points = 1;          ///< of a line in real space
  std::int32_t complex_points = 1;  ///< of the forward transform of a line
  std::int32_t step_points = 1;     ///< of the steps: more than these if it is a convolution
  std::int32_t stored_points = 1;   ///< of a line, before the steps: there may be one more
  std::int32_t lines = 1;           ///< of the field in a full tile: a power of two
  std::int32_t lines_first = 1;     ///< whether adjacent lines are adjacent in a tile, or points
  std::int32_t point_stride = 1, line_stride = 1;  ///< of complex numbers in a tile
  /// Of axes in two halves: lines are multiplied by factors with the index of the second half,
  /// which differs by so much from line to line.
  std::int32_t has_halves = 0, turn_line = 0;
  std::int32_t turn_shift = 0;  ///< the table of fine roots has two to the power of this
  std::int32_t steps = 0;
  std::array<LineStep, most_steps> step;

  constexpr bool is_even_real() const {
    return (form == LineForm::r2c || form == LineForm::c2r) && points % 2 == 0;
  }
  constexpr bool is_convolution() const { return step_points != complex_points; }
  /// Whether points are multiplied by a table before the steps.
  constexpr bool has_factors() const {
    return sum == LineSum::dct4 || sum == LineSum::dst4 || step_points > complex_points;
  }
  /// Rader's convolution, else Bluestein's.
  constexpr bool is_raders() const { return step_points < complex_points; }
  constexpr bool joins_lines() const { return form == LineForm::r2r; }
  /// Lines of a tile that holds so many of the field.
  constexpr std::int32_t joined(std::int32_t field_lines) const {
    return joins_lines() ? (field_lines + 1) / 2 : field_lines;
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
  // The tables of device/line_tables. Complex numbers: re and im in turn.
  const Real* roots = nullptr;      ///< exp(-2 pi i k / step_points)
  const Real* end_roots = nullptr;  ///< of even real lines and of sums
  const Real* factors = nullptr;    ///< of the points before the steps, if there are any
  const Real *chirp = nullptr, *spectrum = nullptr;                ///< of a convolution
  const std::int32_t *in_places = nullptr, *out_places = nullptr;  ///< of Rader's
  const Real *fine_roots = nullptr, *coarse_roots = nullptr;       ///< of axes in halves
  /// By which the first and the last value of a sum are multiplied, before and after it.
  Real first_in = 1, last_in = 1, first_out = 1, last_out = 1;
  /// The elements of arrays that hold some points only, as in grid/point_map; else null.
  const std::int32_t *source_elements = nullptr, *target_elements = nullptr;
};

}  // namespace weft
