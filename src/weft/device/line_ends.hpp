// device/line_ends: what a line is before and after the forward transform of complex numbers by
// which it is transformed.
// Source: real lines of even length as complex ones of half their length: C. Van Loan,
// Computational Frameworks for the FFT, section 4.3. Sums of cosines of the second and third kind:
// J. Makhoul, IEEE Trans. ASSP 28, 27 (1980); those of the fourth with his order of the points,
// too; sines are cosines with another order and other signs. All of these are linear, so complex
// numbers are transformed as they are, and two real lines at once as real and imaginary parts: no
// part of the work is wasted, and the length may be odd. Sums of the first kind as transforms of
// the line and its mirror image, which is as much work as the usual way over half as many points,
// as there each real line is alone.
#pragma once

#include "weft/device/line_tile.hpp"

namespace weft::device_lanes {

template <class Real, class Group>
class LineEnds {
 public:
  using View = LineTileView<Real, Group>;
  using Complex = Values<Real>;

  explicit WEFT_INLINE LineEnds(const View& view) : view_(view), shape_(view.shape) {}

  // Where point k of a line of sums, or of one that is copied, goes, and what it is multiplied by.
  struct Spot {
    std::int32_t point;
    Real factor;
  };
  WEFT_INLINE Spot spot(std::int32_t k) const {
    const std::int32_t last = shape_.points - 1;
    Real factor = 1;
    if (k == 0) factor *= view_.to.first_in;
    if (k == last) factor *= view_.to.last_in;
    switch (shape_.sum) {
      case LineSum::dst1:
        return {k + 1, factor};
      case LineSum::dst3:
        return {last - k, factor};
      case LineSum::dct2:
      case LineSum::dst4:
        return {folded(k), factor};
      case LineSum::dst2:
      case LineSum::dct4:
        return {folded(k), k % 2 == 0 ? factor : -factor};
      default:
        return {k, factor};
    }
  }

  // What the steps transform, from what was loaded, but for factors of points. Ends with a
  // synchronization, if at all there is something to do.
  WEFT_INLINE void prepare() const {
    switch (shape_.sum) {
      case LineSum::none:
        return shape_.form == LineForm::c2r ? complete_spectra() : void();
      case LineSum::dct1:
      case LineSum::dst1:
        return mirror();
      case LineSum::dct3:
      case LineSum::dst3:
        return unfold();
      default:
        return;
    }
  }

  // Value k of a line of sums, from the frequencies.
  WEFT_INLINE Complex sum(std::int32_t k, std::int32_t line) const {
    const std::int32_t last = shape_.points - 1;
    Real factor = 1;
    if (k == 0) factor *= view_.to.first_out;
    if (k == last) factor *= view_.to.last_out;
    switch (shape_.sum) {
      case LineSum::dct1:
        return factor * view_.frequency(k, line);
      case LineSum::dst1:
        return -factor * times_minus_i(view_.frequency(k + 1, line));
      case LineSum::dct2:
        return factor * of_second_kind(k, line);
      case LineSum::dst2:
        return factor * of_second_kind(last - k, line);
      case LineSum::dct3:
        return factor * view_.frequency(folded(k), line);
      case LineSum::dst3:
        return (k % 2 == 0 ? factor : -factor) * view_.frequency(folded(k), line);
      case LineSum::dct4:
        return factor * of_fourth_kind(k, line);
      default:
        return factor * of_fourth_kind(last - k, line);
    }
  }

  // Frequency k of a real line of even length, from the spectrum of its even and odd points.
  WEFT_INLINE Complex of_even_real(std::int32_t k, std::int32_t line) const {
    const std::int32_t half = shape_.points / 2;
    const Complex z = view_.frequency(k == half ? 0 : k, line),
                  y = conjugate(view_.frequency(k == 0 ? 0 : half - k, line));
    const Complex odd = times_minus_i(z - y);
    return Real(0.5) * (z + y + times(odd, root(k)));
  }

 private:
  WEFT_INLINE Complex root(std::int32_t k) const { return view_.entry(view_.to.end_roots, k); }
  // Even points first, and then the odd ones in the opposite order.
  WEFT_INLINE std::int32_t folded(std::int32_t k) const {
    return k % 2 == 0 ? k / 2 : shape_.points - (k + 1) / 2;
  }

  WEFT_INLINE Complex of_second_kind(std::int32_t k, std::int32_t line) const {
    const Complex w = root(k);
    return times(view_.frequency(k, line), w) +
           times(view_.frequency(k == 0 ? 0 : shape_.points - k, line), conjugate(w));
  }
  WEFT_INLINE Complex of_fourth_kind(std::int32_t k, std::int32_t line) const {
    const Complex w = root(k);
    return times(view_.frequency(k, line), w) +
           times(view_.frequency(shape_.points - 1 - k, line), conjugate(w));
  }

  // Makhoul's spectrum, in the opposite order of its frequencies, which makes the forward transform
  // the backward one.
  WEFT_INLINE void unfold() const {
    const std::int32_t n = shape_.points;
    view_.for_each(n / 2, [&](std::int32_t i, std::int32_t line) {
      const std::int32_t k = i + 1;
      Complex &low = view_.point(k, line), &high = view_.point(n - k, line);
      const Complex a = low, b = times_minus_i(high), w = root(k);
      high = times(a + b, conjugate(w));
      if (k < n - k) low = times(a - b, w);
    });
    view_.group.sync();
  }
  // The even or odd continuation of the lines.
  WEFT_INLINE void mirror() const {
    const std::int32_t n = shape_.points, all = shape_.complex_points;
    const bool is_sine = shape_.sum == LineSum::dst1;
    view_.for_each(is_sine ? n + 1 : n - 1, [&](std::int32_t k, std::int32_t line) {
      if (is_sine && k == 0) view_.point(0, line) = view_.point(n + 1, line) = Complex{0, 0};
      if (k == 0) return;
      const Complex x = view_.point(k, line);
      view_.point(all - k, line) = is_sine ? Complex{-x.re, -x.im} : x;
    });
    view_.group.sync();
  }

  // The spectra of real lines as the steps need them, with real and imaginary parts swapped, which
  // makes the forward steps compute the backward transform.
  WEFT_INLINE void complete_spectra() const {
    const std::int32_t half = shape_.points / 2;
    if (shape_.is_even_real())
      // Frequencies k and half - k give two numbers of the half spectrum (even and odd points).
      view_.for_each(half / 2 + 1, [&](std::int32_t k, std::int32_t line) { pair(k, half, line); });
    else
      view_.for_each(half + 1, [&](std::int32_t k, std::int32_t line) {
        Complex& low = view_.point(k, line);
        const Complex x = low;
        low = k == 0 ? Complex{0, x.re} : swapped(x);
        if (k > 0) view_.point(shape_.points - k, line) = swapped(conjugate(x));
      });
    view_.group.sync();
  }
  WEFT_INLINE void pair(std::int32_t k, std::int32_t half, std::int32_t line) const {
    Complex low = view_.point(k, line), high = view_.point(half - k, line);
    if (k == 0) low.im = high.im = 0;
    const Complex sum = low + conjugate(high), difference = low - conjugate(high);
    // i exp(2 pi i k / points) times the difference
    const Complex w = root(k), odd = times(difference, w.im, w.re);
    view_.point(k, line) = swapped(sum + odd);
    if (k > 0 && k < half - k) view_.point(half - k, line) = swapped(conjugate(sum - odd));
  }

  const View& view_;
  const LineShape& shape_;
};

}  // namespace weft::device_lanes
