// memory/box_copy: the innermost loops of loading and storing.

#include "weft/memory/box_copy.hpp"

#include <algorithm>
#include <complex>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace weft {

namespace {

struct Axis {
  std::int64_t n, near, far;
};

// The axes of a copy, largest far stride first; axes that continue each other are one.
struct Nest {
  Axis axes[Dims::capacity];
  int count = 0;

  explicit Nest(const BoxCopy& copy) {
    for (int a = 0; a < copy.extents.size(); ++a) {
      if (copy.extents[a] == 1) continue;
      Axis axis{copy.extents[a], copy.near_strides[a], copy.far_strides[a]};
      int at = count++;
      for (; at > 0 && axes[at - 1].far < axis.far; --at) axes[at] = axes[at - 1];
      axes[at] = axis;
    }
    int last = 0;
    for (int a = 1; a < count; ++a) {
      Axis& outer = axes[last];
      const Axis& inner = axes[a];
      if (outer.near == inner.n * inner.near && outer.far == inner.n * inner.far)
        outer = {outer.n * inner.n, inner.near, inner.far};
      else
        axes[++last] = inner;
    }
    if (count > 0) count = last + 1;
    if (count == 0) axes[count++] = {1, 1, 1};
  }
};

// Calls run(near, far, inner axis) for every innermost line of the nest.
template <class T, class Run>
void for_each_line(const Nest& nest, T* near, T* far, const Run& run, int level = 0) {
  const Axis& axis = nest.axes[level];
  if (level + 1 == nest.count) {
    run(near, far, axis);
    return;
  }
  for (std::int64_t i = 0; i < axis.n; ++i)
    for_each_line(nest, near + i * axis.near, far + i * axis.far, run, level + 1);
}

// A value of so many bytes, aligned no more than its bytes are: a user's complex<float> is not
// aligned as a double is.
template <std::size_t bytes>
struct Bytes {
  std::byte values[bytes];
};

// How far behind a row of a load the row lies that should be on its way to the cache by then, in
// bytes; 0 where the processor sees for itself what comes next: in long rows, and in rows without
// gaps.
std::int64_t bytes_ahead(const Nest& nest, std::int64_t element_bytes) {
  constexpr std::int64_t rows_ahead = 8, long_row_bytes = 4096;
  if (nest.count < 2) return 0;
  const Axis &row = nest.axes[nest.count - 1], &rows = nest.axes[nest.count - 2];
  const bool is_short = row.far == 1 && row.n * element_bytes < long_row_bytes;
  return is_short && rows.far > row.n ? rows_ahead * rows.far * element_bytes : 0;
}

// Beyond the end of an array this does nothing.
inline void prefetch(const void* row, std::int64_t row_bytes, std::int64_t ahead) {
#ifdef __SSE2__
  constexpr std::int64_t line = 64;
  const auto begin = reinterpret_cast<std::uintptr_t>(row) + static_cast<std::uintptr_t>(ahead);
  for (std::int64_t i = 0; i < row_bytes; i += line)
    _mm_prefetch(reinterpret_cast<const char*>(begin + static_cast<std::uintptr_t>(i)),
                 _MM_HINT_T1);
#endif
}

template <class T>
void load_as(const BoxCopy& copy) {
  const Nest nest(copy);
  const std::int64_t ahead = bytes_ahead(nest, sizeof(T));
  for_each_line(nest, reinterpret_cast<T*>(copy.near), reinterpret_cast<T*>(copy.far),
                [ahead](T* near, const T* far, const Axis& axis) {
                  if (axis.near == 1 && axis.far == 1) {
                    const auto bytes = axis.n * static_cast<std::int64_t>(sizeof(T));
                    if (ahead > 0) prefetch(far, bytes, ahead);
                    std::memcpy(static_cast<void*>(near), far, static_cast<std::size_t>(bytes));
                    return;
                  }
                  for (std::int64_t i = 0; i < axis.n; ++i)
                    std::memcpy(near + i * axis.near, far + i * axis.far, sizeof(T));
                });
}

template <class T>
struct real_of {
  using type = T;
};
template <class T>
struct real_of<std::complex<T>> {
  using type = T;
};

template <class T>
void scale_run(T* far, const T* near, std::int64_t n, T factor) {
  for (std::int64_t i = 0; i < n; ++i) far[i] = near[i] * factor;
}

#ifdef __SSE2__
inline __m128d scaled(__m128d values, double factor) {
  return _mm_mul_pd(values, _mm_set1_pd(factor));
}
inline __m128 scaled(__m128 values, float factor) {
  return _mm_mul_ps(values, _mm_set1_ps(factor));
}
inline __m128d loaded(const double* at) { return _mm_loadu_pd(at); }
inline __m128 loaded(const float* at) { return _mm_loadu_ps(at); }
inline void streamed(double* at, __m128d values) { _mm_stream_pd(at, values); }
inline void streamed(float* at, __m128 values) { _mm_stream_ps(at, values); }

// Whole cache lines bypass the cache; the ragged ends do not.
template <class T>
void stream_run(T* far, const T* near, std::int64_t n, T factor) {
  constexpr std::int64_t line = 64 / sizeof(T), lane = 16 / sizeof(T);
  const auto address = reinterpret_cast<std::uintptr_t>(far);
  if (address % sizeof(T) != 0 || n < 2 * line) {
    scale_run(far, near, n, factor);
    return;
  }
  const auto head =
      std::min<std::int64_t>(n, static_cast<std::int64_t>((64 - address % 64) % 64 / sizeof(T)));
  scale_run(far, near, head, factor);
  std::int64_t i = head;
  for (; i + line <= n; i += line)
    for (std::int64_t k = 0; k < line; k += lane)
      streamed(far + i + k, scaled(loaded(near + i + k), factor));
  scale_run(far + i, near + i, n - i, factor);
}
#else
template <class T>
void stream_run(T* far, const T* near, std::int64_t n, T factor) {
  scale_run(far, near, n, factor);
}
#endif

template <class T>
void store_as(const BoxCopy& copy, double factor, bool streaming) {
  using Real = typename real_of<T>::type;
  constexpr std::int64_t reals = sizeof(T) / sizeof(Real);
  const auto by = static_cast<Real>(factor);
  for_each_line(Nest(copy), reinterpret_cast<T*>(copy.near), reinterpret_cast<T*>(copy.far),
                [&](const T* near, T* far, const Axis& axis) {
                  if (axis.near == 1 && axis.far == 1) {
                    auto* to = reinterpret_cast<Real*>(far);
                    const auto* from = reinterpret_cast<const Real*>(near);
                    if (streaming)
                      stream_run(to, from, axis.n * reals, by);
                    else if (by == 1)
                      std::memcpy(static_cast<void*>(far), near,
                                  static_cast<std::size_t>(axis.n) * sizeof(T));
                    else
                      scale_run(to, from, axis.n * reals, by);
                    return;
                  }
                  for (std::int64_t i = 0; i < axis.n; ++i)
                    far[i * axis.far] = near[i * axis.near] * by;
                });
}

}  // namespace

void load(const BoxCopy& copy, std::int64_t element_bytes) {
  switch (element_bytes) {
    case 4:
      load_as<Bytes<4>>(copy);
      return;
    case 8:
      load_as<Bytes<8>>(copy);
      return;
    case 16:
      load_as<Bytes<16>>(copy);
      return;
    default:
      ensure(false, element_bytes);
  }
}

void store(const BoxCopy& copy, Scalar scalar, double factor, bool streaming) {
  const bool single = scalar.precision == Precision::single_precision;
  if (scalar.is_complex && single)
    store_as<std::complex<float>>(copy, factor, streaming);
  else if (scalar.is_complex)
    store_as<std::complex<double>>(copy, factor, streaming);
  else if (single)
    store_as<float>(copy, factor, streaming);
  else
    store_as<double>(copy, factor, streaming);
}

}  // namespace weft
