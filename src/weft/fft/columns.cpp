// fft/columns: Stockham's algorithm (no reordering), radices 2, 3, 4, 5 and 8, on split parts.

#include "weft/fft/columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>
#include <numbers>
#include <vector>

#include "weft/base/error.hpp"

#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 12)
#define WEFT_COLUMNS 1
#endif

namespace weft {

namespace {

// Lengths of the transforms one after another; empty if n has other factors.
std::vector<int> radices_of(std::int64_t n) {
  std::vector<int> radices;
  int twos = 0;
  for (; n > 0 && n % 2 == 0; n /= 2) ++twos;
  // As few as can be, as equal as can be: 256 is 8 8 4. With 16, which leaves no register free, it
  // took 1.0 to 1.07 ns a point instead of 0.94; with 4 at most 1.03.
  for (int left = (twos + 2) / 3; left > 0; --left) {
    const int share = (twos + left - 1) / left;
    radices.push_back(1 << share);
    twos -= share;
  }
  for (const int prime : {5, 3})
    for (; n > 0 && n % prime == 0; n /= prime) radices.push_back(prime);
  return n == 1 ? radices : std::vector<int>{};
}

}  // namespace

bool are_columns_worthwhile(std::int64_t n) {
  // Shorter ones are one step of FFTW's; longer ones leave the level-1 cache.
  return n > 20 && n <= 1024 && !radices_of(n).empty();
}

#ifdef WEFT_COLUMNS

std::optional<std::string> no_columns() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq"))
    return std::nullopt;
  return "this processor has no AVX-512";
}

// Behind all headers: what they define must run on every processor.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,fma,avx2"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,fma,avx2,prefer-vector-width=256")
#endif
#define WEFT_INLINE inline __attribute__((always_inline))

namespace {

constexpr std::int64_t vector_bytes = 32;

template <class Real>
struct VectorOf;
template <>
struct VectorOf<double> {
  typedef double type __attribute__((vector_size(32)));
};
template <>
struct VectorOf<float> {
  typedef float type __attribute__((vector_size(32)));
};

// A complex number in every lane.
template <class Real>
struct Values {
  using Vector = typename VectorOf<Real>::type;
  Vector re, im;

  friend WEFT_INLINE Values operator+(Values a, Values b) { return {a.re + b.re, a.im + b.im}; }
  friend WEFT_INLINE Values operator-(Values a, Values b) { return {a.re - b.re, a.im - b.im}; }
  friend WEFT_INLINE Values operator*(Real a, Values b) { return {a * b.re, a * b.im}; }
};
template <class Real>
WEFT_INLINE Values<Real> times(Values<Real> a, Real re, Real im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}
template <class Real>
WEFT_INLINE Values<Real> times_minus_i(Values<Real> a) {
  return {a.im, -a.re};
}
// Times exp(-2 pi i / 8), and its cube.
template <class Real>
WEFT_INLINE Values<Real> times_w8(Values<Real> a) {
  constexpr auto half = static_cast<Real>(std::numbers::sqrt2 / 2);
  return {half * (a.re + a.im), half * (a.im - a.re)};
}
template <class Real>
WEFT_INLINE Values<Real> times_w8_cubed(Values<Real> a) {
  constexpr auto half = static_cast<Real>(std::numbers::sqrt2 / 2);
  return {half * (a.im - a.re), -half * (a.re + a.im)};
}

template <class Real>
WEFT_INLINE void transform_4(Values<Real>& a, Values<Real>& b, Values<Real>& c, Values<Real>& d) {
  const auto s = a + c, t = a - c, u = b + d, v = times_minus_i(b - d);
  a = s + u;
  b = t + v;
  c = s - u;
  d = t - v;
}

// The forward transform of `radix` points.
template <int radix, class Real>
WEFT_INLINE void transform(std::array<Values<Real>, radix>& x) {
  if constexpr (radix == 2) {
    const auto sum = x[0] + x[1];
    x[1] = x[0] - x[1];
    x[0] = sum;
  } else if constexpr (radix == 3) {
    constexpr auto sine = static_cast<Real>(std::numbers::sqrt3 / 2);
    const auto sum = x[1] + x[2], t = x[0] - Real(0.5) * sum;
    const auto v = times_minus_i(sine * (x[1] - x[2]));
    x[0] = x[0] + sum;
    x[1] = t + v;
    x[2] = t - v;
  } else if constexpr (radix == 4) {
    transform_4(x[0], x[1], x[2], x[3]);
  } else if constexpr (radix == 5) {
    // Cosines and sines of 2 pi / 5 and 4 pi / 5.
    constexpr auto c1 = static_cast<Real>(0.309016994374947424102293417182819059),
                   c2 = static_cast<Real>(-0.809016994374947424102293417182819059),
                   s1 = static_cast<Real>(0.951056516295153572116439333379382143),
                   s2 = static_cast<Real>(0.587785252292473129168705954639072769);
    const auto a = x[1] + x[4], b = x[2] + x[3], c = x[1] - x[4], d = x[2] - x[3];
    const auto t1 = x[0] + c1 * a + c2 * b, t2 = x[0] + c2 * a + c1 * b;
    const auto v1 = times_minus_i(s1 * c + s2 * d), v2 = times_minus_i(s2 * c - s1 * d);
    x[0] = x[0] + a + b;
    x[1] = t1 + v1;
    x[2] = t2 + v2;
    x[3] = t2 - v2;
    x[4] = t1 - v1;
  } else {
    static_assert(radix == 8);
    transform_4(x[0], x[2], x[4], x[6]);
    transform_4(x[1], x[3], x[5], x[7]);
    const auto e0 = x[0], e1 = x[2], e2 = x[4], e3 = x[6];
    const auto o0 = x[1], o1 = times_w8(x[3]), o2 = times_minus_i(x[5]), o3 = times_w8_cubed(x[7]);
    x = {e0 + o0, e1 + o1, e2 + o2, e3 + o3, e0 - o0, e1 - o1, e2 - o2, e3 - o3};
  }
}

// The caller's columns: as many as there are lanes, or fewer. Real and imaginary parts change
// places for the inverse transform, both as they come in and as they go out.
template <class Real, bool forward, bool whole>
struct Columns {
  using Vector = typename VectorOf<Real>::type;
  static constexpr int lanes = vector_bytes / sizeof(Real);
  Real* data;
  std::int64_t stride;  // of points, in reals
  std::int64_t columns;

  WEFT_INLINE Values<Real> get(std::int64_t point) const {
    Vector low{}, high{};
    const Real* from = data + point * stride;
    if constexpr (whole) {
      std::memcpy(&low, from, sizeof(low));
      std::memcpy(&high, from + lanes, sizeof(high));
    } else {
      alignas(64) std::array<Real, 2 * lanes> all{};
      for (std::int64_t i = 0; i < 2 * columns; ++i) all[static_cast<std::size_t>(i)] = from[i];
      std::memcpy(&low, all.data(), sizeof(low));
      std::memcpy(&high, all.data() + lanes, sizeof(high));
    }
    Vector re, im;
    if constexpr (lanes == 4) {
      re = __builtin_shufflevector(low, high, 0, 4, 2, 6);
      im = __builtin_shufflevector(low, high, 1, 5, 3, 7);
    } else {
      re = __builtin_shufflevector(low, high, 0, 2, 8, 10, 4, 6, 12, 14);
      im = __builtin_shufflevector(low, high, 1, 3, 9, 11, 5, 7, 13, 15);
    }
    if constexpr (forward) return {re, im};
    return {im, re};
  }
  WEFT_INLINE void put(std::int64_t point, Values<Real> values) const {
    const Vector re = forward ? values.re : values.im, im = forward ? values.im : values.re;
    Vector low, high;
    if constexpr (lanes == 4) {
      low = __builtin_shufflevector(re, im, 0, 4, 2, 6);
      high = __builtin_shufflevector(re, im, 1, 5, 3, 7);
    } else {
      low = __builtin_shufflevector(re, im, 0, 8, 1, 9, 4, 12, 5, 13);
      high = __builtin_shufflevector(re, im, 2, 10, 3, 11, 6, 14, 7, 15);
    }
    Real* to = data + point * stride;
    if constexpr (whole) {
      std::memcpy(to, &low, sizeof(low));
      std::memcpy(to + lanes, &high, sizeof(high));
    } else {
      alignas(64) std::array<Real, 2 * lanes> all;
      std::memcpy(all.data(), &low, sizeof(low));
      std::memcpy(all.data() + lanes, &high, sizeof(high));
      for (std::int64_t i = 0; i < 2 * columns; ++i) to[i] = all[static_cast<std::size_t>(i)];
    }
  }
};

// Between two stages.
template <class Real>
struct Scratch {
  Values<Real>* data;
  WEFT_INLINE Values<Real> get(std::int64_t point) const { return data[point]; }
  WEFT_INLINE void put(std::int64_t point, Values<Real> values) const { data[point] = values; }
};

// Everything a stage needs; `behind` is the product of the radices before it.
template <class Real>
struct Stage {
  std::int64_t groups, behind;
  const Real* factors;  // exp(-2 pi i p k / (radix groups)) of all p < groups, 0 < k < radix
};

template <int radix, class Real, class In, class Out>
__attribute__((noinline)) void run_stage(const Stage<Real>& stage, In in, Out out, Ahead& ahead) {
  const std::int64_t groups = stage.groups, behind = stage.behind;
  for (std::int64_t p = 0; p < groups; ++p) {
    const Real* factors = stage.factors + p * 2 * (radix - 1);
    for (std::int64_t q = 0; q < behind; ++q) {
      ahead.ask();
      std::array<Values<Real>, radix> x;
#pragma GCC unroll 8
      for (int k = 0; k < radix; ++k)
        x[static_cast<std::size_t>(k)] = in.get(q + behind * (p + groups * k));
      transform<radix>(x);
      // The last stage has one group, and all its factors are 1.
      if constexpr (std::is_same_v<Out, Scratch<Real>>) {
#pragma GCC unroll 8
        for (int k = 1; k < radix; ++k)
          x[static_cast<std::size_t>(k)] =
              times(x[static_cast<std::size_t>(k)], factors[2 * k - 2], factors[2 * k - 1]);
      }
#pragma GCC unroll 8
      for (int k = 0; k < radix; ++k)
        out.put(q + behind * (radix * p + k), x[static_cast<std::size_t>(k)]);
    }
  }
}

template <class Real, class In, class Out>
void run_stage(int radix, const Stage<Real>& stage, In in, Out out, Ahead& ahead) {
  switch (radix) {
    case 2:
      return run_stage<2>(stage, in, out, ahead);
    case 3:
      return run_stage<3>(stage, in, out, ahead);
    case 4:
      return run_stage<4>(stage, in, out, ahead);
    case 5:
      return run_stage<5>(stage, in, out, ahead);
    default:
      return run_stage<8>(stage, in, out, ahead);
  }
}

template <class Real>
class ColumnsKernel : public Kernel {
 public:
  ColumnsKernel(const Lines& lines, std::size_t across)
      : columns_(lines.loops[across].count),
        in_stride_(2 * lines.in_stride),
        out_stride_(2 * lines.out_stride),
        is_forward_(lines.sign < 0),
        radices_(radices_of(lines.n)),
        loops_(lines.loops) {
    loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(across));
    std::int64_t behind = 1;
    std::vector<std::size_t> begins;
    for (const int radix : radices_) {
      const std::int64_t length = lines.n / behind, groups = length / radix;
      begins.push_back(factors_.size());
      for (std::int64_t p = 0; p < groups; ++p)
        for (int k = 1; k < radix; ++k) {
          const long double angle = -2 * std::numbers::pi_v<long double> *
                                    static_cast<long double>(p * k % length) /
                                    static_cast<long double>(length);
          factors_.push_back(static_cast<Real>(std::cos(angle)));
          factors_.push_back(static_cast<Real>(std::sin(angle)));
        }
      stages_.push_back({groups, behind, nullptr});
      behind *= radix;
    }
    for (std::size_t i = 0; i < stages_.size(); ++i)
      stages_[i].factors = factors_.data() + begins[i];
    const auto bytes = static_cast<std::size_t>(lines.n) * sizeof(Values<Real>);
    const std::size_t buffers = std::min<std::size_t>(2, radices_.size() - 1);
    scratch_.reset(static_cast<std::byte*>(
        ::operator new (std::max<std::size_t>(1, buffers) * bytes, std::align_val_t{64})));
    for (std::size_t i = 0; i < 2; ++i)
      buffers_[i] = {
          reinterpret_cast<Values<Real>*>(scratch_.get() + (i < buffers ? i : 0) * bytes)};
  }

  void run(void* in, void* out, Ahead& ahead) override {
    run_loops(0, static_cast<Real*>(in), static_cast<Real*>(out), ahead);
  }

 private:
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{64}); }
  };

  void run_loops(std::size_t level, Real* in, Real* out, Ahead& ahead) {
    if (level == loops_.size()) {
      if (is_forward_)
        run_columns<true>(in, out, ahead);
      else
        run_columns<false>(in, out, ahead);
      return;
    }
    const auto& loop = loops_[level];
    for (std::int64_t i = 0; i < loop.count; ++i)
      run_loops(level + 1, in + 2 * i * loop.in_stride, out + 2 * i * loop.out_stride, ahead);
  }

  template <bool forward>
  void run_columns(Real* in, Real* out, Ahead& ahead) {
    std::int64_t i = 0;
    for (; i + lanes <= columns_; i += lanes)
      run_some(Columns<Real, forward, true>{in + 2 * i, in_stride_, lanes},
               Columns<Real, forward, true>{out + 2 * i, out_stride_, lanes}, ahead);
    if (i < columns_)
      run_some(Columns<Real, forward, false>{in + 2 * i, in_stride_, columns_ - i},
               Columns<Real, forward, false>{out + 2 * i, out_stride_, columns_ - i}, ahead);
  }

  // All points of all these columns are read before the first is written: in place is as good.
  template <class Some>
  void run_some(Some in, Some out, Ahead& ahead) {
    const std::size_t last = radices_.size() - 1;
    if (last == 0) {
      run_stage(radices_[0], stages_[0], in, out, ahead);
      return;
    }
    run_stage(radices_[0], stages_[0], in, buffers_[0], ahead);
    for (std::size_t i = 1; i < last; ++i)
      run_stage(radices_[i], stages_[i], buffers_[(i + 1) % 2], buffers_[i % 2], ahead);
    run_stage(radices_[last], stages_[last], buffers_[(last + 1) % 2], out, ahead);
  }

  std::int64_t columns_, in_stride_, out_stride_;
  bool is_forward_;
  std::vector<int> radices_;
  std::vector<Lines::Loop> loops_;
  std::vector<Real> factors_;
  std::vector<Stage<Real>> stages_;
  std::unique_ptr<std::byte, Free> scratch_;
  std::array<Scratch<Real>, 2> buffers_{};
};

}  // namespace

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

std::unique_ptr<Kernel> make_columns(const Lines& lines) {
  if (lines.kind != LineKind::c2c || !are_columns_worthwhile(lines.n)) return nullptr;
  const auto across = std::find_if(
      lines.loops.begin(), lines.loops.end(),
      [](const Lines::Loop& loop) { return loop.in_stride == 1 && loop.out_stride == 1; });
  if (across == lines.loops.end()) return nullptr;
  const auto number = static_cast<std::size_t>(across - lines.loops.begin());
  if (lines.precision == Precision::single_precision)
    return std::make_unique<ColumnsKernel<float>>(lines, number);
  return std::make_unique<ColumnsKernel<double>>(lines, number);
}

#else

std::optional<std::string> no_columns() { return "this build is not for x86-64"; }
std::unique_ptr<Kernel> make_columns(const Lines&) { return nullptr; }

#endif

}  // namespace weft
