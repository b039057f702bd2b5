// fft/lanes/butterflies: forward transforms of a few points, with one complex number in each vector
// lane. Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <array>
#include <numbers>
#include <utility>

#include "weft/fft/lanes/vectors.hpp"

namespace weft::WEFT_LANES {

// A butterfly takes each of its points from get(k), and gives each frequency to put(k, value) when
// all points have been taken: in an order in which few numbers are in registers at a time.
template <int points, class Real>
struct Butterfly;

template <class Real>
struct Butterfly<2, Real> {
  template <class Get, class Put>
  static WEFT_INLINE void run(const Get& get, const Put& put) {
    const Values<Real> a = get(0), b = get(1);
    put(0, a + b);
    put(1, a - b);
  }
};

template <class Real>
struct Butterfly<3, Real> {
  template <class Get, class Put>
  static WEFT_INLINE void run(const Get& get, const Put& put) {
    constexpr auto sine = static_cast<Real>(std::numbers::sqrt3 / 2);
    const Values<Real> a = get(1), b = get(2), c = get(0);
    const auto sum = a + b, difference = a - b, t = minus(c, Real(0.5), sum);
    put(0, c + sum);
    put(1, minus_i(t, sine, difference));
    put(2, plus_i(t, sine, difference));
  }
};

template <class Real>
struct Butterfly<4, Real> {
  template <class Get, class Put>
  static WEFT_INLINE void run(const Get& get, const Put& put) {
    const Values<Real> a = get(0), c = get(2);
    const auto s = a + c, t = a - c;
    const Values<Real> b = get(1), d = get(3);
    finish(s, t, b, d, put);
  }
  // The same where the sum s and the difference t of points 0 and 2 are known; b and d are points 1
  // and 3, which are still to be multiplied by `factor`.
  template <class Put>
  static WEFT_INLINE void finish(Values<Real> s, Values<Real> t, Values<Real> b, Values<Real> d,
                                 const Put& put) {
    const auto u = b + d, v = times_minus_i(b - d);
    put(0, s + u);
    put(2, s - u);
    put(1, t + v);
    put(3, t - v);
  }
  template <class Put>
  static WEFT_INLINE void finish(Values<Real> s, Values<Real> t, Values<Real> b, Values<Real> d,
                                 Real factor, const Put& put) {
    const auto u = b + d, v = b - d;
    put(0, plus(s, factor, u));
    put(2, minus(s, factor, u));
    put(1, minus_i(t, factor, v));
    put(3, plus_i(t, factor, v));
  }
};

template <class Real>
struct Butterfly<5, Real> {
  template <class Get, class Put>
  static WEFT_INLINE void run(const Get& get, const Put& put) {
    // Cosines and sines of 2 pi / 5 and 4 pi / 5.
    constexpr auto c1 = static_cast<Real>(0.309016994374947424102293417182819059),
                   c2 = static_cast<Real>(-0.809016994374947424102293417182819059),
                   s1 = static_cast<Real>(0.951056516295153572116439333379382143),
                   s2 = static_cast<Real>(0.587785252292473129168705954639072769);
    const Values<Real> x1 = get(1), x4 = get(4);
    const auto a = x1 + x4, c = x1 - x4;
    const Values<Real> x2 = get(2), x3 = get(3);
    const auto b = x2 + x3, d = x2 - x3;
    const Values<Real> x0 = get(0);
    put(0, x0 + a + b);
    const auto t1 = plus(plus(x0, c1, a), c2, b);
    const auto v1 = times_minus_i(plus(s1 * c, s2, d));
    put(1, t1 + v1);
    put(4, t1 - v1);
    const auto t2 = plus(plus(x0, c2, a), c1, b);
    const auto v2 = times_minus_i(minus(s2 * c, s1, d));
    put(2, t2 + v2);
    put(3, t2 - v2);
  }
};

template <class Real>
struct Butterfly<7, Real> {
  template <class Get, class Put>
  static WEFT_INLINE void run(const Get& get, const Put& put) {
    // Cosines and sines of 2 pi / 7, 4 pi / 7 and 6 pi / 7.
    constexpr auto c1 = static_cast<Real>(0.623489801858733530525004884004239811),
                   c2 = static_cast<Real>(-0.222520933956314404288902564496794759),
                   c3 = static_cast<Real>(-0.900968867902419126236102319507445051),
                   s1 = static_cast<Real>(0.781831482468029808708444526674057750),
                   s2 = static_cast<Real>(0.974927912181823607018131682993931217),
                   s3 = static_cast<Real>(0.433883739117558120475768332848358755);
    const Values<Real> x1 = get(1), x6 = get(6);
    const auto a = x1 + x6, d = x1 - x6;
    const Values<Real> x2 = get(2), x5 = get(5);
    const auto b = x2 + x5, e = x2 - x5;
    const Values<Real> x3 = get(3), x4 = get(4);
    const auto c = x3 + x4, f = x3 - x4;
    const Values<Real> x0 = get(0);
    put(0, x0 + a + b + c);
    const auto t1 = plus(plus(plus(x0, c1, a), c2, b), c3, c);
    const auto v1 = times_minus_i(plus(plus(s1 * d, s2, e), s3, f));
    put(1, t1 + v1);
    put(6, t1 - v1);
    const auto t2 = plus(plus(plus(x0, c2, a), c3, b), c1, c);
    const auto v2 = times_minus_i(minus(minus(s2 * d, s3, e), s1, f));
    put(2, t2 + v2);
    put(5, t2 - v2);
    const auto t3 = plus(plus(plus(x0, c3, a), c1, b), c2, c);
    const auto v3 = times_minus_i(plus(minus(s3 * d, s1, e), s2, f));
    put(3, t3 + v3);
    put(4, t3 - v3);
  }
};

template <class Real>
struct Butterfly<8, Real> {
  template <class Get, class Put>
  static WEFT_INLINE void run(const Get& get, const Put& put) {
    std::array<Values<Real>, 4> even, odd;
    Butterfly<4, Real>::run([&](std::size_t k) WEFT_INLINE_LAMBDA { return get(2 * k); },
                            [&](std::size_t k, Values<Real> x) WEFT_INLINE_LAMBDA { even[k] = x; });
    Butterfly<4, Real>::run([&](std::size_t k) WEFT_INLINE_LAMBDA { return get(2 * k + 1); },
                            [&](std::size_t k, Values<Real> x) WEFT_INLINE_LAMBDA { odd[k] = x; });
    constexpr auto half = static_cast<Real>(std::numbers::sqrt2 / 2);
    put(0, even[0] + odd[0]);
    put(4, even[0] - odd[0]);
    put(2, even[2] + times_minus_i(odd[2]));
    put(6, even[2] - times_minus_i(odd[2]));
    // exp(-2 pi i / 8) is half of the square root of 2 times 1 - i.
    const auto a = times_1_minus_i(odd[1]), b = times_1_minus_i(odd[3]);
    put(1, plus(even[1], half, a));
    put(5, minus(even[1], half, a));
    put(3, minus_i(even[3], half, b));
    put(7, plus_i(even[3], half, b));
  }
};

// Two lengths without a common factor need no twiddle factors between them (Good 1958): point
// (b i + a k) mod ab is point k of row i, and frequency m is found at (m mod a, m mod b).
template <int a, int b, class Real>
struct ButterflyOfTwo {
  // The multiple of `of` that is 1 modulo `modulus`.
  static constexpr std::size_t one_of(std::size_t of, std::size_t modulus) {
    std::size_t multiple = of;
    while (multiple % modulus != 1) multiple += of;
    return multiple;
  }
  template <class Get, class Put, std::size_t... i, std::size_t... k>
  static WEFT_INLINE void run_all(const Get& get, const Put& put, std::index_sequence<i...>,
                                  std::index_sequence<k...>) {
    constexpr std::size_t one_at_a = one_of(b, a), one_at_b = one_of(a, b);
    std::array<std::array<Values<Real>, b>, a> rows;
    (Butterfly<b, Real>::run(
         [&](std::size_t at) WEFT_INLINE_LAMBDA { return get((b * i + a * at) % (a * b)); },
         [&](std::size_t at, Values<Real> x) WEFT_INLINE_LAMBDA { rows[i][at] = x; }),
     ...);
    (Butterfly<a, Real>::run([&](std::size_t at) WEFT_INLINE_LAMBDA { return rows[at][k]; },
                             [&](std::size_t at, Values<Real> x) WEFT_INLINE_LAMBDA {
                               put((at * one_at_a + k * one_at_b) % (a * b), x);
                             }),
     ...);
  }
  template <class Get, class Put>
  static WEFT_INLINE void run(const Get& get, const Put& put) {
    run_all(get, put, std::make_index_sequence<static_cast<std::size_t>(a)>(),
            std::make_index_sequence<static_cast<std::size_t>(b)>());
  }
};
template <class Real>
struct Butterfly<6, Real> : ButterflyOfTwo<2, 3, Real> {};
template <class Real>
struct Butterfly<10, Real> : ButterflyOfTwo<2, 5, Real> {};
template <class Real>
struct Butterfly<12, Real> : ButterflyOfTwo<4, 3, Real> {};

// 9 = 3 x 3 and 16 = 4 x 4, with twiddle factors between: row i has points i, i + a, ...
template <class Real>
struct Butterfly<9, Real> {
  template <class Get, class Put>
  static WEFT_INLINE void run(const Get& get, const Put& put) {
    std::array<std::array<Values<Real>, 3>, 3> rows;
    run_row<0>(get, rows[0]);
    run_row<1>(get, rows[1]);
    run_row<2>(get, rows[2]);
    run_column<0>(rows, put);
    run_column<1>(rows, put);
    run_column<2>(rows, put);
  }

 private:
  template <std::size_t i, class Get>
  static WEFT_INLINE void run_row(const Get& get, std::array<Values<Real>, 3>& row) {
    Butterfly<3, Real>::run([&](std::size_t at) WEFT_INLINE_LAMBDA { return get(3 * at + i); },
                            [&](std::size_t k, Values<Real> x)
                                WEFT_INLINE_LAMBDA { row[k] = turned(x, i * k); });
  }
  template <std::size_t k, class Rows, class Put>
  static WEFT_INLINE void run_column(const Rows& rows, const Put& put) {
    Butterfly<3, Real>::run([&](std::size_t i) WEFT_INLINE_LAMBDA { return rows[i][k]; },
                            [&](std::size_t m, Values<Real> x)
                                WEFT_INLINE_LAMBDA { put(3 * m + k, x); });
  }
  // x multiplied by exp(-2 pi i power / 9).
  static WEFT_INLINE Values<Real> turned(Values<Real> x, std::size_t power) {
    constexpr Real c1 = static_cast<Real>(0.766044443118978035202392650555416673),
                   s1 = static_cast<Real>(0.642787609686539326322643409907263433),
                   c2 = static_cast<Real>(0.173648177666930348851716626769314796),
                   s2 = static_cast<Real>(0.984807753012208059366743024589523013),
                   c4 = static_cast<Real>(-0.939692620785908384054109277324731469),
                   s4 = static_cast<Real>(0.342020143325668733044099614682259580);
    switch (power) {
      case 1:
        return times(x, c1, -s1);
      case 2:
        return times(x, c2, -s2);
      case 4:
        return times(x, c4, -s4);
      default:
        return x;
    }
  }
};

template <class Real>
struct Butterfly<16, Real> {
  template <class Get, class Put>
  static WEFT_INLINE void run(const Get& get, const Put& put) {
    constexpr Real c = static_cast<Real>(0.923879532511286756128183189396788287),
                   s = static_cast<Real>(0.382683432365089771728459984030398867),
                   half = static_cast<Real>(std::numbers::sqrt2 / 2);
    std::array<std::array<Values<Real>, 4>, 4> rows;
    run_row<0>(get, rows[0]);
    run_row<1>(get, rows[1]);
    run_row<2>(get, rows[2]);
    run_row<3>(get, rows[3]);
    const auto& [r0, r1, r2, r3] = rows;
    // Column k has factors exp(-2 pi i k / 16), its square and its cube. The squares of columns 1
    // and 3, and the factors of column 2, are half of the square root of 2 times 1 - i or -1 - i.
    using Four = Butterfly<4, Real>;
    const auto column = [&](std::size_t k) WEFT_INLINE_LAMBDA {
      return [&put, k](std::size_t m, Values<Real> x) WEFT_INLINE_LAMBDA { put(4 * m + k, x); };
    };
    Four::finish(r0[0] + r2[0], r0[0] - r2[0], r1[0], r3[0], column(0));
    const auto a = times_1_minus_i(r2[1]);
    Four::finish(plus(r0[1], half, a), minus(r0[1], half, a), times(r1[1], c, -s),
                 times(r3[1], s, -c), column(1));
    const auto b = times_1_minus_i(r1[2]), d = times_minus_i(times_1_minus_i(r3[2]));
    const auto t = times_minus_i(r2[2]);
    Four::finish(r0[2] + t, r0[2] - t, b, d, half, column(2));
    const auto e = times_1_minus_i(r2[3]);
    Four::finish(minus_i(r0[3], half, e), plus_i(r0[3], half, e), times(r1[3], s, -c),
                 times(r3[3], -c, s), column(3));
  }

 private:
  template <std::size_t i, class Get>
  static WEFT_INLINE void run_row(const Get& get, std::array<Values<Real>, 4>& row) {
    Butterfly<4, Real>::run([&](std::size_t at) WEFT_INLINE_LAMBDA { return get(4 * at + i); },
                            [&](std::size_t k, Values<Real> x) WEFT_INLINE_LAMBDA { row[k] = x; });
  }
};

}  // namespace weft::WEFT_LANES
