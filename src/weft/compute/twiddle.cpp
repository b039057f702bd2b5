// compute/twiddle: tables of roots of unity, and multiplying a tile by them.

#include "weft/compute/twiddle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "weft/compute/factor_rows.hpp"

namespace weft {

Twiddle::Twiddle(int axis, std::int64_t points) : axis_(axis) {
  const auto root_of = [&](std::int64_t power) {
    const long double angle = -2 * std::numbers::pi_v<long double> *
                              static_cast<long double>(power) / static_cast<long double>(points);
    return std::complex<double>(static_cast<double>(std::cos(angle)),
                                static_cast<double>(std::sin(angle)));
  };
  while ((std::int64_t{1} << (2 * shift_)) < points) ++shift_;
  const std::int64_t fine = std::int64_t{1} << shift_;
  for (std::int64_t i = 0; i < fine; ++i) fine_roots_.push_back(root_of(i));
  for (std::int64_t i = 0; i * fine < points; ++i) coarse_roots_.push_back(root_of(i * fine));
}

std::complex<double> Twiddle::root(std::int64_t power, int sign) const {
  const std::int64_t below = power & ((std::int64_t{1} << shift_) - 1);
  const std::complex<double> a = fine_roots_[static_cast<std::size_t>(below)];
  const std::complex<double> b = coarse_roots_[static_cast<std::size_t>(power >> shift_)];
  // Without the tests for NaN that the operator of std::complex makes.
  const double im = a.real() * b.imag() + a.imag() * b.real();
  return {a.real() * b.real() - a.imag() * b.imag(), sign < 0 ? im : -im};
}

namespace {

// A factor is the product of two, root(segment * s * j2) and root(k * j2) for k1 = segment * s + k
// and k < segment. So few roots are computed for many points, and which ones does not depend on the
// tile.
constexpr std::int64_t segment = 64;
// The most columns whose roots are held at a time.
constexpr std::int64_t most_columns = 8;

// The axis along which the points of a tile are adjacent in memory; -1 if no two are.
int adjacent_axis(const Layout& layout, const Box& box) {
  for (int a = box.axes() - 1; a >= 0; --a)
    if (layout.strides[a] == 1 && box.extent(a) > 1) return a;
  return -1;
}

// Some roots, for some columns of points with the same j2 or for one.
template <class Real, std::int64_t capacity>
struct Roots {
  std::array<Real, capacity> re, im;
  void set(std::int64_t i, std::complex<double> root) {
    re[static_cast<std::size_t>(i)] = static_cast<Real>(root.real());
    im[static_cast<std::size_t>(i)] = static_cast<Real>(root.imag());
  }
};

}  // namespace

template <class Real>
void Twiddle::apply_as(std::complex<Real>* tile, const Layout& layout, const Box& box,
                       int sign) const {
  const int k_axis = axis_, j_axis = axis_ + 1, inner = adjacent_axis(layout, box);
  const bool has_columns = inner == j_axis, has_lines = inner == k_axis;
  const bool is_between = inner >= 0 && !has_columns && !has_lines;
  const Range ks = box.range(k_axis), js = box.range(j_axis);

  Roots<Real, most_columns> first;
  Roots<Real, most_columns * segment> second;
  FactorRows<Real> rows{};
  rows.first_re = first.re.data();
  rows.first_im = first.im.data();
  rows.first_varies = has_columns;
  rows.second_varies = has_columns || has_lines;
  rows.row_stride = 2 * layout.strides[k_axis];

  // Multiplies the points of a few columns and a segment, for every index of the other axes.
  Dims at = Dims::filled(box.axes(), 0);
  const auto multiply_all = [&] {
    while (true) {
      rows.data = reinterpret_cast<Real*>(tile + layout.at(at));
      multiply_rows(rows);
      int a = box.axes() - 1;
      for (; a >= 0; --a) {
        if (a == k_axis || a == j_axis || a == inner) continue;
        if (++at[a] < box.extent(a)) break;
        at[a] = 0;
      }
      if (a < 0) return;
    }
  };
  for (std::int64_t j = js.lo, columns = 1; j < js.hi; j += columns) {
    columns = has_columns ? std::min(most_columns, js.hi - j) : 1;
    for (std::int64_t k = 0; k < std::min(segment, ks.hi); ++k)
      for (std::int64_t c = 0; c < columns; ++c)
        second.set(k * columns + c, root(k * (j + c), sign));
    for (std::int64_t lo = ks.lo, hi; lo < ks.hi; lo = hi) {
      const std::int64_t begin = lo / segment * segment;
      hi = std::min(begin + segment, ks.hi);
      for (std::int64_t c = 0; c < columns; ++c) first.set(c, root(begin * (j + c), sign));
      rows.second_re = second.re.data() + (lo - begin) * columns;
      rows.second_im = second.im.data() + (lo - begin) * columns;
      rows.rows = has_lines ? 1 : hi - lo;
      rows.count = has_lines ? hi - lo : is_between ? box.extent(inner) : columns;
      at[k_axis] = lo - ks.lo;
      at[j_axis] = j - js.lo;
      multiply_all();
    }
  }
}

void Twiddle::apply(std::byte* tile, const Layout& layout, const Box& box, Precision precision,
                    int sign) const {
  if (precision == Precision::single_precision)
    apply_as(reinterpret_cast<std::complex<float>*>(tile), layout, box, sign);
  else
    apply_as(reinterpret_cast<std::complex<double>*>(tile), layout, box, sign);
}

}  // namespace weft
