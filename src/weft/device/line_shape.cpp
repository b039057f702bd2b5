// device/line_shape: radices, lines and threads.

#include "weft/device/line_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace weft {

namespace {

// The largest index of an element of a part or of a butterfly of a tile that a Divisor divides.
constexpr std::int64_t index_limit = std::int64_t{1} << 16;

std::int64_t stored_points(const LineWork& work, std::int64_t complex_points) {
  // The spectrum of an even real line is loaded as a whole, with one number more than half.
  return work.form == LineForm::c2r && work.points % 2 == 0 ? complex_points + 1 : complex_points;
}

// Threads that hold all points of a step's butterflies.
std::int64_t threads_for(std::int64_t butterflies, int radix) {
  const std::int64_t each = butterflies_of_thread(radix);
  return (butterflies + each - 1) / each;
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

}  // namespace

std::vector<int> device_radices(std::int64_t points) {
  std::vector<int> radices;
  for (const int radix : {13, 11, 9, 7, 5, 3})
    for (; points % radix == 0; points /= radix) radices.push_back(radix);
  // Powers of two: as few steps as there can be, of radices 16 and 8, and 4 or 2 for the rest.
  int bits = 0;
  for (; points % 2 == 0; points /= 2) ++bits;
  if (points != 1) return {};
  while (bits > 0) {
    const int taken = bits == 5 || bits == 3 || bits == 6 ? 3 : std::min(bits, 4);
    radices.push_back(1 << taken);
    bits -= taken;
  }
  std::ranges::sort(radices, std::greater());
  return radices;
}

std::optional<LineLaunch> line_launch(const LineWork& work, const BlockLimits& limits) {
  const bool is_real = work.form == LineForm::r2c || work.form == LineForm::c2r;
  const std::int64_t complex_points =
      is_real && work.points % 2 == 0 ? work.points / 2 : work.points;
  const std::vector<int> radices =
      work.is_copy ? std::vector<int>{} : device_radices(complex_points);
  if (!work.is_copy && radices.empty() && complex_points != 1) return std::nullopt;
  const std::int64_t number_bytes = work.precision == Precision::single_precision ? 8 : 16;
  const std::int64_t stored = stored_points(work, complex_points);

  std::int64_t lines = 64;
  while (lines > 1 && lines / 2 >= work.lines) lines /= 2;
  const auto threads_of = [&](std::int64_t count) {
    std::int64_t threads = (count * stored + points_of_thread - 1) / points_of_thread;
    for (const int radix : radices)
      threads = std::max(threads, threads_for(count * (complex_points / radix), radix));
    return (threads + limits.warp - 1) / limits.warp * limits.warp;
  };
  const auto fits = [&](std::int64_t count) {
    return size_of(count, stored, work.lines_first).numbers * number_bytes <= limits.shared_bytes &&
           threads_of(count) <= limits.threads && count * work.points < index_limit;
  };
  while (lines > 1 && !fits(lines)) lines /= 2;
  if (!fits(lines) || radices.size() > LineShape::most_steps) return std::nullopt;

  LineLaunch launch;
  LineShape& shape = launch.shape;
  const Size size = size_of(lines, stored, work.lines_first);
  shape.form = work.form;
  shape.backward = work.backward ? 1 : 0;
  shape.points = static_cast<std::int32_t>(work.points);
  shape.complex_points = static_cast<std::int32_t>(complex_points);
  shape.lines = static_cast<std::int32_t>(lines);
  shape.lines_first = work.lines_first ? 1 : 0;
  shape.point_stride = static_cast<std::int32_t>(size.point_stride);
  shape.line_stride = static_cast<std::int32_t>(size.line_stride);
  std::int64_t stride = 1;
  for (const int radix : radices) {
    LineStep& step = shape.step[static_cast<std::size_t>(shape.steps++)];
    step.radix = radix;
    step.butterflies = static_cast<std::int32_t>(complex_points / radix);
    step.stride = static_cast<std::int32_t>(stride);
    step.by_stride = Divisor(stride);
    step.by_fastest = Divisor(work.lines_first ? lines : complex_points / radix);
    stride *= radix;
  }
  launch.threads = static_cast<int>(threads_of(lines));
  launch.shared_bytes = size.numbers * number_bytes;
  return launch;
}

template <class Real>
std::vector<Real> roots_of_unity(std::int64_t points, std::int64_t count) {
  std::vector<Real> roots;
  roots.reserve(static_cast<std::size_t>(2 * count));
  for (std::int64_t k = 0; k < count; ++k) {
    const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                              static_cast<long double>(points);
    roots.push_back(static_cast<Real>(std::cos(angle)));
    roots.push_back(static_cast<Real>(std::sin(angle)));
  }
  return roots;
}
template std::vector<float> roots_of_unity(std::int64_t, std::int64_t);
template std::vector<double> roots_of_unity(std::int64_t, std::int64_t);

}  // namespace weft
