// fft/lanes/real_lanes: real lines in lanes, against direct sums; and no bit of a line depends on
// the lines beside it, or on how it lies.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "support/dice.hpp"
#include "weft/base/prefetch_queue.hpp"
#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/convolution.hpp"
#include "weft/fft/lanes/lanes.hpp"
#include "weft/fft/processor_family.hpp"

using namespace weft;
using namespace weft::test;

namespace {

using Wide = std::complex<long double>;
template <class Real>
using Line = std::vector<Real>;  // complex numbers as two reals each

// How lines lie: one after the other, point by point, or with gaps everywhere.
enum class Lie { rows, columns, apart };
constexpr std::array all_lies{Lie::rows, Lie::columns, Lie::apart};

struct Strides {
  std::int64_t point, line;
};
Strides strides_of(Lie lie, std::int64_t points, std::int64_t count) {
  if (lie == Lie::rows) return {1, points + 1};
  if (lie == Lie::columns) return {count, 1};
  return {3, 3 * points + 2};
}

struct Setting {
  Lines lines;
  int bits;
  Lie in = Lie::rows, out = Lie::rows;
  std::int64_t shift = 0;  // of the first points, in reals
};

// The points of a line that are stored.
std::int64_t stored(const Lines& lines, bool of_input) {
  if (lines.kept) return of_input ? lines.kept->in.count : lines.kept->out.count;
  return (lines.kind == LineKind::r2c) == of_input ? lines.n : lines.n / 2 + 1;
}
std::size_t reals_of(const Lines& lines, bool of_input) {
  return (lines.kind == LineKind::r2c) == of_input ? 1 : 2;
}

// Reals [0, reals) of element `point` of line `line`.
std::size_t place(const Setting& s, bool of_input, Strides strides, std::size_t line,
                  std::int64_t point) {
  const auto element = static_cast<std::int64_t>(line) * strides.line + point * strides.point;
  return static_cast<std::size_t>(s.shift) +
         static_cast<std::size_t>(element) * reals_of(s.lines, of_input);
}

// The transformed lines. What lies between them must stay as it is.
template <class Real>
std::vector<Line<Real>> run(const Setting& s, const std::vector<Line<Real>>& x) {
  const auto count = static_cast<std::int64_t>(x.size());
  const std::int64_t points_in = stored(s.lines, true), points_out = stored(s.lines, false);
  const Strides in = strides_of(s.in, points_in, count), out = strides_of(s.out, points_out, count);
  Lines lines = s.lines;
  lines.in_stride = in.point;
  lines.out_stride = out.point;
  if (count > 1) lines.loops = {{count, in.line, out.line}};
  const auto kernel = make_lanes(lines, s.bits);
  EXPECT_NE(kernel, nullptr);
  if (kernel == nullptr) return x;
  constexpr Real untouched = 12345;
  const std::size_t in_reals = reals_of(lines, true), out_reals = reals_of(lines, false);
  std::vector<Real> from(place(s, true, in, x.size(), 3 * points_in), untouched);
  std::vector<Real> to(place(s, false, out, x.size(), 3 * points_out), untouched);
  for (std::size_t line = 0; line < x.size(); ++line)
    for (std::int64_t p = 0; p < points_in; ++p)
      std::memcpy(&from[place(s, true, in, line, p)],
                  &x[line][static_cast<std::size_t>(p) * in_reals], in_reals * sizeof(Real));
  const std::vector<Real> before = from;
  PrefetchQueue queue;
  kernel->run(from.data() + s.shift, to.data() + s.shift, queue);
  EXPECT_EQ(0, std::memcmp(from.data(), before.data(), from.size() * sizeof(Real)));
  std::vector<Line<Real>> y(x.size(), Line<Real>(static_cast<std::size_t>(points_out) * out_reals));
  for (std::size_t line = 0; line < x.size(); ++line)
    for (std::int64_t p = 0; p < points_out; ++p)
      for (std::size_t i = 0; i < out_reals; ++i) {
        Real& value = to[place(s, false, out, line, p) + i];
        y[line][static_cast<std::size_t>(p) * out_reals + i] = value;
        value = untouched;
      }
  EXPECT_TRUE(std::all_of(to.begin(), to.end(), [](Real value) { return value == untouched; }));
  return y;
}

template <class Real>
bool are_equal(const Line<Real>& a, const Line<Real>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

// exp(2 pi i part / n). Those of the last n are kept: they take most of the time of direct sums.
Wide turn(std::int64_t part, std::int64_t n) {
  static std::vector<Wide> turns;
  if (turns.size() != static_cast<std::size_t>(n)) {
    turns.clear();
    for (std::int64_t i = 0; i < n; ++i) {
      const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(i) /
                                static_cast<long double>(n);
      turns.emplace_back(std::cos(angle), std::sin(angle));
    }
  }
  return turns[static_cast<std::size_t>(part % n)];
}

// The largest error of a transformed line, as a part of its largest possible value.
template <class Real>
long double error(const Lines& lines, const Line<Real>& x, const Line<Real>& y) {
  const std::int64_t n = lines.n;
  const auto number = [](const Line<Real>& line, std::int64_t k) {
    return Wide(line[static_cast<std::size_t>(2 * k)], line[static_cast<std::size_t>(2 * k + 1)]);
  };
  long double worst = 0;
  if (lines.kind == LineKind::r2c) {
    for (std::int64_t k = 0; k <= n / 2; ++k) {
      Wide sum = 0;
      for (std::int64_t j = 0; j < n; ++j)
        sum += static_cast<long double>(x[static_cast<std::size_t>(j)]) * turn(n - j * k % n, n);
      worst = std::max(worst, std::abs(sum - number(y, k)));
    }
    return worst / static_cast<long double>(n);
  }
  // The imaginary parts of the first number and, if n is even, of the last are ignored.
  for (std::int64_t j = 0; j < n; ++j) {
    long double sum = x[0];
    if (n % 2 == 0)
      sum += (j % 2 == 0 ? 1 : -1) * static_cast<long double>(number(x, n / 2).real());
    for (std::int64_t k = 1; 2 * k < n; ++k) sum += 2 * (number(x, k) * turn(j * k, n)).real();
    worst = std::max(worst, std::abs(sum - y[static_cast<std::size_t>(j)]));
  }
  return worst / static_cast<long double>(n);
}

template <class Real>
std::vector<Line<Real>> random_lines(const Lines& lines, std::size_t count, Dice& dice) {
  const auto reals = static_cast<std::size_t>(stored(lines, true)) * reals_of(lines, true);
  std::vector<Line<Real>> x(count, Line<Real>(reals));
  for (auto& line : x)
    for (Real& value : line) value = static_cast<Real>(dice.between(-1000, 1000)) / 1000;
  return x;
}

template <class Real>
Lines lines_of(LineKind kind, std::int64_t n) {
  Lines lines;
  lines.kind = kind;
  lines.precision = sizeof(Real) == 4 ? Precision::single_precision : Precision::double_precision;
  lines.sign = kind == LineKind::r2c ? -1 : 1;
  lines.n = n;
  return lines;
}

template <class Real>
std::vector<std::int64_t> lengths() {
  // Halves with each radix, odd ones, those that do not fill blocks, and those that fill none.
  std::vector<std::int64_t> all{24,  30,  32,  36,  40,  48,  50,  54,  60,  72,  80,  90,  96, 108,
                                120, 128, 144, 150, 160, 162, 180, 192, 200, 216, 240, 250, 256};
  if (sizeof(Real) == 4) all.insert(all.end(), {270, 300, 320, 360, 384});
  // Odd ones, and those by Rader's and by Bluestein's convolution, odd and even.
  all.insert(all.end(),
             {25, 63, 125, 243, 98, 112, 19, 31, 101, 257, 23, 51, 127, 263, 62, 202, 46, 94});
  return all;
}

template <class Real>
void check_sums_and_layouts(int bits, LineKind kind, long double tolerance,
                            const std::vector<std::int64_t>& all = lengths<Real>()) {
  Dice dice(static_cast<std::uint64_t>(bits));
  for (const std::int64_t n : all) {
    const Lines lines = lines_of<Real>(kind, n);
    const auto x = random_lines<Real>(lines, 35, dice);
    const auto y = run<Real>({lines, bits}, x);
    // Two transforms and three products instead of one transform.
    const bool is_convolved = convolution_length(n % 2 == 0 ? n / 2 : n) > 0;
    for (const std::size_t line : {0, 7, 16, 34})
      EXPECT_LT(error(lines, x[line], y[line]), is_convolved ? 2 * tolerance : tolerance) << n;
    for (const std::size_t count : {1, 2, 3, 5, 8, 16, 19})
      for (const Lie in : all_lies)
        for (const Lie out : all_lies) {
          const std::vector some(x.end() - static_cast<std::ptrdiff_t>(count), x.end());
          const auto again = run<Real>({lines, bits, in, out, static_cast<int>(count % 3)}, some);
          for (std::size_t line = 0; line < count; ++line)
            ASSERT_TRUE(are_equal(again[line], y[35 - count + line]))
                << n << " points, line " << line << " of " << count << ", " << bits
                << " bits, layouts " << static_cast<int>(in) << static_cast<int>(out);
        }
  }
}

template <class Real>
void check_in_place(int bits, LineKind kind) {
  Dice dice(7);
  for (std::int64_t n : {24, 32, 48, 50, 100, 256, 75, 101, 127, 254, bits == 512 ? 1024 : 64})
    for (const std::int64_t count : {1, 3, 8, 21}) {
      Lines lines = lines_of<Real>(kind, n);
      const auto x = random_lines<Real>(lines, static_cast<std::size_t>(count), dice);
      const auto apart = run<Real>({lines, bits}, x);
      const std::int64_t pitch = n / 2 + 1;
      const bool from_real = kind == LineKind::r2c;
      lines.loops = {{count, from_real ? 2 * pitch : pitch, from_real ? pitch : 2 * pitch}};
      std::vector<Real> both(static_cast<std::size_t>(2 * pitch * count));
      for (std::size_t line = 0; line < x.size(); ++line)
        std::copy(x[line].begin(), x[line].end(),
                  both.begin() + static_cast<std::ptrdiff_t>(line) * 2 * pitch);
      PrefetchQueue queue;
      make_lanes(lines, bits)->run(both.data(), both.data(), queue);
      for (std::size_t line = 0; line < x.size(); ++line) {
        const auto begin = both.begin() + static_cast<std::ptrdiff_t>(line) * 2 * pitch;
        const auto size = static_cast<std::ptrdiff_t>(apart[line].size());
        EXPECT_TRUE(are_equal(Line<Real>(begin, begin + size), apart[line])) << n;
      }
    }
}

template <class Real>
void check_strange_neighbours(int bits, LineKind kind) {
  Dice dice(8);
  using Limits = std::numeric_limits<Real>;
  const std::size_t count = 21;
  for (const std::int64_t n : {24, 60, 128, 75, 101, 127, 254})
    for (const Real strange : {Limits::quiet_NaN(), Limits::infinity(), Limits::denorm_min()})
      for (const std::size_t at : {0, 5, 16, 20}) {
        const Lines lines = lines_of<Real>(kind, n);
        const auto x = random_lines<Real>(lines, count, dice);
        auto changed = x;
        std::fill(changed[at].begin() + 1, changed[at].end(), strange);
        for (const Lie lie : all_lies) {
          const auto y = run<Real>({lines, bits, lie, lie}, x);
          const auto z = run<Real>({lines, bits, lie, lie}, changed);
          for (std::size_t line = 0; line < count; ++line)
            EXPECT_EQ(line == at, !are_equal(y[line], z[line])) << n << " points, line " << line;
        }
      }
}

// Lines of which a part is stored equal whole ones with zeros.
template <class Real>
void check_kept(int bits, LineKind kind) {
  Dice dice(9);
  for (const std::int64_t n : {24, 32, 48, 90, 128, 75, 101, 127, 254}) {
    const Lines whole = lines_of<Real>(kind, n);
    const std::int64_t points_in = stored(whole, true), points_out = stored(whole, false);
    for (const KeptPoints& in : {KeptPoints{points_in, 0, 0},
                                 {n / 3, 0, 0},
                                 {std::min<std::int64_t>(17, n / 3), 3, 8},
                                 {5, 0, 5}})
      for (const KeptPoints& out : {KeptPoints{points_out, 0, 0},
                                    {n / 3, 0, 0},
                                    {std::min<std::int64_t>(17, n / 3), 3, 8},
                                    {5, 0, 5}}) {
        Lines lines = whole;
        lines.kept = LineEnds{in, out};
        const auto x = random_lines<Real>(lines, 11, dice);
        const std::size_t in_reals = reals_of(lines, true), out_reals = reals_of(lines, false);
        const auto filled = [&](const Line<Real>& part) {
          Line<Real> line(static_cast<std::size_t>(points_in) * in_reals);
          for (std::int64_t i = 0; i < in.count; ++i)
            std::copy_n(
                part.begin() + i * static_cast<std::ptrdiff_t>(in_reals), in_reals,
                line.begin() + in.position(i, points_in) * static_cast<std::ptrdiff_t>(in_reals));
          return line;
        };
        std::vector<Line<Real>> wholes;
        for (const auto& part : x) wholes.push_back(filled(part));
        const auto y = run<Real>({whole, bits}, wholes);
        for (const Lie lie : all_lies) {
          const auto z = run<Real>({lines, bits, lie, lie}, x);
          for (std::size_t line = 0; line < x.size(); ++line)
            for (std::int64_t i = 0; i < out.count * static_cast<std::int64_t>(out_reals); ++i) {
              const auto reals = static_cast<std::int64_t>(out_reals);
              const auto from =
                  static_cast<std::size_t>(out.position(i / reals, points_out) * reals + i % reals);
              ASSERT_EQ(z[line][static_cast<std::size_t>(i)], y[line][from]) << n << " " << i;
            }
        }
      }
  }
}

// Contiguous lines that are longer than those, of which adjacent points are in the lanes.
template <class Real>
void check_adjacent_points(LineKind kind, long double tolerance) {
  constexpr int bits = 512;
  Dice dice(10);
  for (const std::int64_t n : {768, 800, 1472}) {
    const Lines lines = lines_of<Real>(kind, n);
    const auto x = random_lines<Real>(lines, 9, dice);
    const auto y = run<Real>({lines, bits}, x);
    EXPECT_LT(error(lines, x[7], y[7]), tolerance) << n;
    for (const std::size_t count : {1, 2, 5}) {
      std::vector some(x.end() - static_cast<std::ptrdiff_t>(count), x.end());
      some.front()[some.front().size() / 2] = std::numeric_limits<Real>::quiet_NaN();
      const auto again = run<Real>({lines, bits, Lie::rows, Lie::rows, 1}, some);
      for (std::size_t line = 0; line < count; ++line)
        EXPECT_EQ(line > 0, are_equal(again[line], y[9 - count + line])) << n << " of " << count;
    }
  }
}

template <class Check>
void for_each_width_and_kind(const Check& check) {
  for (const int bits : {256, 512})
    if (!no_lanes(bits))
      for (const LineKind kind : {LineKind::r2c, LineKind::c2r}) check(bits, kind);
}

}  // namespace

TEST(RealLanes, equal_direct_sums_bit_by_bit_however_lines_lie) {
  for_each_width_and_kind([](int bits, LineKind kind) {
    check_sums_and_layouts<double>(bits, kind, 1e-16L);
    check_sums_and_layouts<float>(bits, kind, 1e-7L);
  });
}

TEST(RealLanes, of_256_bits_work_without_avx512) {
  if (no_lanes(256)) GTEST_SKIP() << *no_lanes(256);
  pretend_at_most(VectorSet::avx2);
  if (!no_lanes(256))
    for (const LineKind kind : {LineKind::r2c, LineKind::c2r}) {
      check_sums_and_layouts<double>(256, kind, 1e-16L);
      check_sums_and_layouts<float>(256, kind, 1e-7L);
      check_sums_and_layouts<double>(256, kind, 1e-16L, {300, 320, 486, 512, 768});
      check_sums_and_layouts<float>(256, kind, 1e-7L, {512, 768});
    }
  pretend_at_most(VectorSet::avx512);
}

TEST(RealLanes, of_adjacent_points_equal_direct_sums_whatever_is_beside_them) {
  if (no_lanes(512)) GTEST_SKIP() << *no_lanes(512);
  for (const LineKind kind : {LineKind::r2c, LineKind::c2r}) {
    check_adjacent_points<double>(kind, 1e-16L);
    check_adjacent_points<float>(kind, 1e-7L);
  }
}

TEST(RealLanes, work_in_place) {
  for_each_width_and_kind([](int bits, LineKind kind) {
    check_in_place<double>(bits, kind);
    check_in_place<float>(bits, kind);
  });
}

TEST(RealLanes, do_not_pass_nan_or_infinity_on_to_other_lines) {
  for_each_width_and_kind([](int bits, LineKind kind) {
    check_strange_neighbours<double>(bits, kind);
    check_strange_neighbours<float>(bits, kind);
  });
}

TEST(RealLanes, take_lines_of_which_a_part_is_stored) {
  for_each_width_and_kind([](int bits, LineKind kind) {
    check_kept<double>(bits, kind);
    check_kept<float>(bits, kind);
  });
}

TEST(RealLanes, other_lines_are_left_to_fftw) {
  // Too short, with factors that FFTW has steps for, and too long: those of AVX2 take longer ones.
  const bool has_512 = !no_lanes(512);
  for (const int bits : lane_widths())
    for (const std::int64_t n : {15, 17, 20, 28, 34, 91, 196, 286, 360, 1000}) {
      if (no_lanes(bits) || (bits == 512 && n == 1000)) continue;
      if (bits == 256 && n == 360 && !has_512) continue;
      Lines lines = lines_of<double>(LineKind::r2c, n);
      lines.loops = {{8, n, n}};
      EXPECT_EQ(make_lanes(lines, bits), nullptr) << n;
    }
  if (!no_lanes(128)) {
    Lines lines = lines_of<double>(LineKind::r2c, 128);
    lines.loops = {{8, 128, 65}};
    EXPECT_EQ(make_lanes(lines, 128), nullptr);
  }
}
