// device/line_tile: a tile of lines in the memory that the threads of a block share.
// Keeps: the same source for compilers of devices and of processors. `Group` is the block of
// threads that runs it: thread(), threads(), block(), blocks() and sync(). Every thread comes to
// every sync(). shared() is what the threads share, aligned to 16 bytes, and of_device(address) is
// an address of other memory: by these the compiler of a device knows which of its instructions
// load and store there.
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
// A complex number in an array of the application, which may be aligned as a real number is.
template <class Real>
struct LooseNumber {
  Real re, im;
};
template <class Real>
WEFT_INLINE Values<Real> times(Values<Real> a, Values<Real> b) {
  return times(a, b.re, b.im);
}

template <class Real, class Group>
WEFT_INLINE Values<Real>* shared_numbers(const Group& group) {
  return reinterpret_cast<Values<Real>*>(group.shared());
}

template <class Real, class Group>
struct LineTileView {
  using Complex = Values<Real>;

  const Group& group;
  const LineArguments<Real>& to;
  const LineShape& shape;
  const LineTile& tile;

  WEFT_INLINE std::int32_t lines() const { return shape.joined(tile.lines); }
  WEFT_INLINE Complex& number(std::int32_t place, std::int32_t line) const {
    return shared_numbers<Real>(group)[place * shape.point_stride + line * shape.line_stride];
  }
  // Number k of a table of complex numbers, which are aligned as such.
  WEFT_INLINE Complex entry(const Real* table, std::int64_t k) const {
    return reinterpret_cast<const Complex*>(group.of_device(table))[k];
  }
  // Where a buffer of the program is.
  WEFT_INLINE std::byte* buffer(std::int32_t which) const {
    return group.of_device(group.of_device(to.buffers)[which]);
  }
  WEFT_INLINE const LinePart& part(std::int32_t which) const {
    return group.of_device(to.parts)[which];
  }
  // Point k of a line, before the steps: the points of Rader's convolution are in another order.
  WEFT_INLINE Complex& point(std::int32_t k, std::int32_t line) const {
    return number(shape.is_raders() ? group.of_device(to.in_places)[k] : k, line);
  }
  // Frequency k of a line, after the steps.
  WEFT_INLINE Complex frequency(std::int32_t k, std::int32_t line) const {
    if (!shape.is_convolution()) return number(k, line);
    // The steps back are forward steps of numbers with real and imaginary parts swapped.
    if (!shape.is_raders()) return times(swapped(number(k, line)), entry(to.chirp, k));
    const Complex x = number(group.of_device(to.out_places)[k], line);
    return k == 0 ? x : swapped(x);
  }

  // Calls each(k, line) for all k < count of all lines: the thread's share.
  template <class Each>
  WEFT_INLINE void for_each(std::int32_t count, const Each& each) const {
    const std::int32_t all = lines(), total = count * all;
    const std::int32_t fastest = shape.lines_first != 0 ? all : count;
    for (std::int32_t i = group.thread(); i < total; i += group.threads()) {
      const std::int32_t slow = i / fastest, fast = i - slow * fastest;
      shape.lines_first != 0 ? each(slow, fast) : each(fast, slow);
    }
  }
};

}  // namespace weft::device_lanes
