// fft/butterflies: forward transforms of a few points, with one complex number in each vector lane.
// Keeps: everything is in a namespace of its own for each set of vector instructions. Include after
// all other headers, where a file of lanes has switched the instructions on and has defined
// WEFT_LANES (the namespace) and WEFT_LANES_BYTES (of a vector).
#pragma once

#include <array>
#include <cstdint>
#include <numbers>
#include <utility>

namespace weft::WEFT_LANES {

#define WEFT_INLINE inline __attribute__((always_inline))

inline constexpr std::int64_t vector_bytes = WEFT_LANES_BYTES;

template <class Real>
struct VectorOf;
template <>
struct VectorOf<double> {
  typedef double type __attribute__((vector_size(WEFT_LANES_BYTES)));
};
template <>
struct VectorOf<float> {
  typedef float type __attribute__((vector_size(WEFT_LANES_BYTES)));
};

// One complex number in each lane.
template <class Real>
struct Values {
  using Vector = typename VectorOf<Real>::type;
  Vector re, im;

  friend WEFT_INLINE Values operator+(Values a, Values b) { return {a.re + b.re, a.im + b.im}; }
  friend WEFT_INLINE Values operator-(Values a, Values b) { return {a.re - b.re, a.im - b.im}; }
  friend WEFT_INLINE Values operator*(Real a, Values b) { return {a * b.re, a * b.im}; }
};
// Each factor is one for all lanes, or a vector with one for each lane.
template <class Real, class Factor>
WEFT_INLINE Values<Real> times(Values<Real> a, Factor re, Factor im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}
template <class Real>
WEFT_INLINE Values<Real> times_minus_i(Values<Real> a) {
  return {a.im, -a.re};
}
// Times exp(-2 pi i / 8), and its cube.
template <class Real>
WEFT_INLINE Values<Real> times_w8(Values<Real> a) {
  constexpr auto half = static_cast<Real>(std::numbers::sqrt2 / 2);
  return {half * (a.re + a.im), half * (a.im - a.re)};
}
template <class Real>
WEFT_INLINE Values<Real> times_w8_cubed(Values<Real> a) {
  constexpr auto half = static_cast<Real>(std::numbers::sqrt2 / 2);
  return {half * (a.im - a.re), -half * (a.re + a.im)};
}

template <int points, class Real>
struct Butterfly;

template <class Real>
struct Butterfly<2, Real> {
  static WEFT_INLINE void run(std::array<Values<Real>, 2>& x) {
    const auto sum = x[0] + x[1];
    x[1] = x[0] - x[1];
    x[0] = sum;
  }
};

template <class Real>
struct Butterfly<3, Real> {
  static WEFT_INLINE void run(std::array<Values<Real>, 3>& x) {
    constexpr auto sine = static_cast<Real>(std::numbers::sqrt3 / 2);
    const auto sum = x[1] + x[2], t = x[0] - Real(0.5) * sum;
    const auto v = times_minus_i(sine * (x[1] - x[2]));
    x[0] = x[0] + sum;
    x[1] = t + v;
    x[2] = t - v;
  }
};

template <class Real>
struct Butterfly<4, Real> {
  static WEFT_INLINE void run(std::array<Values<Real>, 4>& x) { run(x[0], x[1], x[2], x[3]); }
  static WEFT_INLINE void run(Values<Real>& a, Values<Real>& b, Values<Real>& c, Values<Real>& d) {
    const auto s = a + c, t = a - c, u = b + d, v = times_minus_i(b - d);
    a = s + u;
    b = t + v;
    c = s - u;
    d = t - v;
  }
};

template <class Real>
struct Butterfly<5, Real> {
  static WEFT_INLINE void run(std::array<Values<Real>, 5>& x) {
    // Cosines and sines of 2 pi / 5 and 4 pi / 5.
    constexpr auto c1 = static_cast<Real>(0.309016994374947424102293417182819059),
                   c2 = static_cast<Real>(-0.809016994374947424102293417182819059),
                   s1 = static_cast<Real>(0.951056516295153572116439333379382143),
                   s2 = static_cast<Real>(0.587785252292473129168705954639072769);
    const auto a = x[1] + x[4], b = x[2] + x[3], c = x[1] - x[4], d = x[2] - x[3];
    const auto t1 = x[0] + c1 * a + c2 * b, t2 = x[0] + c2 * a + c1 * b;
    const auto v1 = times_minus_i(s1 * c + s2 * d), v2 = times_minus_i(s2 * c - s1 * d);
    x[0] = x[0] + a + b;
    x[1] = t1 + v1;
    x[2] = t2 + v2;
    x[3] = t2 - v2;
    x[4] = t1 - v1;
  }
};

template <class Real>
struct Butterfly<7, Real> {
  static WEFT_INLINE void run(std::array<Values<Real>, 7>& x) {
    // Cosines and sines of 2 pi / 7, 4 pi / 7 and 6 pi / 7.
    constexpr auto c1 = static_cast<Real>(0.623489801858733530525004884004239811),
                   c2 = static_cast<Real>(-0.222520933956314404288902564496794759),
                   c3 = static_cast<Real>(-0.900968867902419126236102319507445051),
                   s1 = static_cast<Real>(0.781831482468029808708444526674057750),
                   s2 = static_cast<Real>(0.974927912181823607018131682993931217),
                   s3 = static_cast<Real>(0.433883739117558120475768332848358755);
    const auto a = x[1] + x[6], b = x[2] + x[5], c = x[3] + x[4];
    const auto d = x[1] - x[6], e = x[2] - x[5], f = x[3] - x[4];
    const auto t1 = x[0] + c1 * a + c2 * b + c3 * c, t2 = x[0] + c2 * a + c3 * b + c1 * c,
               t3 = x[0] + c3 * a + c1 * b + c2 * c;
    const auto v1 = times_minus_i(s1 * d + s2 * e + s3 * f),
               v2 = times_minus_i(s2 * d - s3 * e - s1 * f),
               v3 = times_minus_i(s3 * d - s1 * e + s2 * f);
    x = {x[0] + a + b + c, t1 + v1, t2 + v2, t3 + v3, t3 - v3, t2 - v2, t1 - v1};
  }
};

template <class Real>
struct Butterfly<8, Real> {
  static WEFT_INLINE void run(std::array<Values<Real>, 8>& x) {
    Butterfly<4, Real>::run(x[0], x[2], x[4], x[6]);
    Butterfly<4, Real>::run(x[1], x[3], x[5], x[7]);
    const auto e0 = x[0], e1 = x[2], e2 = x[4], e3 = x[6];
    const auto o0 = x[1], o1 = times_w8(x[3]), o2 = times_minus_i(x[5]), o3 = times_w8_cubed(x[7]);
    x = {e0 + o0, e1 + o1, e2 + o2, e3 + o3, e0 - o0, e1 - o1, e2 - o2, e3 - o3};
  }
};

// Two lengths without a common factor need no twiddle factors between them (Good 1958): point
// (b i + a k) mod ab is point k of row i, and frequency m is found at (m mod a, m mod b).
template <int a, int b, class Real>
struct ButterflyOfTwo {
  template <std::size_t... i>
  static WEFT_INLINE void run_all(std::array<Values<Real>, static_cast<std::size_t>(a* b)>& x,
                                  std::index_sequence<i...>) {
    std::array<std::array<Values<Real>, b>, a> rows;
    ((rows[i / b][i % b] = x[(b * (i / b) + a * (i % b)) % (a * b)]), ...);
    run_rows(rows, std::make_index_sequence<a>());
    std::array<std::array<Values<Real>, a>, b> columns;
    ((columns[i / a][i % a] = rows[i % a][i / a]), ...);
    run_columns(columns, std::make_index_sequence<b>());
    ((x[i] = columns[i % b][i % a]), ...);
  }
  template <std::size_t... i>
  static WEFT_INLINE void run_rows(std::array<std::array<Values<Real>, b>, a>& rows,
                                   std::index_sequence<i...>) {
    (Butterfly<b, Real>::run(rows[i]), ...);
  }
  template <std::size_t... i>
  static WEFT_INLINE void run_columns(std::array<std::array<Values<Real>, a>, b>& columns,
                                      std::index_sequence<i...>) {
    (Butterfly<a, Real>::run(columns[i]), ...);
  }
  static WEFT_INLINE void run(std::array<Values<Real>, static_cast<std::size_t>(a* b)>& x) {
    run_all(x, std::make_index_sequence<static_cast<std::size_t>(a * b)>());
  }
};
template <class Real>
struct Butterfly<6, Real> : ButterflyOfTwo<2, 3, Real> {};
template <class Real>
struct Butterfly<10, Real> : ButterflyOfTwo<2, 5, Real> {};
template <class Real>
struct Butterfly<12, Real> : ButterflyOfTwo<4, 3, Real> {};

// 16 = 4 x 4 and 9 = 3 x 3, with twiddle factors between rows and columns.
template <class Real>
struct Butterfly<16, Real> {
  static WEFT_INLINE void run(std::array<Values<Real>, 16>& x) {
    constexpr Real c = static_cast<Real>(0.923879532511286756128183189396788287),
                   s = static_cast<Real>(0.382683432365089771728459984030398867);
    Butterfly<4, Real>::run(x[0], x[4], x[8], x[12]);
    Butterfly<4, Real>::run(x[1], x[5], x[9], x[13]);
    Butterfly<4, Real>::run(x[2], x[6], x[10], x[14]);
    Butterfly<4, Real>::run(x[3], x[7], x[11], x[15]);
    x[5] = times(x[5], c, -s);
    x[6] = times_w8(x[6]);
    x[7] = times(x[7], s, -c);
    x[9] = times_w8(x[9]);
    x[10] = times_minus_i(x[10]);
    x[11] = times_w8_cubed(x[11]);
    x[13] = times(x[13], s, -c);
    x[14] = times_w8_cubed(x[14]);
    x[15] = times(x[15], -c, s);
    Butterfly<4, Real>::run(x[0], x[1], x[2], x[3]);
    Butterfly<4, Real>::run(x[4], x[5], x[6], x[7]);
    Butterfly<4, Real>::run(x[8], x[9], x[10], x[11]);
    Butterfly<4, Real>::run(x[12], x[13], x[14], x[15]);
    x = {x[0], x[4], x[8],  x[12], x[1], x[5], x[9],  x[13],
         x[2], x[6], x[10], x[14], x[3], x[7], x[11], x[15]};
  }
};
template <class Real>
struct Butterfly<9, Real> {
  static WEFT_INLINE void run(std::array<Values<Real>, 9>& x) {
    constexpr Real c1 = static_cast<Real>(0.766044443118978035202392650555416673),
                   s1 = static_cast<Real>(0.642787609686539326322643409907263433),
                   c2 = static_cast<Real>(0.173648177666930348851716626769314796),
                   s2 = static_cast<Real>(0.984807753012208059366743024589523013),
                   c4 = static_cast<Real>(-0.939692620785908384054109277324731469),
                   s4 = static_cast<Real>(0.342020143325668733044099614682259580);
    std::array<Values<Real>, 3> a{x[0], x[3], x[6]}, b{x[1], x[4], x[7]}, d{x[2], x[5], x[8]};
    Butterfly<3, Real>::run(a);
    Butterfly<3, Real>::run(b);
    Butterfly<3, Real>::run(d);
    std::array<Values<Real>, 3> e{a[0], b[0], d[0]},
        f{a[1], times(b[1], c1, -s1), times(d[1], c2, -s2)},
        g{a[2], times(b[2], c2, -s2), times(d[2], c4, -s4)};
    Butterfly<3, Real>::run(e);
    Butterfly<3, Real>::run(f);
    Butterfly<3, Real>::run(g);
    x = {e[0], f[0], g[0], e[1], f[1], g[1], e[2], f[2], g[2]};
  }
};

}  // namespace weft::WEFT_LANES
