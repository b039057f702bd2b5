// memory/box_copy: the innermost loops of loads and stores.

#include "weft/memory/box_copy.hpp"

#include <algorithm>
#include <complex>
#include <cstring>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace weft {

namespace {

// A value of `bytes` bytes without alignment: a user's complex<float> is aligned less strictly than
// a double.
template <std::size_t bytes>
struct Bytes {
  std::byte values[bytes];
};

// Prefetches the row that starts `distance` bytes after `row`; addresses beyond the end of an array
// are harmless.
inline void prefetch(const void* row, std::int64_t row_bytes, std::int64_t distance) {
#ifdef __SSE2__
  constexpr std::int64_t line = 64;
  const auto begin = reinterpret_cast<std::uintptr_t>(row) + static_cast<std::uintptr_t>(distance);
  for (std::int64_t i = 0; i < row_bytes; i += line)
    _mm_prefetch(reinterpret_cast<const char*>(  // NOLINT: no object need be there
                     begin + static_cast<std::uintptr_t>(i)),
                 _MM_HINT_T1);
#endif
}

template <class T>
struct real_of {
  using type = T;
};
template <class T>
struct real_of<std::complex<T>> {
  using type = T;
};

// The factor of values that are moved, not multiplied: elements may be no numbers, and a product
// with 1 changes the bits of some that are none, and of tiny ones where they count as zero.
struct Unchanged {
  template <class T>
  friend T operator*(T value, Unchanged) {
    return value;
  }
};

template <class T, class Factor>
void scale_run(T* far, const T* near, std::int64_t n, Factor factor) {
  for (std::int64_t i = 0; i < n; ++i) far[i] = near[i] * factor;
}
template <class T>
void scale_run(T* far, const T* near, std::int64_t n, Unchanged) {
  std::memcpy(static_cast<void*>(far), near, static_cast<std::size_t>(n) * sizeof(T));
}

#ifdef __SSE2__
inline __m128d scaled(__m128d values, double factor) {
  return _mm_mul_pd(values, _mm_set1_pd(factor));
}
inline __m128 scaled(__m128 values, float factor) {
  return _mm_mul_ps(values, _mm_set1_ps(factor));
}
template <class Vector>
Vector scaled(Vector values, Unchanged) {
  return values;
}
inline __m128d loaded(const double* at) { return _mm_loadu_pd(at); }
inline __m128 loaded(const float* at) { return _mm_loadu_ps(at); }
inline void streamed(double* at, __m128d values) { _mm_stream_pd(at, values); }
inline void streamed(float* at, __m128 values) { _mm_stream_ps(at, values); }

template <class T, class Factor>
void stream_lines(T* far, const T* near, std::int64_t n, Factor factor) {
  constexpr std::int64_t lane = 16 / sizeof(T);
  for (std::int64_t i = 0; i < n; i += lane) streamed(far + i, scaled(loaded(near + i), factor));
}

// With two stores per cache line instead of four, storing takes 0.6 of the time.
__attribute__((target("avx"))) void stream_lines_avx(double* far, const double* near,
                                                     std::int64_t n, double factor) {
  const __m256d by = _mm256_set1_pd(factor);
  for (std::int64_t i = 0; i < n; i += 4)
    _mm256_stream_pd(far + i, _mm256_mul_pd(_mm256_loadu_pd(near + i), by));
}
__attribute__((target("avx"))) void stream_lines_avx(float* far, const float* near, std::int64_t n,
                                                     float factor) {
  const __m256 by = _mm256_set1_ps(factor);
  for (std::int64_t i = 0; i < n; i += 8)
    _mm256_stream_ps(far + i, _mm256_mul_ps(_mm256_loadu_ps(near + i), by));
}

__attribute__((target("avx"))) void stream_lines_avx(double* far, const double* near,
                                                     std::int64_t n, Unchanged) {
  for (std::int64_t i = 0; i < n; i += 4) _mm256_stream_pd(far + i, _mm256_loadu_pd(near + i));
}
__attribute__((target("avx"))) void stream_lines_avx(float* far, const float* near, std::int64_t n,
                                                     Unchanged) {
  for (std::int64_t i = 0; i < n; i += 8) _mm256_stream_ps(far + i, _mm256_loadu_ps(near + i));
}

// Whole cache lines bypass the cache; partial lines at the ends do not.
template <class T, class Factor>
void stream_run(T* far, const T* near, std::int64_t n, Factor factor) {
  static const bool has_avx = __builtin_cpu_supports("avx");
  constexpr std::int64_t line = 64 / sizeof(T);
  const auto address = reinterpret_cast<std::uintptr_t>(far);
  if (address % sizeof(T) != 0 || n < 2 * line) {
    scale_run(far, near, n, factor);
    return;
  }
  const auto head =
      std::min<std::int64_t>(n, static_cast<std::int64_t>((64 - address % 64) % 64 / sizeof(T)));
  scale_run(far, near, head, factor);
  const std::int64_t whole = (n - head) / line * line, tail = head + whole;
  if (has_avx)
    stream_lines_avx(far + head, near + head, whole, factor);
  else
    stream_lines(far + head, near + head, whole, factor);
  scale_run(far + tail, near + tail, n - tail, factor);
}

// The same from strided elements of 8 or 16 bytes.
inline __m128d element(const std::complex<double>* at, std::int64_t) {
  return _mm_loadu_pd(reinterpret_cast<const double*>(at));
}
inline __m128 element(const std::complex<float>* at, std::int64_t stride) {
  const __m128 low = _mm_castpd_ps(_mm_load_sd(reinterpret_cast<const double*>(at)));
  return _mm_loadh_pi(low, reinterpret_cast<const __m64*>(at + stride));
}
template <class Real, class Factor>
void stream_strided(std::complex<Real>* far, const std::complex<Real>* near, std::int64_t stride,
                    std::int64_t n, Factor factor) {
  using T = std::complex<Real>;
  constexpr std::int64_t line = 64 / sizeof(T), lane = 16 / sizeof(T);
  const auto address = reinterpret_cast<std::uintptr_t>(far);
  std::int64_t i = 0;
  if (address % sizeof(T) == 0) {
    const auto head =
        std::min<std::int64_t>(n, static_cast<std::int64_t>((64 - address % 64) % 64 / sizeof(T)));
    for (; i < head; ++i) far[i] = near[i * stride] * factor;
    for (; i + line <= n; i += line)
      for (std::int64_t k = i; k < i + line; k += lane)
        streamed(reinterpret_cast<Real*>(far + k),
                 scaled(element(near + k * stride, stride), factor));
  }
  for (; i < n; ++i) far[i] = near[i * stride] * factor;
}
#else
template <class Real, class Factor>
void stream_strided(std::complex<Real>* far, const std::complex<Real>* near, std::int64_t stride,
                    std::int64_t n, Factor factor) {
  for (std::int64_t i = 0; i < n; ++i) far[i] = near[i * stride] * factor;
}
template <class T, class Factor>
void stream_run(T* far, const T* near, std::int64_t n, Factor factor) {
  scale_run(far, near, n, factor);
}
#endif

}  // namespace

BoxCopy::BoxCopy(const Dims& extents, const Dims& near_strides, const Dims& far_strides) {
  const auto axis_at = [&](int i) -> Axis& { return axes_[static_cast<std::size_t>(i)]; };
  for (int a = 0; a < extents.size(); ++a) {
    if (extents[a] == 1) continue;
    const Axis axis{extents[a], near_strides[a], far_strides[a]};
    int at = count_++;
    for (; at > 0 && axis_at(at - 1).far < axis.far; --at) axis_at(at) = axis_at(at - 1);
    axis_at(at) = axis;
  }
  if (count_ == 0) axis_at(count_++) = {1, 1, 1};
  int last = 0;
  for (int a = 1; a < count_; ++a) {
    Axis& outer = axis_at(last);
    const Axis inner = axis_at(a);
    if (outer.near == inner.n * inner.near && outer.far == inner.n * inner.far)
      outer = {outer.n * inner.n, inner.near, inner.far};
    else
      axis_at(++last) = inner;
  }
  count_ = last + 1;
  // Clears the entries of merged axes, so that equal copies compare equal.
  std::fill(axes_.begin() + count_, axes_.end(), Axis{});
}

// Calls run(near, far, innermost axis) for every innermost line.
template <class T, class Run>
void BoxCopy::for_each_row(T* near, T* far, const Run& run, int level) const {
  const Axis& axis = axes_[static_cast<std::size_t>(level)];
  if (level + 1 == count_) {
    run(near, far, axis);
    return;
  }
  for (std::int64_t i = 0; i < axis.n; ++i)
    for_each_row(near + i * axis.near, far + i * axis.far, run, level + 1);
}

// Prefetch distance of a load in bytes; 0 for long rows and for rows without gaps, where the
// hardware prefetcher suffices. Measured for both constants (docs/lab, "First measurements in the
// library").
std::int64_t BoxCopy::prefetch_distance(std::int64_t element_bytes) const {
  constexpr std::int64_t rows_ahead = 8, long_row_bytes = 4096;
  if (count_ < 2) return 0;
  const Axis& row = axes_[static_cast<std::size_t>(count_ - 1)];
  const Axis& rows = axes_[static_cast<std::size_t>(count_ - 2)];
  const bool is_short = row.far == 1 && row.n * element_bytes < long_row_bytes;
  return is_short && rows.far > row.n ? rows_ahead * rows.far * element_bytes : 0;
}

void BoxCopy::load(std::byte* near, const std::byte* far, std::int64_t element_bytes) const {
  const std::int64_t distance = prefetch_distance(element_bytes);
  const auto load_row = [distance]<class T>(T* to, const T* from, const Axis& axis) {
    if (axis.near == 1 && axis.far == 1) {
      const auto bytes = axis.n * static_cast<std::int64_t>(sizeof(T));
      if (distance > 0) prefetch(from, bytes, distance);
      std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(bytes));
      return;
    }
    for (std::int64_t i = 0; i < axis.n; ++i)
      std::memcpy(to + i * axis.near, from + i * axis.far, sizeof(T));
  };
  // for_each_row takes one pointer type for both; `far` is only read.
  auto* const from = const_cast<std::byte*>(far);
  switch (element_bytes) {
    case 4:
      return for_each_row(reinterpret_cast<Bytes<4>*>(near), reinterpret_cast<Bytes<4>*>(from),
                          load_row);
    case 8:
      return for_each_row(reinterpret_cast<Bytes<8>*>(near), reinterpret_cast<Bytes<8>*>(from),
                          load_row);
    case 16:
      return for_each_row(reinterpret_cast<Bytes<16>*>(near), reinterpret_cast<Bytes<16>*>(from),
                          load_row);
    default:
      ensure(false, element_bytes);
  }
}

void BoxCopy::queue_prefetch(const std::byte* far, std::int64_t element_bytes,
                             PrefetchQueue& queue) const {
  const Axis& row = axes_[static_cast<std::size_t>(count_ - 1)];
  if (row.far != 1) return;
  const std::int64_t bytes = row.n * element_bytes;
  if (count_ == 1) {
    queue.add({far, 1, 0, bytes});
    return;
  }
  const Axis& rows = axes_[static_cast<std::size_t>(count_ - 2)];
  const auto add = [&](auto&& again, const std::byte* from, int level) -> void {
    if (level + 2 == count_) {
      queue.add({from, rows.n, rows.far * element_bytes, bytes});
      return;
    }
    const Axis& axis = axes_[static_cast<std::size_t>(level)];
    for (std::int64_t i = 0; i < axis.n && queue.has_room(); ++i)
      again(again, from + i * axis.far * element_bytes, level + 1);
  };
  add(add, far, 0);
}

template <class T>
void BoxCopy::store_as(const std::byte* near, std::byte* far, double factor, bool streaming) const {
  if (factor == 1)
    store_times<T>(near, far, Unchanged{}, streaming);
  else
    store_times<T>(near, far, static_cast<typename real_of<T>::type>(factor), streaming);
}

template <class T, class Factor>
void BoxCopy::store_times(const std::byte* near, std::byte* far, Factor by, bool streaming) const {
  using Real = typename real_of<T>::type;
  constexpr int reals = std::is_same_v<T, Real> ? 1 : 2;
  for_each_row(reinterpret_cast<T*>(const_cast<std::byte*>(near)), reinterpret_cast<T*>(far),
               [by, streaming](const T* from, T* to, const Axis& axis) {
                 if constexpr (reals == 2) {
                   if (streaming && axis.near != 1 && axis.far == 1) {
                     stream_strided(to, from, axis.near, axis.n, by);
                     return;
                   }
                 }
                 if (axis.near != 1 || axis.far != 1) {
                   for (std::int64_t i = 0; i < axis.n; ++i)
                     to[i * axis.far] = from[i * axis.near] * by;
                   return;
                 }
                 auto* reals_to = reinterpret_cast<Real*>(to);
                 const auto* reals_from = reinterpret_cast<const Real*>(from);
                 if (streaming)
                   stream_run(reals_to, reals_from, axis.n * reals, by);
                 else
                   scale_run(reals_to, reals_from, axis.n * reals, by);
               });
}

void BoxCopy::store(const std::byte* near, std::byte* far, Scalar scalar, double factor,
                    bool streaming) const {
  const bool single = scalar.precision == Precision::single_precision;
  if (scalar.is_complex && single)
    store_as<std::complex<float>>(near, far, factor, streaming);
  else if (scalar.is_complex)
    store_as<std::complex<double>>(near, far, factor, streaming);
  else if (single)
    store_as<float>(near, far, factor, streaming);
  else
    store_as<double>(near, far, factor, streaming);
}

bool BoxCopy::has_rows() const {
  const Axis& row = axes_[static_cast<std::size_t>(count_ - 1)];
  return row.near == 1 && row.far == 1;
}

// What is copied next is prefetched piece by piece. Behind the end of a row, that is the next row,
// which the hardware prefetcher does not know where rows are far apart.
void BoxCopy::copy(const std::byte* near, std::byte* far, std::int64_t element_bytes,
                   bool streaming) const {
  constexpr std::int64_t piece_bytes = 512, ahead_bytes = 4096;
  const Axis& inner = axes_[static_cast<std::size_t>(count_ - 1)];
  const std::int64_t row_bytes = inner.n * element_bytes;
  const std::int64_t rows_ahead = std::max<std::int64_t>(1, ahead_bytes / row_bytes);
  const std::int64_t distance =
      count_ < 2 || row_bytes > 2 * ahead_bytes
          ? ahead_bytes
          : rows_ahead * axes_[static_cast<std::size_t>(count_ - 2)].near * element_bytes;
  const auto copy_row = [&]<class T>(const T* from, T* to, const Axis&) {
    for (std::int64_t at = 0; at < row_bytes; at += piece_bytes) {
      const std::int64_t bytes = std::min(piece_bytes, row_bytes - at);
      const auto* piece = reinterpret_cast<const std::byte*>(from) + at;
      auto* const into = reinterpret_cast<std::byte*>(to) + at;
      prefetch(piece, bytes, distance);
      if (streaming)
        stream_run(reinterpret_cast<float*>(into), reinterpret_cast<const float*>(piece),
                   bytes / static_cast<std::int64_t>(sizeof(float)), Unchanged{});
      else
        std::memcpy(into, piece, static_cast<std::size_t>(bytes));
    }
  };
  // for_each_row takes one pointer type for both; `near` is only read.
  auto* const from = const_cast<std::byte*>(near);
  switch (element_bytes) {
    case 4:
      return for_each_row(reinterpret_cast<Bytes<4>*>(from), reinterpret_cast<Bytes<4>*>(far),
                          copy_row);
    case 8:
      return for_each_row(reinterpret_cast<Bytes<8>*>(from), reinterpret_cast<Bytes<8>*>(far),
                          copy_row);
    case 16:
      return for_each_row(reinterpret_cast<Bytes<16>*>(from), reinterpret_cast<Bytes<16>*>(far),
                          copy_row);
    default:
      ensure(false, element_bytes);
  }
}

void finish_streaming() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace weft
