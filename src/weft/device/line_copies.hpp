// device/line_copies: loads the lines of a tile from wherever they lie, and stores them to wherever
// they go.
#pragma once

#include <type_traits>

#include "weft/device/line_ends.hpp"
#include "weft/grid/point_map.hpp"

namespace weft::device_lanes {

template <class Real, class Group>
class LineCopies {
 public:
  using View = LineTileView<Real, Group>;
  using Ends = LineEnds<Real, Group>;
  using Complex = Values<Real>;

  WEFT_INLINE LineCopies(const View& view, const Ends& ends)
      : view_(view), ends_(ends), shape_(view.shape), tile_(view.tile) {}

  WEFT_INLINE void load() const {
    // The last of an odd number of real lines has none beside it.
    const bool has_half = shape_.joins_lines() && tile_.lines % 2 != 0;
    if (tile_.loads_all == 0 || has_half) {
      view_.for_each(shape_.stored_points, [&](std::int32_t k, std::int32_t line) {
        view_.number(k, line) = Complex{0, 0};
      });
      view_.group.sync();
    }
    for (std::int32_t i = 0; i < tile_.sources; ++i) {
      const LinePart& part = view_.part(tile_.first_source + i);
      if (moves_bits())
        load_bits(part);
      else if (shape_.form == LineForm::r2r || shape_.form == LineForm::r2c)
        load_reals(part);
      else if (is_aligned(part))
        load_numbers<Complex>(part);
      else
        load_numbers<LooseNumber<Real>>(part);
    }
  }

  WEFT_INLINE void store() const {
    for (std::int32_t i = 0; i < tile_.targets; ++i) {
      const LinePart& part = view_.part(tile_.first_target + i);
      if (moves_bits())
        store_bits(part);
      else if (shape_.form == LineForm::r2r || shape_.form == LineForm::c2r)
        store_reals(part);
      else if (is_aligned(part))
        store_numbers<Complex>(part);
      else
        store_numbers<LooseNumber<Real>>(part);
    }
  }

 private:
  // Element `i` of a part: where it is, and which point of which line of the tile.
  struct At {
    std::int64_t element;
    std::int32_t point, line;
  };
  static WEFT_INLINE At at(const LinePart& part, std::int32_t i) {
    const std::int32_t slow = quotient(i, part.by_fastest);
    const std::int32_t fast = i - slow * static_cast<std::int32_t>(part.by_fastest.divisor);
    const std::int32_t point = part.lines_first != 0 ? slow : fast,
                       line = part.lines_first != 0 ? fast : slow;
    return {part.far + point * part.far_point + line * part.far_line, part.first_point + point,
            part.first_line + line};
  }
  // Calls each(at) for all elements of a part: the thread's share.
  template <class Each>
  WEFT_INLINE void for_each_element(const LinePart& part, const Each& each) const {
    const std::int32_t count = part.points * part.lines;
    for (std::int32_t i = view_.group.thread(); i < count; i += view_.group.threads())
      each(at(part, i));
  }
  // Calls put(at, get(at)) for all of them, some at a time: a compiler cannot know that nothing is
  // put where the next number lies, and a thread that waited for one number after the other would
  // ask too little of the memory.
  template <class Get, class Put>
  WEFT_INLINE void load_elements(const LinePart& part, const Get& get, const Put& put) const {
    constexpr std::int32_t at_once = 4;
    const std::int32_t count = part.points * part.lines, threads = view_.group.threads();
    for (std::int32_t i = view_.group.thread(); i < count; i += at_once * threads) {
      std::array<decltype(get(At{})), at_once> values{};
      WEFT_UNROLL
      for (std::int32_t j = 0; j < at_once; ++j)
        if (i + j * threads < count)
          values[static_cast<std::size_t>(j)] = get(at(part, i + j * threads));
      WEFT_UNROLL
      for (std::int32_t j = 0; j < at_once; ++j)
        if (i + j * threads < count)
          put(at(part, i + j * threads), values[static_cast<std::size_t>(j)]);
    }
  }

  // Whether complex numbers are aligned as such, so that one load takes both halves.
  WEFT_INLINE bool is_aligned(const LinePart& part) const {
    return reinterpret_cast<std::uintptr_t>(view_.buffer(part.buffer)) % sizeof(Complex) == 0;
  }

  // What is only copied may be no numbers.
  using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  WEFT_INLINE bool moves_bits() const {
    return shape_.is_copy != 0 && view_.to.factor == 1 && view_.to.source_elements == nullptr &&
           view_.to.target_elements == nullptr;
  }
  // Those of point k of a line of the field.
  WEFT_INLINE Bits* bits(std::int32_t k, std::int32_t line) const {
    const bool joins = shape_.joins_lines();
    return reinterpret_cast<Bits*>(&view_.number(k, joins ? line / 2 : line)) +
           (joins ? line % 2 : 0);
  }
  WEFT_INLINE void load_bits(const LinePart& part) const {
    const auto* const from = reinterpret_cast<const Bits*>(view_.buffer(part.buffer));
    if (shape_.joins_lines())
      load_elements(
          part, [&](const At& a) { return from[a.element]; },
          [&](const At& a, Bits x) { *bits(a.point, a.line) = x; });
    else
      load_elements(
          part,
          [&](const At& a) {
            return std::array<Bits, 2>{from[2 * a.element], from[2 * a.element + 1]};
          },
          [&](const At& a, const std::array<Bits, 2>& x) {
            bits(a.point, a.line)[0] = x[0];
            bits(a.point, a.line)[1] = x[1];
          });
  }
  WEFT_INLINE void store_bits(const LinePart& part) const {
    auto* const to = reinterpret_cast<Bits*>(view_.buffer(part.buffer));
    const int each = shape_.joins_lines() ? 1 : 2;
    for_each_element(part, [&](const At& a) {
      const Bits* const from = bits(a.point, a.line);
      for (int i = 0; i < each; ++i) to[each * a.element + i] = from[i];
    });
  }

  WEFT_INLINE void load_reals(const LinePart& part) const {
    const auto* const reals = reinterpret_cast<const Real*>(view_.buffer(part.buffer));
    const bool joins = shape_.joins_lines(), is_even = shape_.is_even_real();
    load_elements(
        part, [&](const At& a) { return reals[a.element]; },
        [&](const At& a, Real x) {
          if (joins) {
            const auto [point, factor] = ends_.spot(a.point);
            component(view_.point(point, a.line / 2), a.line % 2) = factor * x;
          } else if (is_even) {
            component(view_.point(a.point / 2, a.line), a.point % 2) = x;
          } else {
            view_.point(a.point, a.line) = Complex{x, 0};
          }
        });
  }
  template <class Number>
  WEFT_INLINE void load_numbers(const LinePart& part) const {
    const auto* const numbers = reinterpret_cast<const Number*>(view_.buffer(part.buffer));
    const bool is_sum = shape_.sum != LineSum::none,
               swaps = !is_sum && shape_.form == LineForm::c2c && shape_.backward != 0;
    load_elements(
        part, [&](const At& a) { return number_at(part, numbers, a.element, a.line); },
        [&](const At& a, Complex x) {
          if (is_sum) {
            const auto [point, factor] = ends_.spot(a.point);
            view_.point(point, a.line) = factor * x;
            return;
          }
          if (swaps && shape_.has_halves != 0) x = times(x, conjugate(turn(a.point, a.line)));
          view_.point(a.point, a.line) = swaps ? swapped(x) : x;
        });
  }
  template <class Number>
  WEFT_INLINE Complex number_at(const LinePart& part, const Number* numbers, std::int64_t element,
                                std::int32_t line) const {
    std::int32_t held = 0;
    if (view_.to.source_elements != nullptr) {
      held = view_.group.of_device(view_.to.source_elements)[element];
      if (held == PointMap::absent) return Complex{0, 0};
      element = field_of(part, line) + (held < 0 ? ~held : held);
    }
    const Number x = numbers[element];
    return {x.re, held < 0 ? -x.im : x.im};
  }
  // Where the field of a line begins in an array that holds some points only.
  WEFT_INLINE std::int64_t field_of(const LinePart& part, std::int32_t line) const {
    return part.field + (line - part.first_line) * part.field_line;
  }

  WEFT_INLINE void store_reals(const LinePart& part) const {
    auto* const reals = reinterpret_cast<Real*>(view_.buffer(part.buffer));
    const Real factor = view_.to.factor;
    const bool joins = shape_.joins_lines(), is_sum = shape_.sum != LineSum::none,
               is_even = shape_.is_even_real();
    for_each_element(part, [&](const At& a) {
      const auto [element, k, line] = a;
      if (joins) {
        Complex x = is_sum ? ends_.sum(k, line / 2) : view_.number(k, line / 2);
        reals[element] = factor * component(x, line % 2);
        return;
      }
      // Real and imaginary parts are swapped.
      const Complex x = view_.frequency(is_even ? k / 2 : k, line);
      reals[element] = factor * (is_even && k % 2 == 1 ? x.re : x.im);
    });
  }
  template <class Number>
  WEFT_INLINE void store_numbers(const LinePart& part) const {
    auto* const numbers = reinterpret_cast<Number*>(view_.buffer(part.buffer));
    const std::int32_t* const elements = view_.to.target_elements;
    const Real factor = view_.to.factor;
    for_each_element(part, [&](const At& a) {
      const auto [element, k, line] = a;
      std::int64_t at = element;
      if (elements != nullptr) {
        const std::int32_t held = view_.group.of_device(elements)[element];
        if (held < 0) return;
        at = field_of(part, line) + held;
      }
      const Complex x = factor * value(k, line);
      numbers[at] = Number{x.re, x.im};
    });
  }
  WEFT_INLINE Complex value(std::int32_t k, std::int32_t line) const {
    if (shape_.sum != LineSum::none) return ends_.sum(k, line);
    if (shape_.form == LineForm::r2c && shape_.is_even_real()) return ends_.of_even_real(k, line);
    const Complex x = view_.frequency(k, line);
    if (shape_.form == LineForm::r2c) return x;
    if (shape_.backward != 0) return swapped(x);
    return shape_.has_halves != 0 ? times(x, turn(k, line)) : x;
  }

  // The factor of point k of a line between the two halves of its axis.
  WEFT_INLINE Complex turn(std::int32_t k, std::int32_t line) const {
    const std::int64_t power = std::int64_t{k} * (tile_.turn + line * shape_.turn_line);
    const std::int64_t high = power >> shape_.turn_shift;
    return times(view_.entry(view_.to.fine_roots, power - (high << shape_.turn_shift)),
                 view_.entry(view_.to.coarse_roots, high));
  }

  static WEFT_INLINE Real& component(Complex& x, std::int32_t is_imaginary) {
    return is_imaginary != 0 ? x.im : x.re;
  }

  const View& view_;
  const Ends& ends_;
  const LineShape& shape_;
  const LineTile& tile_;
};

}  // namespace weft::device_lanes
