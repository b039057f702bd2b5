// device/line_steps: the forward transform of the lines of a tile, in registers and in shared
// memory.
// Source: Stockham's self-sorting steps, as in C. Van Loan, Computational Frameworks for the FFT,
// section 1.7, for products of primes up to 13. Other lengths are convolutions of a length that has
// such steps, so that all of them are one walk over memory: Rader's, of n-1 points, for primes n
// where n-1 has such steps, and Bluestein's, of 2n-1 points or a few more, for all others. Both
// take their tables from fft/lanes/convolution. Steps of the primes 17 to 31 by direct sums would
// read about half as many numbers as the prime, and as many roots, for each result, and a
// convolution loads and stores some 38: they would gain less than twice for 17 and nothing for 31,
// and only in products, as primes alone are Rader's. This is counted, not measured.
#pragma once

#include "weft/device/line_tile.hpp"
// After the other butterflies.
#include "weft/device/prime_butterflies.hpp"

namespace weft::device_lanes {

// A radix step of a tile, by values: what a function of its own sees by an address, a compiler
// keeps in memory for all that the kernel does.
template <class Real, class Group>
struct RadixStep {
  using Complex = Values<Real>;

  Group group;
  LineStep step;
  const Real* roots;
  std::int32_t total;  // butterflies of a full tile
  std::int32_t lines;  // of this tile
  std::int32_t lines_first, point_stride, line_stride;

  // Butterfly `number` of the tile: butterfly `k` of `line`.
  struct At {
    std::int32_t k, line;
  };
  WEFT_INLINE At at(std::int32_t number) const {
    const std::int32_t slow = quotient(number, step.by_fastest);
    const std::int32_t fast = number - slow * static_cast<std::int32_t>(step.by_fastest.divisor);
    return lines_first != 0 ? At{slow, fast} : At{fast, slow};
  }
  WEFT_INLINE Complex* number(std::int32_t place, std::int32_t line) const {
    return shared_numbers<Real>(group) + (place * point_stride + line * line_stride);
  }

  template <int radix>
  WEFT_INLINE void take(std::int32_t butterfly, std::array<Complex, radix>& results) const {
    const auto [k, line] = at(butterfly);
    if (line >= lines) return;
    const Complex* const from = number(k, line);
    const std::int32_t apart = step.butterflies * point_stride;
    Butterfly<radix, Real>::run(
        [&](std::size_t j)
            WEFT_INLINE_LAMBDA { return from[static_cast<std::int32_t>(j) * apart]; },
        [&](std::size_t j, Complex x) WEFT_INLINE_LAMBDA { results[j] = x; });
    const std::int32_t turn = quotient(k, step.by_stride) * step.stride;
    if (turn == 0) return;
    const auto* const root = reinterpret_cast<const Complex*>(group.of_device(roots));
    WEFT_UNROLL
    for (int j = 1; j < radix; ++j) {
      Complex& x = results[static_cast<std::size_t>(j)];
      x = times(x, root[j * turn]);
    }
  }
  template <int radix>
  WEFT_INLINE void give(std::int32_t butterfly, const std::array<Complex, radix>& results) const {
    const auto [k, line] = at(butterfly);
    if (line >= lines) return;
    const std::int32_t turn = quotient(k, step.by_stride) * step.stride;
    Complex* const into = number(k + turn * (radix - 1), line);
    const std::int32_t apart = step.stride * point_stride;
    WEFT_UNROLL
    for (int j = 0; j < radix; ++j) into[j * apart] = results[static_cast<std::size_t>(j)];
  }
};

// The thread's butterflies: their points are loaded and transformed, and when all threads have
// loaded theirs, the results are stored in the same memory. A function of its own for each radix,
// as a compiler that sees all together needs more registers than a thread has.
template <int radix, class Real, class Group>
WEFT_NO_INLINE void run_radix(const RadixStep<Real, Group> step) {
  constexpr int most = butterflies_of_thread(radix);
  // Begun with zeros, which are never stored: what a thread may leave undefined, ptxas keeps in
  // memory instead of registers.
  std::array<std::array<Values<Real>, radix>, most> results{};
  WEFT_UNROLL
  for (int i = 0; i < most; ++i) {
    const std::int32_t number = step.group.thread() + i * step.group.threads();
    if (number < step.total)
      step.template take<radix>(number, results[static_cast<std::size_t>(i)]);
  }
  // The last step stores its results where it has taken its points from.
  if (step.step.stride != step.step.butterflies) step.group.sync();
  WEFT_UNROLL
  for (int i = 0; i < most; ++i) {
    const std::int32_t number = step.group.thread() + i * step.group.threads();
    if (number < step.total)
      step.template give<radix>(number, results[static_cast<std::size_t>(i)]);
  }
  step.group.sync();
}

template <class Real, class Group>
class LineSteps {
 public:
  using View = LineTileView<Real, Group>;
  using Complex = Values<Real>;

  explicit WEFT_INLINE LineSteps(const View& view) : view_(view), shape_(view.shape) {}

  // Ends with a synchronization, if at all there is something to do.
  WEFT_INLINE void run() const {
    if (shape_.has_factors()) multiply();
    for (bool filters = shape_.is_convolution();; filters = false) {
      for (int i = 0; i < shape_.steps; ++i) run_step(shape_.step[static_cast<std::size_t>(i)]);
      if (!filters) return;
      multiply_by_spectrum();
    }
  }

 private:
  // The points by their factors; the last of Bluestein's convolution are zero.
  WEFT_INLINE void multiply() const {
    const std::int32_t points = shape_.complex_points, steps = shape_.step_points;
    view_.for_each(points < steps ? steps : points, [&](std::int32_t k, std::int32_t line) {
      Complex& x = view_.number(k, line);
      x = k < points ? times(x, view_.entry(view_.to.factors, k)) : Complex{0, 0};
    });
    view_.group.sync();
  }
  // As the steps back take it. A walk of its own over the tile, as steps that did it needed more
  // registers, also where there is no convolution.
  WEFT_INLINE void multiply_by_spectrum() const {
    view_.for_each(shape_.step_points, [&](std::int32_t k, std::int32_t line) {
      const Complex x = view_.number(k, line);
      Complex y = times(x, view_.entry(view_.to.spectrum, k));
      if (k == 0 && shape_.is_raders()) {
        // Point 0 is added to all frequencies; frequency 0 is the sum of all points.
        const Complex first = view_.number(shape_.step_points, line);
        view_.number(shape_.complex_points, line) = first + x;
        y = y + first;
      }
      view_.number(k, line) = swapped(y);
    });
    view_.group.sync();
  }
  WEFT_INLINE void run_step(const LineStep& step) const {
    const RadixStep<Real, Group> taken{
        view_.group,         step,
        view_.to.roots,      step.butterflies * shape_.joined(shape_.lines),
        view_.lines(),       shape_.lines_first,
        shape_.point_stride, shape_.line_stride};
    switch (step.radix) {
      case 2:
        return run_radix<2>(taken);
      case 3:
        return run_radix<3>(taken);
      case 4:
        return run_radix<4>(taken);
      case 5:
        return run_radix<5>(taken);
      case 7:
        return run_radix<7>(taken);
      case 8:
        return run_radix<8>(taken);
      case 9:
        return run_radix<9>(taken);
      case 11:
        return run_radix<11>(taken);
      case 13:
        return run_radix<13>(taken);
      default:
        return run_radix<16>(taken);
    }
  }

  const View& view_;
  const LineShape& shape_;
};

}  // namespace weft::device_lanes
