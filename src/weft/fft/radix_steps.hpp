// fft/lane_stages: the stages of a transform: decimation in frequency, in place in the level-1
// cache between the first, which reads the caller's lines, and the last, which writes them - in
// order, as it may write anywhere. For inclusion behind all other headers, as fft/butterflies.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "weft/base/ahead.hpp"
#include "weft/fft/butterflies.hpp"
#include "weft/fft/radices.hpp"

namespace weft {

// One of the transforms that one after the other make up a whole one.
template <class Real>
struct Stage {
  int radix;
  std::int64_t blocks;  // in each line of Between; they follow each other
  std::int64_t groups;  // points of a block / radix: as many steps a block
  std::int64_t asks;    // cache lines that a step asks for, of what is ahead
  const Real* factors;  // exp(-2 pi i p k / (radix groups)) of all p < groups, 0 < k < radix
};

template <int radix, class Real>
WEFT_INLINE void twiddle(std::array<Values<Real>, radix>& x, const Real* factors) {
#pragma GCC unroll 16
  for (std::size_t k = 1; k < radix; ++k)
    x[k] = times(x[k], factors[2 * k - 2], factors[2 * k - 1]);
}

// What the stages leave to each other: a line for each frequency of the first stage.
template <class Real>
struct Between {
  Values<Real>* data;
  std::int64_t lines, pitch;
};

// The first stage: the caller's lines are one block.
template <int radix, class Real, class In>
__attribute__((noinline)) void run_first(const Stage<Real>& stage, In in, Between<Real> out,
                                         Ahead& ahead) {
  const std::int64_t groups = stage.groups;
  for (std::int64_t p = 0; p < groups; ++p) {
    ahead.ask(stage.asks);
    std::array<Values<Real>, radix> x;
#pragma GCC unroll 16
    for (int k = 0; k < radix; ++k) x[static_cast<std::size_t>(k)] = in.get(p + groups * k);
    Butterfly<radix, Real>::run(x);
    twiddle<radix>(x, stage.factors + p * 2 * (radix - 1));
#pragma GCC unroll 16
    for (int k = 0; k < radix; ++k) out.data[p + out.pitch * k] = x[static_cast<std::size_t>(k)];
  }
}

// Those between, in place.
template <int radix, class Real>
__attribute__((noinline)) void run_middle(const Stage<Real>& stage, Between<Real> data,
                                          Ahead& ahead) {
  const std::int64_t groups = stage.groups;
  for (std::int64_t line = 0; line < data.lines; ++line)
    for (std::int64_t p = 0; p < groups; ++p)
      for (std::int64_t b = 0; b < stage.blocks; ++b) {
        ahead.ask(stage.asks);
        Values<Real>* const at = data.data + line * data.pitch + b * groups * radix + p;
        std::array<Values<Real>, radix> x;
#pragma GCC unroll 16
        for (int k = 0; k < radix; ++k) x[static_cast<std::size_t>(k)] = at[groups * k];
        Butterfly<radix, Real>::run(x);
        twiddle<radix>(x, stage.factors + p * 2 * (radix - 1));
#pragma GCC unroll 16
        for (int k = 0; k < radix; ++k) at[groups * k] = x[static_cast<std::size_t>(k)];
      }
}

// The last stage: no factors; each block holds the frequencies *order + apart k.
template <int radix, class Real, class Out>
__attribute__((noinline)) void run_last(const Stage<Real>& stage, const std::int32_t* order,
                                        Between<Real> in, Out out, Ahead& ahead) {
  const std::int64_t apart = in.lines * stage.blocks;
  for (std::int64_t line = 0; line < in.lines; ++line)
    for (std::int64_t b = 0; b < stage.blocks; ++b, ++order) {
      ahead.ask(stage.asks);
      const Values<Real>* const at = in.data + line * in.pitch + b * radix;
      std::array<Values<Real>, radix> x;
#pragma GCC unroll 16
      for (int k = 0; k < radix; ++k) x[static_cast<std::size_t>(k)] = at[k];
      Butterfly<radix, Real>::run(x);
#pragma GCC unroll 16
      for (int k = 0; k < radix; ++k) out.put(*order + apart * k, x[static_cast<std::size_t>(k)]);
    }
}

// Calls run with the constant that `radix` is.
template <class Run>
WEFT_INLINE void with_radix(int radix, const Run& run) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (void)((radix == radices[i].points &&
            (run(std::integral_constant<int, radices[i].points>()), true)) ||
           ...);
  }
  (std::make_index_sequence<radices.size()>());
}

}  // namespace weft
