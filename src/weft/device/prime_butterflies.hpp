// device/prime_butterflies: forward transforms of 11 and 13 points. Include after
// fft/lanes/butterflies.
#pragma once

#include <array>
#include <cstddef>

namespace weft::WEFT_LANES {

// Cosines and sines of 2 pi k / points, for 0 < k <= points / 2.
template <int points>
struct PrimeRoots;
template <>
struct PrimeRoots<11> {
  static WEFT_INLINE constexpr double cosine(std::size_t k) {
    constexpr double all[] = {
        0.841253532831181168861811648919367718, 0.415415013001886425529274149229623204,
        -0.142314838273285140443792668616369669, -0.654860733945285064056925072466293553,
        -0.959492973614497389890368057066327699};
    return all[k - 1];
  }
  static WEFT_INLINE constexpr double sine(std::size_t k) {
    constexpr double all[] = {
        0.540640817455597582107635954318691695, 0.909631995354518371411715383079028460,
        0.989821441880932732376092037776718787, 0.755749574354258283774035843972344420,
        0.281732556841429697711417915346616899};
    return all[k - 1];
  }
};
template <>
struct PrimeRoots<13> {
  static WEFT_INLINE constexpr double cosine(std::size_t k) {
    constexpr double all[] = {
        0.885456025653209895900375522015098879,  0.568064746731155802511807559127516625,
        0.120536680255323053349067687452543582,  -0.354604887042535625969637892600018474,
        -0.748510748171101098634630599701351384, -0.970941817426052027156982276293789227};
    return all[k - 1];
  }
  static WEFT_INLINE constexpr double sine(std::size_t k) {
    constexpr double all[] = {
        0.464723172043768545656015335133104778, 0.822983865893656394579617423439381991,
        0.992708874098053992800751649492520179, 0.935016242685414823439784599837830729,
        0.663122658240795202376785492666766280, 0.239315664287557767148753726260211895};
    return all[k - 1];
  }
};

// Points k and points - k together give frequencies m and points - m (Van Loan 1992, section 1.4.3
// has the form for all primes).
template <int points, class Real>
struct PrimeButterfly {
  static constexpr std::size_t half = (points - 1) / 2;

  template <class Get, class Put>
  static WEFT_INLINE void run(const Get& get, const Put& put) {
    std::array<Values<Real>, half> sums, differences;
    const Values<Real> first = get(0);
    Values<Real> all = first;
    WEFT_UNROLL
    for (std::size_t k = 1; k <= half; ++k) {
      const Values<Real> a = get(k), b = get(points - k);
      sums[k - 1] = a + b;
      differences[k - 1] = a - b;
      all = all + sums[k - 1];
    }
    put(0, all);
    WEFT_UNROLL
    for (std::size_t m = 1; m <= half; ++m) {
      Values<Real> even = first, odd{0, 0};
      WEFT_UNROLL
      for (std::size_t k = 1; k <= half; ++k) {
        const std::size_t turn = m * k % points;
        const bool is_low = turn <= half;
        const std::size_t at = is_low ? turn : points - turn;
        const auto sine = static_cast<Real>(PrimeRoots<points>::sine(at));
        even = plus(even, static_cast<Real>(PrimeRoots<points>::cosine(at)), sums[k - 1]);
        odd = plus(odd, is_low ? sine : -sine, differences[k - 1]);
      }
      const auto turned = times_minus_i(odd);
      put(m, even + turned);
      put(points - m, even - turned);
    }
  }
};
template <class Real>
struct Butterfly<11, Real> : PrimeButterfly<11, Real> {};
template <class Real>
struct Butterfly<13, Real> : PrimeButterfly<13, Real> {};

}  // namespace weft::WEFT_LANES
