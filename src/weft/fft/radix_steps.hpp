// fft/radix_steps: the radix steps of a transform, by decimation in frequency.
// Keeps: the first step reads the caller's lines, and the last one writes them; the steps between
// them work in place in one buffer. Include after all other headers, as fft/butterflies.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "weft/base/prefetch_queue.hpp"
#include "weft/fft/butterflies.hpp"
#include "weft/fft/radices.hpp"

namespace weft::WEFT_LANES {

// One radix step. Steps of all radices of a length make up the transform. A factor is a real for
// all lanes, or a vector of one for each lane.
template <class Factor>
struct RadixStep {
  int radix;
  std::int64_t blocks;      // consecutive blocks in each line of Intermediate
  std::int64_t groups;      // points of a block / radix: the number of butterflies per block
  std::int64_t stride;      // of the points of a butterfly: groups, or more if there is one block
  std::int64_t prefetches;  // cache lines to prefetch per butterfly
  const Factor* factors;    // exp(-2 pi i p k / (radix groups)) for all p < groups, 0 < k < radix
};

// The cache lines that a butterfly prefetches, so that all steps together prefetch as many as they
// transform; a point of a butterfly is two vectors.
inline std::int64_t prefetches_of(int radix, std::size_t steps) {
  constexpr std::int64_t line_bytes = 64;
  const std::int64_t all = static_cast<std::int64_t>(steps) * line_bytes;
  return (2 * vector_bytes * radix + all - 1) / all;
}

template <int radix, class Real, class Factor>
WEFT_INLINE void twiddle(std::array<Values<Real>, radix>& x, const Factor* factors) {
#pragma GCC unroll 16
  for (std::size_t k = 1; k < radix; ++k)
    x[k] = times(x[k], factors[2 * k - 2], factors[2 * k - 1]);
}

// The data between the steps: one line for each frequency of the first step.
template <class Real>
struct Intermediate {
  Values<Real>* data;
  std::int64_t lines, pitch;
};

// The first step, in which each of the caller's lines is one block.
template <int radix, class Real, class In>
__attribute__((noinline)) void run_first(const RadixStep<Real>& step, In in, Intermediate<Real> out,
                                         PrefetchQueue& queue) {
  const std::int64_t groups = step.groups;
  for (std::int64_t p = 0; p < groups; ++p) {
    queue.prefetch(step.prefetches);
    std::array<Values<Real>, radix> x;
#pragma GCC unroll 16
    for (int k = 0; k < radix; ++k) x[static_cast<std::size_t>(k)] = in.get(p + groups * k);
    Butterfly<radix, Real>::run(x);
    twiddle<radix, Real>(x, step.factors + p * 2 * (radix - 1));
#pragma GCC unroll 16
    for (int k = 0; k < radix; ++k) out.data[p + out.pitch * k] = x[static_cast<std::size_t>(k)];
  }
}

// The same for as many adjacent points of a block at a time as In::block_size, as x.get(first) has
// them. The last of them may be computed twice.
template <int radix, class Real, class In>
__attribute__((noinline)) void run_first_by_blocks(const RadixStep<Real>& step, In in,
                                                   Intermediate<Real> out, PrefetchQueue& queue) {
  constexpr auto size = static_cast<std::size_t>(In::block_size);
  const std::int64_t groups = step.groups;
  for (std::int64_t first = 0; first < groups; first += In::block_size) {
    const std::int64_t p = std::min(first, groups - In::block_size);
    queue.prefetch(step.prefetches * In::block_size);
    // Too many numbers for the registers, so the butterflies load them again, and are one loop.
    std::array<std::array<Values<Real>, size>, radix> blocks;
#pragma GCC unroll 16
    for (int k = 0; k < radix; ++k) blocks[static_cast<std::size_t>(k)] = in.get(p + groups * k);
#pragma GCC unroll 1
    for (std::size_t i = 0; i < size; ++i) {
      const std::int64_t at = p + static_cast<std::int64_t>(i);
      std::array<Values<Real>, radix> x;
#pragma GCC unroll 16
      for (std::size_t k = 0; k < radix; ++k) x[k] = blocks[k][i];
      Butterfly<radix, Real>::run(x);
      twiddle<radix, Real>(x, step.factors + at * 2 * (radix - 1));
#pragma GCC unroll 16
      for (int k = 0; k < radix; ++k) out.data[at + out.pitch * k] = x[static_cast<std::size_t>(k)];
    }
  }
}

// A step between the first and the last, in place.
template <int radix, class Real>
__attribute__((noinline)) void run_middle(const RadixStep<Real>& step, Intermediate<Real> data,
                                          PrefetchQueue& queue) {
  const std::int64_t groups = step.groups;
  for (std::int64_t line = 0; line < data.lines; ++line)
    for (std::int64_t p = 0; p < groups; ++p)
      for (std::int64_t b = 0; b < step.blocks; ++b) {
        queue.prefetch(step.prefetches);
        Values<Real>* const at = data.data + line * data.pitch + b * groups * radix + p;
        std::array<Values<Real>, radix> x;
#pragma GCC unroll 16
        for (int k = 0; k < radix; ++k) x[static_cast<std::size_t>(k)] = at[step.stride * k];
        Butterfly<radix, Real>::run(x);
        twiddle<radix, Real>(x, step.factors + p * 2 * (radix - 1));
#pragma GCC unroll 16
        for (int k = 0; k < radix; ++k) at[step.stride * k] = x[static_cast<std::size_t>(k)];
      }
}

// Where the last step writes the frequencies: block b has *(first + b) + spacing k, except that
// *first itself is 0 and not, as it is for k > 0, the number of points, if spacing is negative.
struct Frequencies {
  const std::int32_t* first;
  std::int64_t spacing;
};

// The last step, which has no twiddle factors.
template <int radix, class Real, class Out>
__attribute__((noinline)) void run_last(const RadixStep<Real>& step, Frequencies frequencies,
                                        Intermediate<Real> in, Out out, PrefetchQueue& queue) {
  const std::int64_t spacing = frequencies.spacing;
  const std::int32_t* order = frequencies.first;
  for (std::int64_t line = 0; line < in.lines; ++line)
    for (std::int64_t b = 0; b < step.blocks; ++b, ++order) {
      queue.prefetch(step.prefetches);
      const Values<Real>* const at = in.data + line * in.pitch + b * radix;
      std::array<Values<Real>, radix> x;
#pragma GCC unroll 16
      for (int k = 0; k < radix; ++k) x[static_cast<std::size_t>(k)] = at[k];
      Butterfly<radix, Real>::run(x);
      out.put(order == frequencies.first ? 0 : *order, x[0]);
#pragma GCC unroll 16
      for (int k = 1; k < radix; ++k) out.put(*order + spacing * k, x[static_cast<std::size_t>(k)]);
    }
}

// Calls run(std::integral_constant) for the entry of `radices` that equals `radix`.
template <class Run>
WEFT_INLINE void with_radix(int radix, const Run& run) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (void)((radix == radices[i].points &&
            (run(std::integral_constant<int, radices[i].points>()), true)) ||
           ...);
  }
  (std::make_index_sequence<radices.size()>());
}

}  // namespace weft::WEFT_LANES
