// fft/lanes: kernels that take lines by as many as there are lanes, one stage after the other.

#include "weft/fft/lanes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>
#include <numbers>
#include <utility>
#include <vector>

#include "weft/fft/radices.hpp"

#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 12)
#define WEFT_LANES 1
#include <immintrin.h>
#endif

namespace weft {

bool are_lanes_worthwhile(std::int64_t n) {
  // Shorter ones are one step of FFTW's; longer ones leave the level-1 cache.
  return n > 20 && n <= 1024 && !radices_of(n).empty();
}

#ifdef WEFT_LANES

std::optional<std::string> no_lanes() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq"))
    return std::nullopt;
  return "this processor has no AVX-512";
}

}  // namespace weft

// Behind all headers: what they define must run on every processor.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,fma,avx2"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,fma,avx2,prefer-vector-width=256")
#endif
#include "weft/fft/lane_access.hpp"
#include "weft/fft/lane_stages.hpp"

namespace weft {

namespace {

template <class Real>
class LanesKernel : public Kernel {
 public:
  LanesKernel(const Lines& lines, std::size_t across)
      : across_(lines.loops[across]),
        in_stride_(lines.in_stride),
        out_stride_(lines.out_stride),
        is_forward_(lines.sign < 0),
        loops_(lines.loops) {
    loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(across));
    const std::vector<int> all = radices_of(lines.n);
    std::vector<std::size_t> begins;
    std::int64_t blocks = 1;
    for (const int radix : all) {
      const std::int64_t length = lines.n / blocks, groups = length / radix;
      begins.push_back(factors_.size());
      for (std::int64_t p = 0; p < groups; ++p)
        for (int k = 1; k < radix; ++k) {
          const long double angle = -2 * std::numbers::pi_v<long double> *
                                    static_cast<long double>(p * k % length) /
                                    static_cast<long double>(length);
          factors_.push_back(static_cast<Real>(std::cos(angle)));
          factors_.push_back(static_cast<Real>(std::sin(angle)));
        }
      stages_.push_back({radix, blocks / all.front(), groups, asks_of(radix, all.size()), nullptr});
      blocks *= radix;
    }
    for (std::size_t i = 0; i < stages_.size(); ++i)
      stages_[i].factors = factors_.data() + begins[i];
    order_blocks();
    // An odd pitch, so that a step's points do not share the sets of the cache.
    between_ = {nullptr, all.front(), stages_.front().groups | 1};
    memory_.reset(static_cast<Values<Real>*>(::operator new (
        static_cast<std::size_t>(between_.lines * between_.pitch) * sizeof(Values<Real>),
        std::align_val_t{64})));
    between_.data = memory_.get();
  }

  void run(void* in, void* out, Ahead& ahead) override {
    run_loops(0, static_cast<Real*>(in), static_cast<Real*>(out), ahead);
  }

 private:
  static constexpr std::int64_t lanes = vector_bytes / sizeof(Real);
  struct Free {
    void operator()(Values<Real>* memory) const {
      ::operator delete (memory, std::align_val_t{64});
    }
  };

  // A step takes a cache line a point; all stages together ask for as much as is transformed.
  static std::int64_t asks_of(int radix, std::size_t stages) {
    return (radix + static_cast<std::int64_t>(stages) - 1) / static_cast<std::int64_t>(stages);
  }

  // The frequency that the last stage's blocks begin with: the earlier a stage, the lower its
  // digit.
  void order_blocks() {
    order_ = {0};
    std::int64_t below = 1;
    for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
      std::vector<std::int32_t> longer;
      for (const std::int32_t first : order_)
        for (int k = 0; k < stages_[i].radix; ++k)
          longer.push_back(first + static_cast<std::int32_t>(k * below));
      below *= stages_[i].radix;
      order_ = std::move(longer);
    }
  }

  void run_loops(std::size_t level, Real* in, Real* out, Ahead& ahead) {
    if (level == loops_.size()) {
      if (is_forward_)
        run_across<true>(in, out, ahead);
      else
        run_across<false>(in, out, ahead);
      return;
    }
    const auto& loop = loops_[level];
    for (std::int64_t i = 0; i < loop.count; ++i)
      run_loops(level + 1, in + 2 * i * loop.in_stride, out + 2 * i * loop.out_stride, ahead);
  }

  // All points of these lines are read before the first is written: in place is as good.
  template <bool forward>
  void run_across(Real* in, Real* out, Ahead& ahead) {
    for (std::int64_t i = 0; i < across_.count; i += lanes) {
      const std::int64_t count = std::min(lanes, across_.count - i);
      with_side<forward>(in + 2 * i * across_.in_stride, in_stride_, across_.in_stride, count,
                         [&](auto side) {
                           with_radix(stages_.front().radix, [&](auto radix) {
                             run_first<radix()>(stages_.front(), side, between_, ahead);
                           });
                         });
      for (std::size_t s = 1; s + 1 < stages_.size(); ++s)
        with_radix(stages_[s].radix,
                   [&](auto radix) { run_middle<radix()>(stages_[s], between_, ahead); });
      with_side<forward>(
          out + 2 * i * across_.out_stride, out_stride_, across_.out_stride, count, [&](auto side) {
            with_radix(stages_.back().radix, [&](auto radix) {
              run_last<radix()>(stages_.back(), order_.data(), between_, side, ahead);
            });
          });
    }
  }

  // Calls run with the way that `count` of the caller's lines lie.
  template <bool forward, class Run>
  static void with_side(Real* first, std::int64_t points_apart, std::int64_t lines_apart,
                        std::int64_t count, const Run& run) {
    if (lines_apart == 1 && count == lanes)
      run(Beside<Real, forward, true>(first, 2 * points_apart, count));
    else if (lines_apart == 1)
      run(Beside<Real, forward, false>(first, 2 * points_apart, count));
    else
      run(Apart<Real, forward>(first, 2 * points_apart, 2 * lines_apart, count));
  }

  Lines::Loop across_;
  std::int64_t in_stride_, out_stride_;
  bool is_forward_;
  std::vector<Lines::Loop> loops_;
  std::vector<Real> factors_;
  std::vector<Stage<Real>> stages_;
  std::vector<std::int32_t> order_;
  std::unique_ptr<Values<Real>, Free> memory_;
  Between<Real> between_;
};

}  // namespace

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace {

// Whether so many lines that lie apart on both sides, and so go number by number, are faster than
// FFTW's: not multiples of 16, nor short ones, nor so few that lanes stay empty.
bool are_worthwhile_apart(std::int64_t n, std::int64_t lines) {
  return n > 240 && n % 16 != 0 && lines >= 16;
}

}  // namespace

std::unique_ptr<Kernel> make_lanes(const Lines& lines) {
  if (lines.kind != LineKind::c2c || lines.loops.empty() || !are_lanes_worthwhile(lines.n))
    return nullptr;
  // Lines that lie beside each other on both sides, or else the longest loop.
  const auto worth = [](const Lines::Loop& loop) {
    return std::pair((loop.in_stride == 1 ? 1 : 0) + (loop.out_stride == 1 ? 1 : 0), loop.count);
  };
  const auto across = std::max_element(
      lines.loops.begin(), lines.loops.end(),
      [&](const Lines::Loop& a, const Lines::Loop& b) { return worth(a) < worth(b); });
  const bool is_apart = across->in_stride != 1 && across->out_stride != 1;
  if (is_apart && !are_worthwhile_apart(lines.n, across->count)) return nullptr;
  const auto number = static_cast<std::size_t>(across - lines.loops.begin());
  if (lines.precision == Precision::single_precision)
    return std::make_unique<LanesKernel<float>>(lines, number);
  return std::make_unique<LanesKernel<double>>(lines, number);
}

#else

std::optional<std::string> no_lanes() {
  return "this build is not for x86-64, or its compiler is too old (GCC 12 will do)";
}
std::unique_ptr<Kernel> make_lanes(const Lines&) { return nullptr; }

#endif

}  // namespace weft
