// fft/lanes/radix_steps: the radix steps of a transform, by decimation in frequency.
// Keeps: the first step reads the caller's lines, and the last one writes them; the steps between
// them work in place in one buffer. Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "weft/base/prefetch_queue.hpp"
#include "weft/fft/lanes/butterflies.hpp"
#include "weft/fft/lanes/radices.hpp"
#include "weft/fft/lanes/radix_chain.hpp"

namespace weft::WEFT_LANES {

template <class Real, class Factor>
WEFT_INLINE Values<Real> twiddled(Values<Real> x, std::size_t k, const Factor* factors) {
  return k == 0 ? x : times(x, factors[2 * k - 2], factors[2 * k - 1]);
}

// The results of the first step.
template <class Real, class Factor>
WEFT_INLINE Values<Real> twiddled_and_scaled(Values<Real> x, std::size_t k,
                                             const RadixStep<Factor>& step, const Factor* factors) {
  if (k > 0 || !step.is_scaled) return twiddled(x, k, factors);
  const auto scale = in_all_lanes<Real>(step.scale);
  return {scale * x.re, scale * x.im};
}

// The addresses of evenly spaced points of a butterfly. Few of them are in registers: of one for
// each point, a compiler keeps some in vector registers, and loads of the next butterfly wait there
// for the arithmetic of this one.
template <int count, class Element>
class SpacedAddresses {
 public:
  WEFT_INLINE SpacedAddresses(Element* first, std::int64_t step) : step_(step) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < fourths_.size(); ++i, first += 4 * step) {
      asm("" : "+r"(first));  // hides from the compiler how these addresses depend on each other
      fourths_[i] = first;
    }
  }
  WEFT_INLINE Element* operator[](std::size_t k) const {
    return fourths_[k / 4] + static_cast<std::int64_t>(k % 4) * step_;
  }

 private:
  std::array<Element*, (count + 3) / 4> fourths_;  // of points 0, 4, 8, ...
  std::int64_t step_;
};

// Whether `Access` tells the addresses of points.
template <class Access>
concept HasAddresses = requires {
  requires Access::has_addresses;
};

// The points p, p + step, ... of `in`, for p = 0 and, as often as it is advanced, the next p.
template <int radix, class Real, class In>
class PointCursor {
 public:
  WEFT_INLINE PointCursor(const In& in, std::int64_t step) : in_(in), step_(step) {}

  struct Points {
    const In& in;
    std::int64_t step, p;
    WEFT_INLINE Values<Real> operator()(std::size_t k) const {
      return in.get(p + step * static_cast<std::int64_t>(k));
    }
  };
  WEFT_INLINE Points points() const { return {in_, step_, p_}; }
  WEFT_INLINE void advance() { ++p_; }

 private:
  const In& in_;
  std::int64_t step_, p_ = 0;
};
template <int radix, class Real, HasAddresses In>
class PointCursor<radix, Real, In> {
 public:
  WEFT_INLINE PointCursor(const In& in, std::int64_t step)
      : first_(in.address(0)), one_(in.address_step(1)), step_(in.address_step(step)) {}

  using Element = std::remove_pointer_t<decltype(std::declval<In>().address(0))>;

  struct Points {
    SpacedAddresses<radix, Element> from;
    WEFT_INLINE Values<Real> operator()(std::size_t k) const { return In::load(from[k]); }
  };
  WEFT_INLINE Points points() const { return {{first_, step_}}; }
  WEFT_INLINE void advance() { first_ += one_; }

 private:
  Element* first_;
  std::int64_t one_, step_;
};

// Calls run(put), where put(k, x) puts x to point first + step k of `out`, but that of k = 0 to
// point 0 if `has_zero`.
template <int radix, class Real, class Out, class Run>
WEFT_INLINE void with_put(const Out& out, std::int64_t first, std::int64_t step, bool has_zero,
                          const Run& run) {
  if constexpr (HasAddresses<Out>) {
    const SpacedAddresses<radix, std::remove_pointer_t<decltype(out.address(0))>> to(
        out.address(first), out.address_step(step));
    run([&](std::size_t k, Values<Real> x)
            WEFT_INLINE_LAMBDA { Out::store(k == 0 && has_zero ? out.address(0) : to[k], x); });
  } else {
    run([&](std::size_t k, Values<Real> x) WEFT_INLINE_LAMBDA {
      out.put(k == 0 && has_zero ? 0 : first + step * static_cast<std::int64_t>(k), x);
    });
  }
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
  PointCursor<radix, Real, In> from(in, step.groups);
  const Real* factors = step.factors;
  Values<Real>* const end = out.data + step.groups;
  for (; out.data < end; ++out.data, from.advance(), factors += 2 * (radix - 1)) {
    queue.prefetch(step.prefetches);
    const SpacedAddresses<radix, Values<Real>> to(out.data, out.pitch);
    Butterfly<radix, Real>::run(from.points(),
                                [&](std::size_t k, Values<Real> x) WEFT_INLINE_LAMBDA {
                                  *to[k] = twiddled_and_scaled(x, k, step, factors);
                                });
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
// Unrolled, the longest vectors take as long, and the compiler twice as long.
#if WEFT_LANES_BYTES == 64
#pragma GCC unroll 1
#else
#pragma GCC unroll 16
#endif
    for (int k = 0; k < radix; ++k) blocks[static_cast<std::size_t>(k)] = in.get(p + groups * k);
#pragma GCC unroll 1
    for (std::size_t i = 0; i < size; ++i) {
      const std::int64_t at = p + static_cast<std::int64_t>(i);
      const SpacedAddresses<radix, Values<Real>> to(out.data + at, out.pitch);
      const Real* const factors = step.factors + at * 2 * (radix - 1);
      Butterfly<radix, Real>::run(
          [&](std::size_t k) WEFT_INLINE_LAMBDA { return loaded(blocks[k][i]); },
          [&](std::size_t k, Values<Real> x)
              WEFT_INLINE_LAMBDA { *to[k] = twiddled_and_scaled(x, k, step, factors); });
    }
  }
}

// A step between the first and the last, in place: line by line, in each of which all butterflies
// are one loop.
template <int radix, class Real>
__attribute__((noinline)) void run_middle(const RadixStep<Real>& step, Intermediate<Real> data,
                                          PrefetchQueue& queue) {
  const std::int64_t to_next_block = step.groups * (radix - 1);
  for (std::int64_t line = 0; line < data.lines; ++line, data.data += data.pitch) {
    Values<Real>* first = data.data;
    const Real* factors = step.factors;
    std::int64_t left = step.groups;  // in this block
    for (std::int64_t i = step.blocks * step.groups; i > 0; --i, ++first) {
      queue.prefetch(step.prefetches);
      const SpacedAddresses<radix, Values<Real>> at(first, step.stride);
      Butterfly<radix, Real>::run([&](std::size_t k) WEFT_INLINE_LAMBDA { return loaded(*at[k]); },
                                  [&](std::size_t k, Values<Real> x)
                                      WEFT_INLINE_LAMBDA { *at[k] = twiddled(x, k, factors); });
      factors += 2 * (radix - 1);
      if (--left > 0) continue;
      left = step.groups;
      factors = step.factors;
      first += to_next_block;
    }
  }
}

// The blocks of the last step, which are its butterflies: block after block, line after line, but
// in one loop, as two would keep more in registers than there are.
template <int radix, class Real>
class BlockCursor {
 public:
  WEFT_INLINE BlockCursor(Intermediate<Real> in, std::int64_t blocks)
      : at_(in.data), blocks_(blocks), left_(blocks), between_(in.pitch - blocks * radix) {}

  WEFT_INLINE Values<Real> operator()(std::size_t k) const { return loaded(at_[k]); }
  WEFT_INLINE void advance() {
    at_ += radix;
    if (--left_ > 0) return;
    left_ = blocks_;
    at_ += between_;
  }

 private:
  const Values<Real>* at_;
  std::int64_t blocks_, left_, between_;
};

// The butterflies of the last step, which have no twiddle factors, for the lines of `in`.
template <int radix, class Real, class Out>
WEFT_INLINE void run_last_butterflies(const RadixStep<Real>& step, Frequencies frequencies,
                                      Intermediate<Real> in, const Out& out, PrefetchQueue& queue) {
  BlockCursor<radix, Real> block(in, step.blocks);
  const std::int32_t* const end = frequencies.first + in.lines * step.blocks;
  for (const std::int32_t* order = frequencies.first; order < end; ++order, block.advance()) {
    queue.prefetch(step.prefetches);
    with_put<radix, Real>(out, *order, frequencies.spacing, order == frequencies.first,
                          [&](const auto& put)
                              WEFT_INLINE_LAMBDA { Butterfly<radix, Real>::run(block, put); });
  }
}

// The last step.
template <int radix, class Real, class Out>
__attribute__((noinline)) void run_last(const RadixStep<Real>& step, Frequencies frequencies,
                                        Intermediate<Real> in, Out out, PrefetchQueue& queue) {
  run_last_butterflies<radix, Real>(step, frequencies, in, out, queue);
}

// Calls run(std::integral_constant) for the entry of `radices` that equals `radix`, of those from
// `least` to `most`.
template <int least, int most, class Run>
WEFT_INLINE void with_radix(int radix, const Run& run) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (void)([&] {
      constexpr int points = radices[i].points;
      if constexpr (points >= least && points <= most) {
        if (radix != points) return false;
        run(std::integral_constant<int, points>());
        return true;
      }
      return false;
    }() || ...);
  }
  (std::make_index_sequence<radices.size()>());
}

template <class Run>
WEFT_INLINE void with_early_radix(int radix, const Run& run) {
  with_radix<radices.front().points, longest_early_radix>(radix, run);
}
template <class Run>
WEFT_INLINE void with_last_radix(int radix, const Run& run) {
  with_radix<shortest_last_radix, radices.back().points>(radix, run);
}

}  // namespace weft::WEFT_LANES
