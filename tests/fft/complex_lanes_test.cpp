// fft/lanes/lanes: what lanes compute of a c2c line does not depend on the other lines, nor on how
// lines lie in memory, as long as the same kernel transforms them.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/dice.hpp"
#include "weft/fft/lanes/lanes.hpp"
#include "weft/fft/processor_family.hpp"

using namespace weft;
using namespace weft::test;

namespace {

template <class Real>
using Line = std::vector<Real>;  // complex numbers as two reals each

// How lines lie: one after the other, or point by point.
enum class Order { rows, columns };

template <class Real>
Lines lines_of(std::int64_t n, int sign) {
  Lines lines;
  lines.precision = sizeof(Real) == 4 ? Precision::single_precision : Precision::double_precision;
  lines.sign = sign;
  lines.n = n;
  return lines;
}

// The transformed lines; empty if they are left to FFTW.
template <class Real>
std::vector<Line<Real>> run(Lines lines, int bits, const std::vector<Line<Real>>& x, Order in,
                            Order out) {
  const auto count = static_cast<std::int64_t>(x.size());
  const std::int64_t n = lines.n;
  const auto point = [&](Order lie) { return lie == Order::rows ? 1 : count; };
  const auto line = [&](Order lie) { return lie == Order::rows ? n + 3 : 1; };
  lines.in_stride = point(in);
  lines.out_stride = point(out);
  lines.loops = {{count, line(in), line(out)}};
  const auto kernel = make_lanes(lines, bits);
  if (kernel == nullptr) return {};
  std::vector<Real> from(static_cast<std::size_t>(2 * count * (n + 3))), to(from.size());
  const auto at = [&](Order lie, std::size_t number, std::int64_t p) {
    return static_cast<std::size_t>(
        2 * (static_cast<std::int64_t>(number) * line(lie) + p * point(lie)));
  };
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::int64_t p = 0; p < n; ++p)
      std::memcpy(&from[at(in, i, p)], &x[i][static_cast<std::size_t>(2 * p)], 2 * sizeof(Real));
  PrefetchQueue queue;
  kernel->run(from.data(), to.data(), queue);
  std::vector<Line<Real>> y(x.size(), Line<Real>(static_cast<std::size_t>(2 * n)));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::int64_t p = 0; p < n; ++p)
      std::memcpy(&y[i][static_cast<std::size_t>(2 * p)], &to[at(out, i, p)], 2 * sizeof(Real));
  return y;
}

template <class Real>
std::vector<Line<Real>> random_lines(std::int64_t n, std::size_t count, Dice& dice) {
  std::vector<Line<Real>> x(count, Line<Real>(static_cast<std::size_t>(2 * n)));
  for (auto& line : x)
    for (Real& value : line) value = static_cast<Real>(dice.between(-1000, 1000)) / 1000;
  return x;
}

template <class Real>
bool have_equal_bits(const Line<Real>& a, const Line<Real>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

// The last lines of `x`, of which the first has a NaN, transformed anew: the others must have the
// bits that they have in `y`.
template <class Real>
void check_some(const Lines& lines, int bits, const std::vector<Line<Real>>& x,
                const std::vector<Line<Real>>& y, Order in, Order out) {
  for (const std::size_t count : {1, 2, 3, 4, 5, 8, 9, 17}) {
    if (count == 1 && (in == Order::columns || out == Order::columns)) continue;  // that is a row
    std::vector some(x.end() - static_cast<std::ptrdiff_t>(count), x.end());
    if (count > 1) some.front()[1] = std::numeric_limits<Real>::quiet_NaN();
    const auto again = run<Real>(lines, bits, some, in, out);
    ASSERT_EQ(again.size(), count);
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_EQ(count == 1 || i > 0, have_equal_bits(again[i], y[y.size() - count + i]))
          << lines.n << " points, line " << i << " of " << count << ", " << bits << " bits, "
          << sizeof(Real) << " bytes, layouts " << static_cast<int>(in) << static_cast<int>(out);
  }
}

// A factor that is a power of two changes no bit of a fraction.
template <class Real>
void check_factor(Lines lines, int bits, const std::vector<Line<Real>>& x,
                  std::vector<Line<Real>> y, Order in, Order out) {
  lines.factor = 1.0 / 64;
  const auto scaled = run<Real>(lines, bits, x, in, out);
  ASSERT_EQ(scaled.size(), y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (Real& value : y[i]) value /= 64;
    EXPECT_TRUE(have_equal_bits(scaled[i], y[i])) << lines.n << " points, line " << i << ", "
                                                  << bits << " bits, " << sizeof(Real) << " bytes";
  }
}

// Every radix is the first, a middle and the last step of one of these.
constexpr std::int64_t complex_lengths[] = {24,  27,  30,  32,  35,  36,  49,  50,  64,  80,  81,
                                            96,  100, 120, 126, 128, 144, 160, 189, 200, 256, 288,
                                            300, 343, 360, 448, 500, 512, 729, 768, 1024};

template <class Real>
void check_columns(int bits) {
  Dice dice(11);
  for (const std::int64_t n : complex_lengths)
    for (const int sign : {-1, 1}) {
      const Lines lines = lines_of<Real>(n, sign);
      const auto x = random_lines<Real>(n, 19, dice);
      const auto y = run<Real>(lines, bits, x, Order::columns, Order::columns);
      ASSERT_EQ(y.size(), x.size()) << n;
      check_some(lines, bits, x, y, Order::columns, Order::columns);
      check_factor(lines, bits, x, y, Order::columns, Order::columns);
      if (n % 3 != 0) continue;  // only some, as these take most of the time
      for (const Order in : {Order::rows, Order::columns})
        check_some(lines, bits, x, y, in, in == Order::rows ? Order::columns : Order::rows);
    }
}

template <class Real>
int check_rows(int bits) {
  Dice dice(12);
  int taken = 0;
  for (const std::int64_t n : complex_lengths)
    for (const int sign : {-1, 1}) {
      const Lines lines = lines_of<Real>(n, sign);
      const auto x = random_lines<Real>(n, 19, dice);
      const auto y = run<Real>(lines, bits, x, Order::rows, Order::rows);
      // Long lines that go several at a time are taken only if there are many of them.
      if (run<Real>(lines, bits, {x.back()}, Order::rows, Order::rows).empty()) continue;
      ++taken;
      check_factor(lines, bits, x, y, Order::rows, Order::rows);
      check_some(lines, bits, x, y, Order::rows, Order::rows);
    }
  return taken;
}

}  // namespace

TEST(ComplexLanes, of_columns_have_the_same_bits_whatever_is_beside_them) {
  for (const int bits : lane_widths()) {
    if (no_lanes(bits)) continue;
    check_columns<double>(bits);
    check_columns<float>(bits);
  }
}

TEST(ComplexLanes, of_256_bits_have_the_same_bits_without_avx512) {
  pretend_at_most(VectorSet::avx2);
  if (!no_lanes(256)) {
    check_columns<double>(256);
    check_columns<float>(256);
    EXPECT_GT(check_rows<double>(256), 8);
    EXPECT_GT(check_rows<float>(256), 4);
  }
  pretend_at_most(VectorSet::avx512);
}

TEST(ComplexLanes, of_adjacent_points_have_the_same_bits_whatever_is_beside_them) {
  for (const int bits : lane_widths()) {
    if (no_lanes(bits)) continue;
    check_rows<double>(bits);
    check_rows<float>(bits);
  }
}
