// device/line_kernel: loads tiles of adjacent lines from wherever they lie, transforms them in
// registers and in the memory that the threads of a block share, and stores them to wherever they
// go: one walk over memory.
// Source: Stockham's self-sorting steps, as in C. Van Loan, Computational Frameworks for the FFT,
// section 1.7; real lines of even length as complex ones of half their length, ibid. section 4.3.
// Keeps: the same source for compilers of devices and of processors. `Group` is the block of
// threads that runs it: thread(), threads(), block(), blocks() and sync(). Every thread comes to
// every sync().
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>

#include "weft/device/line_arguments.hpp"

#define WEFT_LANES device_lanes
#define WEFT_LANES_BYTES 0
#include "weft/fft/lanes/butterflies.hpp"
// After the other butterflies.
#include "weft/device/prime_butterflies.hpp"

namespace weft::device_lanes {

WEFT_INLINE std::int32_t quotient(std::int32_t number, const Divisor& by) {
  return static_cast<std::int32_t>((static_cast<std::uint64_t>(number) * by.reciprocal) >> 32U);
}

template <class Real>
WEFT_INLINE Values<Real> conjugate(Values<Real> x) {
  return {x.re, -x.im};
}
template <class Real>
WEFT_INLINE Values<Real> swapped(Values<Real> x) {
  return {x.im, x.re};
}

/// The lines of a tile while a block of threads works on them.
template <class Real, class Group>
class LineTileRun {
 public:
  using Complex = Values<Real>;

  WEFT_INLINE LineTileRun(const Group& group, const LineArguments<Real>& arguments,
                          const LineTile& tile, Complex* memory)
      : group_(group), to_(arguments), shape_(arguments.shape), tile_(tile), memory_(memory) {}

  WEFT_INLINE void run() const {
    load();
    group_.sync();
    if (shape_.form == LineForm::c2r) complete_spectra();
    for (int i = 0; i < shape_.steps; ++i) run_step(shape_.step[static_cast<std::size_t>(i)]);
    store();
    group_.sync();
  }

 private:
  WEFT_INLINE std::int32_t place(std::int32_t point, std::int32_t line) const {
    return point * shape_.point_stride + line * shape_.line_stride;
  }

  // Calls each(element, point, line) for all elements of a part: the thread's share.
  template <class Each>
  WEFT_INLINE void for_each_element(const LinePart& part, const Each& each) const {
    const std::int32_t count = part.points * part.lines;
    for (std::int32_t i = group_.thread(); i < count; i += group_.threads()) {
      const std::int32_t slow = quotient(i, part.by_fastest);
      const std::int32_t fast = i - slow * static_cast<std::int32_t>(part.by_fastest.divisor);
      const std::int32_t point = part.lines_first != 0 ? slow : fast,
                         line = part.lines_first != 0 ? fast : slow;
      each(part.far + point * part.far_point + line * part.far_line, part.first_point + point,
           part.first_line + line);
    }
  }

  WEFT_INLINE void load() const {
    if (tile_.loads_all == 0) {
      const std::int32_t count = shape_.lines_first != 0 ? shape_.point_stride * stored_points()
                                                         : shape_.line_stride * shape_.lines;
      for (std::int32_t i = group_.thread(); i < count; i += group_.threads())
        memory_[i] = Complex{0, 0};
      group_.sync();
    }
    for (std::int32_t i = 0; i < tile_.sources; ++i) load_part(to_.parts[tile_.first_source + i]);
  }
  // Complex numbers of a line that a tile has room for.
  WEFT_INLINE std::int32_t stored_points() const {
    return shape_.complex_points + (shape_.form == LineForm::c2r && shape_.is_even_real() ? 1 : 0);
  }
  WEFT_INLINE void load_part(const LinePart& part) const {
    const std::byte* const from = to_.buffers[part.buffer];
    if (shape_.form == LineForm::r2c || shape_.form == LineForm::r2r) {
      const auto* const reals = reinterpret_cast<const Real*>(from);
      const bool is_even = shape_.is_even_real();
      for_each_element(part, [&](std::int64_t element, std::int32_t point, std::int32_t line) {
        if (is_even) {
          auto* const pair = reinterpret_cast<Real*>(memory_ + place(point / 2, line));
          pair[point % 2] = reals[element];
        } else {
          memory_[place(point, line)] = Complex{reals[element], 0};
        }
      });
      return;
    }
    const auto* const numbers = reinterpret_cast<const Complex*>(from);
    const bool swaps = shape_.form == LineForm::c2c && shape_.backward != 0;
    for_each_element(part, [&](std::int64_t element, std::int32_t point, std::int32_t line) {
      const Complex x = numbers[element];
      memory_[place(point, line)] = swaps ? swapped(x) : x;
    });
  }

  // The spectra of real lines as the steps need them, with real and imaginary parts swapped, which
  // makes the forward steps compute the backward transform.
  WEFT_INLINE void complete_spectra() const {
    const std::int32_t half = shape_.is_even_real() ? shape_.points / 2 : (shape_.points - 1) / 2;
    const std::int32_t each = half / 2 + 1;
    if (shape_.is_even_real()) {
      // Frequencies k and half - k give two numbers of the half spectrum (even and odd points).
      for (std::int32_t i = group_.thread(); i < each * tile_.lines; i += group_.threads()) {
        const std::int32_t line = i / each, k = i - line * each;
        pair_of_even_real(k, half, line);
      }
    } else {
      const std::int32_t all = half + 1;
      for (std::int32_t i = group_.thread(); i < all * tile_.lines; i += group_.threads()) {
        const std::int32_t line = i / all, k = i - line * all;
        const Complex x = memory_[place(k, line)];
        if (k == 0) {
          memory_[place(0, line)] = Complex{0, x.re};
        } else {
          memory_[place(k, line)] = swapped(x);
          memory_[place(shape_.points - k, line)] = swapped(conjugate(x));
        }
      }
    }
    group_.sync();
  }
  WEFT_INLINE void pair_of_even_real(std::int32_t k, std::int32_t half, std::int32_t line) const {
    Complex low = memory_[place(k, line)], high = memory_[place(half - k, line)];
    if (k == 0) low.im = high.im = 0;
    const Complex sum = low + conjugate(high), difference = low - conjugate(high);
    // i exp(2 pi i k / points) times the difference
    const Real re = to_.real_roots[2 * k], im = -to_.real_roots[2 * k + 1];
    const Complex odd = times(difference, -im, re);
    memory_[place(k, line)] = swapped(sum + odd);
    if (k > 0 && k < half - k) memory_[place(half - k, line)] = swapped(conjugate(sum - odd));
  }

  WEFT_INLINE void run_step(const LineStep& step) const {
    switch (step.radix) {
      case 2:
        return run_radix<2>(step);
      case 3:
        return run_radix<3>(step);
      case 4:
        return run_radix<4>(step);
      case 5:
        return run_radix<5>(step);
      case 7:
        return run_radix<7>(step);
      case 8:
        return run_radix<8>(step);
      case 9:
        return run_radix<9>(step);
      case 11:
        return run_radix<11>(step);
      case 13:
        return run_radix<13>(step);
      default:
        return run_radix<16>(step);
    }
  }
  // The thread's butterflies: their points are loaded and transformed, and when all threads have
  // loaded theirs, the results are stored in the same memory. A function of its own for each radix,
  // as a compiler that sees all together needs more registers than a thread has.
  template <int radix>
  WEFT_NO_INLINE void run_radix(const LineStep& step) const {
    constexpr int most = butterflies_of_thread(radix);
    std::array<std::array<Complex, radix>, most> results;
    const std::int32_t total = step.butterflies * shape_.lines;
    WEFT_UNROLL
    for (int i = 0; i < most; ++i) {
      const std::int32_t number = group_.thread() + i * group_.threads();
      if (number < total) take<radix>(step, number, results[static_cast<std::size_t>(i)]);
    }
    // The last step stores its results where it has taken its points from.
    if (step.stride != step.butterflies) group_.sync();
    WEFT_UNROLL
    for (int i = 0; i < most; ++i) {
      const std::int32_t number = group_.thread() + i * group_.threads();
      if (number < total) give<radix>(step, number, results[static_cast<std::size_t>(i)]);
    }
    group_.sync();
  }
  // Butterfly `number` of the tile: butterfly `k` of `line`.
  struct At {
    std::int32_t k, line;
  };
  WEFT_INLINE At at(const LineStep& step, std::int32_t number) const {
    const std::int32_t slow = quotient(number, step.by_fastest);
    const std::int32_t fast = number - slow * static_cast<std::int32_t>(step.by_fastest.divisor);
    return shape_.lines_first != 0 ? At{slow, fast} : At{fast, slow};
  }
  template <int radix>
  WEFT_INLINE void take(const LineStep& step, std::int32_t number,
                        std::array<Complex, radix>& results) const {
    const auto [k, line] = at(step, number);
    if (line >= tile_.lines) return;
    const Complex* const from = memory_ + place(k, line);
    const std::int32_t apart = step.butterflies * shape_.point_stride;
    Butterfly<radix, Real>::run(
        [&](std::size_t j)
            WEFT_INLINE_LAMBDA { return from[static_cast<std::int32_t>(j) * apart]; },
        [&](std::size_t j, Complex x) WEFT_INLINE_LAMBDA { results[j] = x; });
    const std::int32_t turn = quotient(k, step.by_stride) * step.stride;
    if (turn == 0) return;
    WEFT_UNROLL
    for (int j = 1; j < radix; ++j) {
      const Real* const root = to_.roots + 2 * j * turn;
      Complex& x = results[static_cast<std::size_t>(j)];
      x = times(x, root[0], root[1]);
    }
  }
  template <int radix>
  WEFT_INLINE void give(const LineStep& step, std::int32_t number,
                        const std::array<Complex, radix>& results) const {
    const auto [k, line] = at(step, number);
    if (line >= tile_.lines) return;
    const std::int32_t turn = quotient(k, step.by_stride) * step.stride;
    Complex* const into = memory_ + place(k + turn * (radix - 1), line);
    const std::int32_t apart = step.stride * shape_.point_stride;
    WEFT_UNROLL
    for (int j = 0; j < radix; ++j) into[j * apart] = results[static_cast<std::size_t>(j)];
  }

  WEFT_INLINE void store() const {
    for (std::int32_t i = 0; i < tile_.targets; ++i) store_part(to_.parts[tile_.first_target + i]);
  }
  WEFT_INLINE void store_part(const LinePart& part) const {
    std::byte* const into = to_.buffers[part.buffer];
    const Real factor = to_.factor;
    if (shape_.form == LineForm::c2r || shape_.form == LineForm::r2r) {
      auto* const reals = reinterpret_cast<Real*>(into);
      // Of spectra that were transformed, real and imaginary parts are swapped.
      const bool is_even = shape_.is_even_real(), is_copy = shape_.form == LineForm::r2r;
      for_each_element(part, [&](std::int64_t element, std::int32_t point, std::int32_t line) {
        const Complex x = memory_[place(is_even ? point / 2 : point, line)];
        reals[element] = factor * (is_copy || (is_even && point % 2 == 1) ? x.re : x.im);
      });
      return;
    }
    auto* const numbers = reinterpret_cast<Complex*>(into);
    const bool swaps = shape_.form == LineForm::c2c && shape_.backward != 0;
    const bool splits = shape_.form == LineForm::r2c && shape_.is_even_real();
    for_each_element(part, [&](std::int64_t element, std::int32_t point, std::int32_t line) {
      const Complex x = splits ? of_even_real(point, line) : memory_[place(point, line)];
      numbers[element] = factor * (swaps ? swapped(x) : x);
    });
  }
  // Frequency k of a real line of even length, from the spectrum of its even and odd points.
  WEFT_INLINE Complex of_even_real(std::int32_t k, std::int32_t line) const {
    const std::int32_t half = shape_.points / 2;
    const Complex z = memory_[place(k == half ? 0 : k, line)],
                  y = conjugate(memory_[place(k == 0 ? 0 : half - k, line)]);
    const Complex odd = times_minus_i(z - y);
    const Complex turned = times(odd, to_.real_roots[2 * k], to_.real_roots[2 * k + 1]);
    return Real(0.5) * (z + y + turned);
  }

  const Group& group_;
  const LineArguments<Real>& to_;
  const LineShape& shape_;
  const LineTile& tile_;
  Complex* memory_;
};

/// All tiles, which the blocks share out. `memory` is shared by the threads of a block.
template <class Real, class Group>
WEFT_INLINE void run_lines(const Group& group, const LineArguments<Real>& arguments,
                           std::byte* memory) {
  for (std::int64_t tile = group.block(); tile < arguments.tile_count; tile += group.blocks())
    LineTileRun<Real, Group>(group, arguments, arguments.tiles[arguments.first_tile + tile],
                             reinterpret_cast<Values<Real>*>(memory))
        .run();
}

}  // namespace weft::device_lanes
