// compute/twiddle: the factors between the halves of a split axis, against exp() in long double.

#include "weft/compute/twiddle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "weft/compute/tile_layout.hpp"
#include "weft/fft/processor_family.hpp"

using namespace weft;

namespace {

// Calls visit(index) for every index relative to the box.
template <class Visit>
void for_each_index(const Box& box, const Visit& visit) {
  Dims at = Dims::filled(box.axes(), 0);
  while (true) {
    visit(at);
    int a = box.axes() - 1;
    for (; a >= 0; --a) {
      if (++at[a] < box.extent(a)) break;
      at[a] = 0;
    }
    if (a < 0) return;
  }
}

template <class Real>
std::complex<Real> value_at(const Box& box, const Dims& at) {
  double number = 1;
  for (int a = 0; a < at.size(); ++a)
    number = 0.7 * number + static_cast<double>(box.lo[a] + at[a]) / 9;
  // Zeros of either sign among them, whose sign must not depend on the tile either.
  if ((box.lo[1] + at[1]) % 3 == 0) return {Real(-0.0), static_cast<Real>(std::cos(number))};
  return {static_cast<Real>(std::cos(number)), static_cast<Real>(std::sin(3 * number) + 0.25)};
}

std::complex<long double> factor(std::int64_t power, std::int64_t points, int sign) {
  const long double angle = sign * 2 * std::numbers::pi_v<long double> *
                            static_cast<long double>(power % points) /
                            static_cast<long double>(points);
  return {std::cos(angle), std::sin(angle)};
}

template <class Real>
std::vector<std::complex<Real>> twiddled(const Twiddle& twiddle, const Layout& layout,
                                         const Box& box, int sign) {
  std::vector<std::complex<Real>> data(static_cast<std::size_t>(layout.span()));
  for_each_index(box, [&](const Dims& at) {
    data[static_cast<std::size_t>(layout.at(at))] = value_at<Real>(box, at);
  });
  twiddle.apply(reinterpret_cast<std::byte*>(data.data()), layout, box,
                sizeof(Real) == 4 ? Precision::single_precision : Precision::double_precision,
                sign);
  return data;
}

// `axis` is the first half of an axis of n1 n2 points; axis `fastest` of the tile is contiguous.
template <class Real>
void is_exact(const Box& box, int axis, std::int64_t points, int fastest) {
  const Twiddle twiddle(axis, points);
  const Layout layout = tile_layout(box.extents(), 2 * sizeof(Real), fastest);
  for (const int sign : {-1, 1}) {
    const auto data = twiddled<Real>(twiddle, layout, box, sign);
    long double worst = 0;
    for_each_index(box, [&](const Dims& at) {
      const std::int64_t power = (box.lo[axis] + at[axis]) * (box.lo[axis + 1] + at[axis + 1]);
      const std::complex<long double> value(value_at<Real>(box, at));
      const std::complex<long double> found(data[static_cast<std::size_t>(layout.at(at))]);
      worst = std::max(worst, std::abs(found - value * factor(power, points, sign)));
    });
    EXPECT_LT(worst, 8 * std::numeric_limits<Real>::epsilon())
        << to_string(box) << " axis " << axis << " contiguous " << fastest << " sign " << sign;
  }
}

template <class Real>
void is_exact_in_every_layout(const Box& box, int axis, std::int64_t points) {
  for (int fastest = -1; fastest < box.axes(); ++fastest)
    is_exact<Real>(box, axis, points, fastest);
}

Box box_of(const Dims& lo, const Dims& hi) { return {lo, hi}; }

TEST(Twiddle, factors_of_columns_lines_and_points_between) {
  const std::vector<Box> boxes{box_of({0, 0}, {7, 5}),         box_of({0, 3}, {200, 20}),
                               box_of({0, 100}, {64, 101}),    box_of({0, 0}, {1, 1}),
                               box_of({65, 7}, {130, 24}),     box_of({127, 63}, {129, 65}),
                               box_of({0, 9, 2}, {90, 13, 7}), box_of({3, 1, 0}, {70, 2, 1}),
                               box_of({0, 5, 0}, {130, 6, 3})};
  for (const Box& box : boxes) {
    is_exact_in_every_layout<double>(box, 0, 211 * 113);
    is_exact_in_every_layout<float>(box, 0, 211 * 113);
  }
  for (const Box& box : {box_of({1, 0, 30}, {4, 67, 47}), box_of({0, 60, 0, 1}, {2, 70, 9, 4})}) {
    is_exact_in_every_layout<double>(box, 1, 128 * 128);
    is_exact_in_every_layout<float>(box, 1, 128 * 128);
  }
}

// A first half that is shorter than what is computed at once, and lengths at which a power beyond
// the number of points is far outside of the tables.
TEST(Twiddle, short_first_halves_of_long_axes) {
  for (const std::int64_t first : {1, 2, 3, 5, 7, 9, 13})
    for (const std::int64_t second : {100, 50021}) {
      const Box box = box_of({0, second - 19}, {first, second});
      is_exact_in_every_layout<double>(box, 0, first * second);
      is_exact_in_every_layout<float>(box, 0, first * second);
    }
}

// Neither would ranks of different processors agree.
TEST(Twiddle, a_factor_does_not_depend_on_the_processor) {
  const Twiddle twiddle(0, 200 * 40);
  const Box box = box_of({3, 1}, {140, 30});
  const auto check = [&](auto real) {
    using Real = decltype(real);
    for (const int fastest : {-1, 0}) {
      const Layout layout = tile_layout(box.extents(), 2 * sizeof(Real), fastest);
      const auto usual = twiddled<Real>(twiddle, layout, box, -1);
      for (const VectorSet most : {VectorSet::avx2, VectorSet::baseline}) {
        pretend_at_most(most);
        const auto pretended = twiddled<Real>(twiddle, layout, box, -1);
        pretend_at_most(VectorSet::avx512);
        EXPECT_EQ(0, std::memcmp(usual.data(), pretended.data(), usual.size() * 2 * sizeof(Real)));
      }
    }
  };
  check(double());
  check(float());
}

// Otherwise results would depend on tiles, and so on chunks and ranks.
TEST(Twiddle, a_factor_does_not_depend_on_the_tile) {
  const Twiddle twiddle(0, 200 * 40);
  const Box whole = box_of({0, 0}, {200, 40});
  for (const int fastest : {-1, 0}) {
    const Layout layout = tile_layout(whole.extents(), 16, fastest);
    const auto all = twiddled<double>(twiddle, layout, whole, -1);
    for (const Box& box : {box_of({0, 3}, {200, 14}), box_of({70, 0}, {71, 40}),
                           box_of({63, 39}, {66, 40}), box_of({100, 8}, {200, 11})}) {
      const Layout part = tile_layout(box.extents(), 16, fastest);
      const auto some = twiddled<double>(twiddle, part, box, -1);
      for_each_index(box, [&](const Dims& at) {
        const auto there =
            static_cast<std::size_t>(layout.at({box.lo[0] + at[0], box.lo[1] + at[1]}));
        const auto here = static_cast<std::size_t>(part.at(at));
        EXPECT_EQ(0, std::memcmp(&some[here], &all[there], sizeof(some[here]))) << to_string(box);
      });
    }
  }
}

}  // namespace
