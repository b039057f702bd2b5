// device/line_shape: lines and threads.

#include "weft/device/line_shape.hpp"

#include <algorithm>

namespace weft {

namespace {

// Points of the complex transform that a line becomes (see device/line_ends).
std::int64_t complex_points(const LineWork& work) {
  const std::int64_t n = work.points;
  if (work.sum == LineSum::dct1) return 2 * (n - 1);
  if (work.sum == LineSum::dst1) return 2 * (n + 1);
  const bool is_real = work.form == LineForm::r2c || work.form == LineForm::c2r;
  return is_real && n % 2 == 0 ? n / 2 : n;
}
// Numbers of a line that are loaded, or zero.
std::int64_t stored_points(const LineWork& work, std::int64_t complex_points) {
  if (work.sum != LineSum::none) return work.sum == LineSum::dst1 ? work.points + 1 : work.points;
  // The spectrum of an even real line is loaded as a whole, with one number more than half.
  return work.form == LineForm::c2r && work.points % 2 == 0 ? complex_points + 1 : complex_points;
}

std::int64_t number_bytes(const LineWork& work) {
  return work.precision == Precision::single_precision ? 8 : 16;
}

struct Size {
  std::int64_t line_stride, point_stride, numbers;
};
// Lines that are adjacent in a tile, or points, with one number between lines where it makes
// their distance odd: threads that take the same point of adjacent lines find them in different
// banks.
Size size_of(std::int64_t lines, std::int64_t stored, bool lines_first) {
  if (lines_first) return {1, lines, lines * stored};
  const std::int64_t stride = lines == 1 ? stored : stored | 1;
  return {stride, 1, stride * lines};
}

void set_steps(LineShape& shape, const BlockSteps& steps, std::int64_t lines) {
  shape.step_points = static_cast<std::int32_t>(steps.points);
  std::int64_t stride = 1;
  for (const int radix : steps.radices) {
    LineStep& step = shape.step[static_cast<std::size_t>(shape.steps++)];
    step.radix = radix;
    step.butterflies = static_cast<std::int32_t>(steps.points / radix);
    step.stride = static_cast<std::int32_t>(stride);
    step.by_stride = Divisor(stride);
    step.by_fastest = Divisor(shape.lines_first != 0 ? lines : steps.points / radix);
    stride *= radix;
  }
}

void set_halves(LineShape& shape, const LineWork& work) {
  shape.has_halves = work.split_points > 0 ? 1 : 0;
  shape.turn_line = work.turns_by_line ? 1 : 0;
  while ((std::int64_t{1} << (2 * shape.turn_shift)) < work.split_points) ++shape.turn_shift;
}

}  // namespace

std::optional<LineLaunch> line_launch(const LineWork& work, const BlockLimits& limits) {
  const std::int64_t transformed = complex_points(work);
  const std::optional<BlockSteps> steps =
      work.is_copy ? BlockSteps{transformed, {}}
                   : block_steps(transformed, number_bytes(work), limits);
  if (!steps || steps->radices.size() > LineShape::most_steps) return std::nullopt;
  LineLaunch launch;
  LineShape& shape = launch.shape;
  shape.form = work.form;
  shape.sum = work.sum;
  shape.is_copy = work.is_copy ? 1 : 0;
  shape.backward = work.backward ? 1 : 0;
  shape.points = static_cast<std::int32_t>(work.points);
  shape.complex_points = static_cast<std::int32_t>(transformed);
  shape.stored_points = static_cast<std::int32_t>(stored_points(work, transformed));
  shape.lines_first = work.lines_first ? 1 : 0;
  const std::int64_t stored = block_numbers(transformed, shape.stored_points, *steps);

  // Complex lines of a tile, and lines of the field in each.
  const std::int64_t joined = shape.joins_lines() ? 2 : 1;
  std::int64_t lines = 64;
  while (lines > 1 && lines / 2 * joined >= work.lines) lines /= 2;
  const auto threads_of = [&](std::int64_t count) {
    return block_threads(count, stored, *steps, limits.warp);
  };
  const auto fits = [&](std::int64_t count) {
    return size_of(count, stored, work.lines_first).numbers * number_bytes(work) <=
               limits.shared_bytes &&
           threads_of(count) <= limits.threads && count * joined * work.points < block_points_limit;
  };
  while (lines > 1 && !fits(lines)) lines /= 2;
  // Half of what a block may take, so that a processor has two blocks, of which one loads while the
  // other computes, unless rows of adjacent lines get shorter than memory gives at once.
  constexpr std::int64_t row_bytes = 128;
  while (lines > row_bytes / number_bytes(work) &&
         (2 * threads_of(lines) > limits.threads ||
          2 * size_of(lines, stored, work.lines_first).numbers * number_bytes(work) >
              limits.shared_bytes))
    lines /= 2;
  if (!fits(lines)) return std::nullopt;

  const Size size = size_of(lines, stored, work.lines_first);
  shape.lines = static_cast<std::int32_t>(lines * joined);
  shape.point_stride = static_cast<std::int32_t>(size.point_stride);
  shape.line_stride = static_cast<std::int32_t>(size.line_stride);
  set_steps(shape, *steps, lines);
  set_halves(shape, work);
  launch.threads = static_cast<int>(threads_of(lines));
  launch.shared_bytes = size.numbers * number_bytes(work);
  return launch;
}

std::int64_t longest_line(const LineWork& work, const BlockLimits& limits) {
  LineWork longest = work;
  longest.points = 2 * limits.shared_bytes / number_bytes(work);
  while (longest.points > 0 && !line_launch(longest, limits)) --longest.points;
  return longest.points;
}

}  // namespace weft
