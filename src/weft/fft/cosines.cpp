// fft/cosines: gathers lines in another order, transforms them, combines the ends with each other,
// and scatters the results.

#include "weft/fft/cosines.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <numbers>
#include <utility>
#include <vector>

#include "weft/fft/lanes.hpp"

namespace weft {

namespace {

bool is_type_two(Basis kind) { return kind == Basis::dct2 || kind == Basis::dst2; }
bool is_sine(Basis kind) { return kind == Basis::dst2 || kind == Basis::dst3; }

// Where a point of the complex transform is found in a line, and whether its sign is changed there.
struct Place {
  std::int64_t index;
  bool is_negative;
};

// Type II: the even points in their order, then the odd ones in reverse; sines have the signs of
// the odd points changed.
std::vector<Place> folded(std::int64_t n, bool is_sine) {
  std::vector<Place> places(static_cast<std::size_t>(n));
  for (std::int64_t index = 0; index < n; ++index) {
    const bool is_odd = index % 2 == 1;
    const std::int64_t at = is_odd ? n - 1 - index / 2 : index / 2;
    places[static_cast<std::size_t>(at)] = {index, is_sine && is_odd};
  }
  return places;
}
// The frequencies in their order; those of sines in reverse.
std::vector<Place> in_order(std::int64_t n, bool is_sine) {
  std::vector<Place> places(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k)
    places[static_cast<std::size_t>(k)] = {is_sine ? n - 1 - k : k, false};
  return places;
}

// With c and s, the cosine and sine of pi k/2n, and the rows a and b of the points k and n-k, real
// and imaginary parts in turn. Type II, after the transform:
//   a' = (c - is) a + (c + is) b,  b' = i (c - is) a - i (c + is) b
// and type III, before it:
//   a' = (c + is) (a - ib),        b' = (s + ic) (b - ia)
// The same operations for every number, so that results do not depend on its place.
template <class Real>
void combine_two(Real* a, Real* b, std::int64_t width, Real c, Real s) {
  for (std::int64_t i = 0; i < width; i += 2) {
    const Real ar = a[i], ai = a[i + 1], br = b[i], bi = b[i + 1];
    a[i] = c * (ar + br) + s * (ai - bi);
    a[i + 1] = c * (ai + bi) - s * (ar - br);
    b[i] = s * (ar + br) - c * (ai - bi);
    b[i + 1] = s * (ai + bi) + c * (ar - br);
  }
}
template <class Real>
void combine_three(Real* a, Real* b, std::int64_t width, Real c, Real s) {
  for (std::int64_t i = 0; i < width; i += 2) {
    const Real ar = a[i], ai = a[i + 1], br = b[i], bi = b[i + 1];
    a[i] = c * (ar + bi) - s * (ai - br);
    a[i + 1] = c * (ai - br) + s * (ar + bi);
    b[i] = s * (br + ai) - c * (bi - ar);
    b[i + 1] = s * (bi - ar) + c * (br + ai);
  }
}

template <class Real>
class Cosines : public Kernel {
  // Real numbers of a row that are transformed together: two cache lines.
  static constexpr std::int64_t most_width = 128 / sizeof(Real);

 public:
  Cosines(const Lines& lines, int bits)
      : n_(lines.n),
        in_stride_(lines.in_stride),
        out_stride_(lines.out_stride),
        is_two_(is_type_two(lines.real.kind)),
        loops_(lines.loops) {
    if (loops_.empty()) loops_.push_back({1, 1, 1});
    const auto across = std::max_element(
        loops_.begin(), loops_.end(), [](const Lines::Loop& a, const Lines::Loop& b) {
          const auto preference = [](const Lines::Loop& loop) {
            return std::pair((loop.in_stride == 1) + (loop.out_stride == 1), loop.count);
          };
          return preference(a) < preference(b);
        });
    across_ = *across;
    loops_.erase(across);
    width_ = std::min(most_width, (across_.count + 1) / 2 * 2);
    const bool sines = is_sine(lines.real.kind);
    sources_ = is_two_ ? folded(n_, sines) : in_order(n_, sines);
    targets_ = is_two_ ? in_order(n_, sines) : folded(n_, sines);
    for (std::int64_t k = 0; 2 * k <= n_; ++k) {
      const long double angle = std::numbers::pi_v<long double> * static_cast<long double>(k) /
                                static_cast<long double>(2 * n_);
      factors_.push_back(static_cast<Real>(std::cos(angle)));
      factors_.push_back(static_cast<Real>(std::sin(angle)));
    }
    const auto numbers = static_cast<std::size_t>(n_ * width_);
    rows_.reset(static_cast<Real*>(::operator new (numbers * sizeof(Real), std::align_val_t{64})));
    std::fill_n(rows_.get(), numbers, Real(0));
    Lines complex;
    complex.precision = lines.precision;
    complex.sign = is_two_ ? -1 : 1;
    complex.n = n_;
    complex.in_stride = complex.out_stride = width_ / 2;
    complex.loops.push_back({width_ / 2, 1, 1});
    kernel_ = make_lanes(complex, bits);
  }

  void run(void* in, void* out, PrefetchQueue& queue) override {
    run_loops(0, static_cast<const Real*>(in), static_cast<Real*>(out), queue);
  }

 private:
  struct Delete {
    void operator()(Real* data) const { ::operator delete (data, std::align_val_t{64}); }
  };

  void run_loops(std::size_t level, const Real* in, Real* out, PrefetchQueue& queue) {
    if (level == loops_.size()) {
      for (std::int64_t i = 0; i < across_.count; i += width_)
        run_rows(in + i * across_.in_stride, out + i * across_.out_stride,
                 std::min(width_, across_.count - i), queue);
      return;
    }
    const Lines::Loop& loop = loops_[level];
    for (std::int64_t i = 0; i < loop.count; ++i)
      run_loops(level + 1, in + i * loop.in_stride, out + i * loop.out_stride, queue);
  }

  // All of `count` lines is read before any of it is written, so that it also works in place.
  void run_rows(const Real* in, Real* out, std::int64_t count, PrefetchQueue& queue) {
    for (std::int64_t p = 0; p < n_; ++p) {
      const Place& from = sources_[static_cast<std::size_t>(p)];
      copy(row(p), 1, in + from.index * in_stride_, across_.in_stride, count, from.is_negative);
    }
    if (!is_two_) combine();
    kernel_->run(rows_.get(), rows_.get(), queue);
    if (is_two_) combine();
    for (std::int64_t p = 0; p < n_; ++p) {
      const Place& to = targets_[static_cast<std::size_t>(p)];
      copy(out + to.index * out_stride_, across_.out_stride, row(p), 1, count, to.is_negative);
    }
  }

  Real* row(std::int64_t point) { return rows_.get() + point * width_; }

  static void copy(Real* to, std::int64_t to_stride, const Real* from, std::int64_t from_stride,
                   std::int64_t count, bool is_negative) {
    if (is_negative) {
      for (std::int64_t i = 0; i < count; ++i) to[i * to_stride] = -from[i * from_stride];
    } else if (to_stride == 1 && from_stride == 1) {
      std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(Real));
    } else {
      for (std::int64_t i = 0; i < count; ++i) to[i * to_stride] = from[i * from_stride];
    }
  }

  // Point 0 has no partner: type II doubles it, and type III leaves it. The point in the middle of
  // an even number of points is its own.
  void combine() {
    if (is_two_)
      for (std::int64_t i = 0; i < width_; ++i) row(0)[i] *= 2;
    for (std::int64_t k = 1; 2 * k <= n_; ++k) {
      const Real c = factors_[static_cast<std::size_t>(2 * k)];
      const Real s = factors_[static_cast<std::size_t>(2 * k + 1)];
      if (2 * k == n_) {
        combine_middle(row(k), c);
      } else if (is_two_) {
        combine_two(row(k), row(n_ - k), width_, c, s);
      } else {
        combine_three(row(k), row(n_ - k), width_, c, s);
      }
    }
  }
  // Cosine and sine are equal there: type II makes 2c a, and type III (c + ic) (a - ia) = 2c a.
  void combine_middle(Real* a, Real c) {
    for (std::int64_t i = 0; i < width_; ++i) a[i] *= 2 * c;
  }

  std::int64_t n_, in_stride_, out_stride_;
  bool is_two_;
  std::vector<Lines::Loop> loops_;  // but for the one across
  Lines::Loop across_{};
  std::int64_t width_ = 0;
  std::vector<Place> sources_, targets_;
  std::vector<Real> factors_;  // cosine and sine in turn
  std::unique_ptr<Real, Delete> rows_;
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace

bool are_cosines_worthwhile(Basis kind, std::int64_t n, int bits) {
  const bool is_type = is_type_two(kind) || kind == Basis::dct3 || kind == Basis::dst3;
  return is_type && are_lanes_worthwhile(n, bits);
}

std::unique_ptr<Kernel> make_cosines(const Lines& lines, int bits) {
  if (lines.kind != LineKind::r2r || !are_cosines_worthwhile(lines.real.kind, lines.n, bits))
    return nullptr;
  if (lines.precision == Precision::single_precision)
    return std::make_unique<Cosines<float>>(lines, bits);
  return std::make_unique<Cosines<double>>(lines, bits);
}

}  // namespace weft
