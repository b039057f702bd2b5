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

// A factor is the product of root(segment * s * j2) and of one for k, where k1 = segment * s + k
// and k < segment; and that is the product of root(run * r * j2) and root(i * j2), where k = run *
// r + i and i < run. So few roots are computed for many points, and which ones does not depend on
// the tile.
constexpr std::int64_t segment = 64, run = 8;

// The axis along which the points of a tile are adjacent in memory; -1 if no two are.
int adjacent_axis(const Layout& layout, const Box& box) {
  for (int a = box.axes() - 1; a >= 0; --a)
    if (layout.strides[a] == 1 && box.extent(a) > 1) return a;
  return -1;
}

// Some complex numbers. Aligned, as loads of vectors that lie in two cache lines take longer.
template <class Real, std::size_t capacity>
struct Numbers {
  alignas(64) std::array<Real, capacity> re, im;
  void set(std::int64_t at, std::complex<double> value) {
    re[static_cast<std::size_t>(at)] = static_cast<Real>(value.real());
    im[static_cast<std::size_t>(at)] = static_cast<Real>(value.imag());
  }
};

// The two factors of the roots of some columns of points, each column with a j2 of its own.
template <class Real>
class Roots {
 public:
  /// The second factors of adjacent columns are adjacent, or else those of adjacent points of a
  /// column.
  explicit Roots(bool has_columns) : has_columns_(has_columns) {}

  /// As many as the widest vector has lanes.
  static constexpr std::int64_t most_columns = 64 / sizeof(Real);
  /// Computes the second factors of the first `points` points of any segment; `root(k, column)` is
  /// root(k * j2).
  template <class Root>
  void set_second(std::int64_t columns, std::int64_t points, const Root& root) {
    columns_ = columns;
    // There may be fewer points than in a run, and no roots for the others.
    for (std::int64_t i = 0; i < run; ++i)
      for (std::int64_t c = 0; c < columns; ++c)
        in_run_.set(place(i, c, run), i < points ? root(i, c) : 0);
    for (std::int64_t k = 0; k < points; k += run) {
      for (std::int64_t c = 0; c < columns; ++c) of_run_.set(c, root(k, c));
      if (has_columns_)
        for (std::int64_t i = 0; i < run; ++i)
          set_products<true>(place(k + i, 0, segment), place(i, 0, run), 0, columns);
      else
        for (std::int64_t c = 0; c < columns; ++c)
          set_products<false>(place(k, c, segment), place(0, c, run), c, run);
    }
  }
  /// Computes the first factors of the segment that begins with point k, one for each column.
  template <class Root>
  void set_first(std::int64_t k, const Root& root) {
    for (std::int64_t c = 0; c < columns_; ++c) first_.set(c, root(k, c));
  }
  /// Gives `rows` the factors of `column` and of the following columns, from point k of the segment
  /// on.
  void put(FactorRows<Real>& rows, std::int64_t column, std::int64_t k) const {
    rows.first_re = first_.re.data() + column;
    rows.first_im = first_.im.data() + column;
    rows.second_re = second_.re.data() + place(k, column, segment);
    rows.second_im = second_.im.data() + place(k, column, segment);
  }

 private:
  std::int64_t place(std::int64_t k, std::int64_t column, std::int64_t points) const {
    return has_columns_ ? k * columns_ + column : column * points + k;
  }
  // Products of so many roots in a run, and of the run's root of each column, or of one column.
  template <bool run_varies>
  void set_products(std::int64_t to, std::int64_t from, std::int64_t column, std::int64_t count) {
    const Real *const a_re = in_run_.re.data() + from, *const a_im = in_run_.im.data() + from;
    const Real *const b_re = of_run_.re.data() + column, *const b_im = of_run_.im.data() + column;
    Real *const re = second_.re.data() + to, *const im = second_.im.data() + to;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t b = run_varies ? i : 0;
      re[i] = a_re[i] * b_re[b] - a_im[i] * b_im[b];
      im[i] = a_re[i] * b_im[b] + a_im[i] * b_re[b];
    }
  }

  bool has_columns_;
  std::int64_t columns_ = 0;
  Numbers<Real, most_columns> first_, of_run_;
  Numbers<Real, most_columns * run> in_run_;
  Numbers<Real, most_columns * segment> second_;
};

}  // namespace

template <class Real>
void Twiddle::apply_as(std::complex<Real>* tile, const Layout& layout, const Box& box,
                       int sign) const {
  const int k_axis = axis_, j_axis = axis_ + 1, inner = adjacent_axis(layout, box);
  const bool has_columns = inner == j_axis, has_lines = inner == k_axis;
  const bool is_between = inner >= 0 && !has_columns && !has_lines;
  const Range ks = box.range(k_axis), js = box.range(j_axis);

  Roots<Real> roots(has_columns);
  FactorRows<Real> rows{};
  rows.first_varies = has_columns;
  rows.second_varies = has_columns || has_lines;
  rows.row_stride = 2 * layout.strides[k_axis];

  // Multiplies the points of some columns, or of one, and a segment, for every index of the other
  // axes.
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
  for (std::int64_t j = js.lo, columns = 0; j < js.hi; j += columns) {
    columns = std::min(roots.most_columns, js.hi - j);
    const auto root_of = [&](std::int64_t k, std::int64_t c) { return root(k * (j + c), sign); };
    roots.set_second(columns, std::min(segment, ks.hi), root_of);
    for (std::int64_t lo = ks.lo, hi = 0; lo < ks.hi; lo = hi) {
      const std::int64_t begin = lo / segment * segment;
      hi = std::min(begin + segment, ks.hi);
      roots.set_first(begin, root_of);
      rows.rows = has_lines ? 1 : hi - lo;
      rows.count = has_lines ? hi - lo : is_between ? box.extent(inner) : has_columns ? columns : 1;
      at[k_axis] = lo - ks.lo;
      for (std::int64_t c = 0; c < columns; c += has_columns ? columns : 1) {
        at[j_axis] = j + c - js.lo;
        roots.put(rows, c, lo - begin);
        multiply_all();
      }
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
