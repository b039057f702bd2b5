// fft/lanes/lane_masks: loads and stores vectors of which only the first numbers belong to lines.
// Include after all other headers, as fft/lanes/vectors; WEFT_LANES_MASKS is 512 where masks are
// those of AVX-512, 2 where they are those of AVX2, and 0 where there are none.
#pragma once

#if WEFT_LANES_MASKS
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>

#include "weft/fft/lanes/vectors.hpp"

namespace weft::WEFT_LANES {

// The first `reals` of a vector, an even number of them. The others are not touched in memory, and
// zero in registers.
template <class Real>
struct Mask;

#if WEFT_LANES_MASKS == 512

template <class Real>
struct Mask {
  unsigned bits;
  explicit Mask(std::int64_t reals) : bits((1U << reals) - 1) {}

  using Vector = typename VectorOf<Real>::type;
  WEFT_INLINE Vector load(const Real* from) const {
    if constexpr (vector_bytes == 64 && sizeof(Real) == 8)
      return reinterpret_cast<Vector>(_mm512_maskz_loadu_pd(static_cast<__mmask8>(bits), from));
    else if constexpr (vector_bytes == 64)
      return reinterpret_cast<Vector>(_mm512_maskz_loadu_ps(static_cast<__mmask16>(bits), from));
    else if constexpr (sizeof(Real) == 8)
      return reinterpret_cast<Vector>(_mm256_maskz_loadu_pd(static_cast<__mmask8>(bits), from));
    else
      return reinterpret_cast<Vector>(_mm256_maskz_loadu_ps(static_cast<__mmask8>(bits), from));
  }
  WEFT_INLINE void store(Real* to, Vector values) const {
    if constexpr (vector_bytes == 64 && sizeof(Real) == 8)
      _mm512_mask_storeu_pd(to, static_cast<__mmask8>(bits), reinterpret_cast<__m512d>(values));
    else if constexpr (vector_bytes == 64)
      _mm512_mask_storeu_ps(to, static_cast<__mmask16>(bits), reinterpret_cast<__m512>(values));
    else if constexpr (sizeof(Real) == 8)
      _mm256_mask_storeu_pd(to, static_cast<__mmask8>(bits), reinterpret_cast<__m256d>(values));
    else
      _mm256_mask_storeu_ps(to, static_cast<__mmask8>(bits), reinterpret_cast<__m256>(values));
  }
};

#elif WEFT_LANES_MASKS == 2

// A complex number of floats is masked like a double.
template <class Real>
struct Mask {
  __m256i words;
  explicit Mask(std::int64_t reals) {
    const auto doubles = reals * static_cast<std::int64_t>(sizeof(Real)) / 8;
    const auto word = [&](std::int64_t i) { return i < doubles ? -1LL : 0LL; };
    words = _mm256_setr_epi64x(word(0), word(1), word(2), word(3));
  }

  using Vector = typename VectorOf<Real>::type;
  WEFT_INLINE Vector load(const Real* from) const {
    return reinterpret_cast<Vector>(
        _mm256_maskload_pd(reinterpret_cast<const double*>(from), words));
  }
  WEFT_INLINE void store(Real* to, Vector values) const {
    _mm256_maskstore_pd(reinterpret_cast<double*>(to), words, reinterpret_cast<__m256d>(values));
  }
};

#else

// Complex number by complex number, of which a vector of 16 bytes has one or two.
template <class Real>
struct Mask {
  std::int64_t reals;
  explicit Mask(std::int64_t reals_) : reals(reals_) {}

  using Vector = typename VectorOf<Real>::type;
  WEFT_INLINE Vector load(const Real* from) const {
    Vector values{};
    if (reals * static_cast<std::int64_t>(sizeof(Real)) >= vector_bytes)
      std::memcpy(&values, from, vector_bytes);
    else if (reals > 0)
      std::memcpy(&values, from, 2 * sizeof(Real));
    return values;
  }
  WEFT_INLINE void store(Real* to, Vector values) const {
    if (reals * static_cast<std::int64_t>(sizeof(Real)) >= vector_bytes)
      std::memcpy(to, &values, vector_bytes);
    else if (reals > 0)
      std::memcpy(to, &values, 2 * sizeof(Real));
  }
};

#endif

}  // namespace weft::WEFT_LANES
