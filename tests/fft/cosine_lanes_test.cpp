// fft/lanes/cosine_lanes: sines and cosines in lanes, against direct sums; and no bit of a line
// depends on the lines beside it, or on how it lies.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "support/dice.hpp"
#include "weft/base/prefetch_queue.hpp"
#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/lanes.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// The definitions of scipy.fft without norm.
long double direct(Basis kind, const std::vector<long double>& x, std::size_t k) {
  const auto n = x.size();
  const auto angle = [&](std::size_t numerator) {
    return std::numbers::pi_v<long double> * static_cast<long double>(numerator % (4 * n)) /
           static_cast<long double>(2 * n);
  };
  long double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const bool is_first = j == 0, is_last = j + 1 == n;
    switch (kind) {
      case Basis::dct2:
        sum += 2 * x[j] * std::cos(angle((2 * j + 1) * k));
        break;
      case Basis::dct3:
        sum += (is_first ? 1 : 2) * x[j] * std::cos(angle(j * (2 * k + 1)));
        break;
      case Basis::dst2:
        sum += 2 * x[j] * std::sin(angle((2 * j + 1) * (k + 1)));
        break;
      default:
        sum += (is_last ? 1 : 2) * x[j] * std::sin(angle((j + 1) * (2 * k + 1)));
    }
  }
  return sum;
}

// So many lines, adjacent (point by point) or one after another.
template <class Real>
std::vector<Real> sums_of(const Lines& given, const std::vector<std::vector<Real>>& x, int bits,
                          bool adjacent_in, bool adjacent_out, bool in_place) {
  const auto count = static_cast<std::int64_t>(x.size());
  Lines lines = given;
  lines.in_stride = adjacent_in ? count : 1;
  lines.out_stride = adjacent_out ? count : 1;
  if (count > 1) lines.loops = {{count, adjacent_in ? 1 : lines.n, adjacent_out ? 1 : lines.n}};
  const auto at = [&](bool adjacent, std::int64_t line, std::int64_t point) {
    return static_cast<std::size_t>(adjacent ? point * count + line : line * lines.n + point);
  };
  std::vector<Real> in(x.size() * x.front().size()), other(in.size());
  std::vector<Real>& out = in_place ? in : other;
  for (std::int64_t line = 0; line < count; ++line)
    for (std::int64_t point = 0; point < lines.n; ++point)
      in[at(adjacent_in, line, point)] =
          x[static_cast<std::size_t>(line)][static_cast<std::size_t>(point)];
  const auto kernel = make_lanes(lines, bits);
  EXPECT_NE(kernel, nullptr);
  PrefetchQueue queue;
  if (kernel) kernel->run(in.data(), out.data(), queue);
  std::vector<Real> by_line(in.size());
  for (std::int64_t line = 0; line < count; ++line)
    for (std::int64_t point = 0; point < lines.n; ++point)
      by_line[at(false, line, point)] = out[at(adjacent_out, line, point)];
  return by_line;
}

template <class Real>
void check(Precision precision, int bits, long double tolerance) {
  Dice dice(static_cast<std::uint64_t>(bits));
  for (const std::int64_t n : {24, 30, 32, 36, 40, 48, 50, 54, 60, 90, 98, 112, 128, 200, 256, 300})
    for (const Basis kind : {Basis::dct2, Basis::dct3, Basis::dst2, Basis::dst3}) {
      Lines lines;
      lines.kind = LineKind::r2r;
      lines.precision = precision;
      lines.n = n;
      lines.real.kind = kind;
      std::vector<std::vector<Real>> x(19, std::vector<Real>(static_cast<std::size_t>(n)));
      for (auto& line : x)
        for (Real& value : line) value = static_cast<Real>(dice.between(-1000, 1000)) / 1000;
      const auto found = sums_of<Real>(lines, x, bits, true, true, false);
      long double worst = 0;
      for (const std::size_t line : {0, 7, 18}) {
        const std::vector<long double> exact(x[line].begin(), x[line].end());
        for (std::size_t k = 0; k<exact.size(); k += n> 100 ? 7 : 1)
          worst = std::max(worst, std::abs(direct(kind, exact, k) -
                                           found[line * static_cast<std::size_t>(n) + k]));
      }
      EXPECT_LT(worst / static_cast<long double>(n), tolerance) << n << " " << to_string(kind);
      for (const std::size_t count : {1, 2, 3, 8, 16, 19})
        for (const int layout : {0, 1, 2, 3}) {
          const bool in = layout % 2 == 0, out = layout / 2 == 0;
          const std::vector<std::vector<Real>> some(x.begin(),
                                                    x.begin() + static_cast<std::ptrdiff_t>(count));
          const auto again = sums_of<Real>(lines, some, bits, in, out, in == out && count > 2);
          EXPECT_EQ(0, std::memcmp(again.data(), found.data(), again.size() * sizeof(Real)))
              << n << " " << to_string(kind) << " " << count << " lines, layout " << layout;
        }
    }
}

}  // namespace

TEST(CosineLanes, equal_direct_sums_bit_by_bit_however_lines_lie) {
  for (const int bits : lane_widths()) {
    if (no_lanes(bits)) continue;
    check<double>(Precision::double_precision, bits, 3e-16L);
    check<float>(Precision::single_precision, bits, 2e-7L);
  }
}

TEST(CosineLanes, other_lines_are_left_to_fftw) {
  const int bits = 128;
  if (no_lanes(bits)) GTEST_SKIP() << *no_lanes(bits);
  Lines lines;
  lines.kind = LineKind::r2r;
  lines.loops = {{8, 1, 1}};
  for (const auto& [kind, n] : {std::pair{Basis::dct2, 63},
                                {Basis::dct2, 20},
                                {Basis::dct2, 28},
                                {Basis::dct2, 88},
                                {Basis::dct1, 64},
                                {Basis::dct4, 64},
                                {Basis::dst1, 63}}) {
    lines.real.kind = kind;
    lines.n = n;
    lines.in_stride = lines.out_stride = 8;
    EXPECT_EQ(make_lanes(lines, bits), nullptr) << to_string(kind) << " " << n;
  }
}
