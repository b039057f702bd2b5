// fft/lanes/vectors: vectors of a set of instructions, with one complex number in each lane.
// Keeps: everything is in a namespace of its own for each set of vector instructions. Include after
// all other headers, where a file of lanes has switched the instructions on and has defined
// WEFT_LANES (the namespace) and WEFT_LANES_BYTES (of a vector); 0 bytes: code for devices, of
// which every thread is a lane.
#pragma once

#include <cstdint>

namespace weft::WEFT_LANES {

#if defined(__CUDACC__) || defined(__HIPCC__)
#define WEFT_INLINE __host__ __device__ __forceinline__
#define WEFT_NO_INLINE __host__ __device__ __noinline__
#define WEFT_INLINE_LAMBDA __attribute__((always_inline))
#define WEFT_UNROLL _Pragma("unroll")
#else
#define WEFT_INLINE inline __attribute__((always_inline))
#define WEFT_NO_INLINE __attribute__((noinline))
#define WEFT_INLINE_LAMBDA __attribute__((always_inline))
#define WEFT_UNROLL
#endif

inline constexpr std::int64_t vector_bytes = WEFT_LANES_BYTES;

#if WEFT_LANES_BYTES == 0
template <class Real>
struct VectorOf {
  using type = Real;
};
#else
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
#endif

// a b + c, rounded once where the set of instructions has one for it. Nothing else in lanes is
// fused: they are compiled without contraction, which a compiler may do in one place and not in
// another, so that the last bits of a line would depend on how it lies in memory.
template <class Vector>
WEFT_INLINE Vector fmadd(Vector a, Vector b, Vector c) {
#if WEFT_LANES_BYTES > 0
  [[maybe_unused]] constexpr bool is_double = sizeof(a[0]) == sizeof(double);
#endif
#if WEFT_LANES_BYTES == 0
  return std::fma(a, b, c);
#elif WEFT_LANES_BYTES == 64
  if constexpr (is_double)
    return _mm512_fmadd_pd(a, b, c);
  else
    return _mm512_fmadd_ps(a, b, c);
#elif WEFT_LANES_BYTES == 32
  if constexpr (is_double)
    return _mm256_fmadd_pd(a, b, c);
  else
    return _mm256_fmadd_ps(a, b, c);
#elif defined(__aarch64__)
  if constexpr (is_double)
    return vfmaq_f64(c, a, b);
  else
    return vfmaq_f32(c, a, b);
#else
  return a * b + c;
#endif
}
// a b - c and c - a b: compilers join the change of sign with the instruction.
template <class Vector>
WEFT_INLINE Vector fmsub(Vector a, Vector b, Vector c) {
  return fmadd(a, b, -c);
}
template <class Vector>
WEFT_INLINE Vector fnmadd(Vector a, Vector b, Vector c) {
  return fmadd(-a, b, c);
}

// One number for all lanes; or one for each lane, as it is.
#if WEFT_LANES_BYTES > 0
template <class Real>
WEFT_INLINE typename VectorOf<Real>::type in_all_lanes(Real x) {
  return x - typename VectorOf<Real>::type{};
}
#endif
template <class Real>
WEFT_INLINE typename VectorOf<Real>::type in_all_lanes(typename VectorOf<Real>::type x) {
  return x;
}

// One complex number in each lane. For devices both halves are aligned together, so that they are
// loaded and stored together.
#if WEFT_LANES_BYTES == 0
#define WEFT_VALUES_ALIGNMENT alignas(2 * sizeof(Real))
#else
#define WEFT_VALUES_ALIGNMENT
#endif
template <class Real>
struct WEFT_VALUES_ALIGNMENT Values {
  using Vector = typename VectorOf<Real>::type;
  Vector re, im;

  friend WEFT_INLINE Values operator+(Values a, Values b) { return {a.re + b.re, a.im + b.im}; }
  friend WEFT_INLINE Values operator-(Values a, Values b) { return {a.re - b.re, a.im - b.im}; }
  friend WEFT_INLINE Values operator*(Real a, Values b) { return {a * b.re, a * b.im}; }
};
// Each factor is one for all lanes, or a vector with one for each lane.
template <class Real, class Factor>
WEFT_INLINE Values<Real> times(Values<Real> a, Factor re, Factor im) {
  const auto c = in_all_lanes<Real>(re), s = in_all_lanes<Real>(im);
  return {fmsub(a.re, c, a.im * s), fmadd(a.re, s, a.im * c)};
}
template <class Real>
WEFT_INLINE Values<Real> times_minus_i(Values<Real> a) {
  return {a.im, -a.re};
}
// c + s a, c - s a, c - i s a and c + i s a.
template <class Real>
WEFT_INLINE Values<Real> plus(Values<Real> c, Real s, Values<Real> a) {
  const auto all = in_all_lanes<Real>(s);
  return {fmadd(all, a.re, c.re), fmadd(all, a.im, c.im)};
}
template <class Real>
WEFT_INLINE Values<Real> minus(Values<Real> c, Real s, Values<Real> a) {
  const auto all = in_all_lanes<Real>(s);
  return {fnmadd(all, a.re, c.re), fnmadd(all, a.im, c.im)};
}
template <class Real>
WEFT_INLINE Values<Real> minus_i(Values<Real> c, Real s, Values<Real> a) {
  const auto all = in_all_lanes<Real>(s);
  return {fmadd(all, a.im, c.re), fnmadd(all, a.re, c.im)};
}
template <class Real>
WEFT_INLINE Values<Real> plus_i(Values<Real> c, Real s, Values<Real> a) {
  const auto all = in_all_lanes<Real>(s);
  return {fnmadd(all, a.im, c.re), fmadd(all, a.re, c.im)};
}
template <class Real>
WEFT_INLINE Values<Real> times_1_minus_i(Values<Real> a) {
  return {a.re + a.im, a.im - a.re};
}
#undef WEFT_VALUES_ALIGNMENT
// Vectors in memory, in registers. Compilers would copy a Values in pieces of other sizes, which
// the processor cannot forward to loads of vectors; and they would load what two operations use
// twice, once for each, although loads and stores are what steps of long radices are bound by.
template <class Vector>
WEFT_INLINE Vector in_register(Vector x) {
#if defined(__x86_64__)
  asm("" : "+v"(x));
#elif defined(__aarch64__)
  asm("" : "+w"(x));
#endif
  return x;
}
template <class Real>
WEFT_INLINE Values<Real> loaded(const Values<Real>& from) {
  return {in_register(from.re), in_register(from.im)};
}

}  // namespace weft::WEFT_LANES
