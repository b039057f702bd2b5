// memory/box_copy: copies a box of points between two strided layouts.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "weft/base/dims_text.hpp"
#include "weft/base/prefetch_queue.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// Copies boxes of the same extents and strides between a tile in the cache ("near") and memory
/// ("far"). The loops are prepared once and used for any addresses.
class BoxCopy {
 public:
  /// Strides in elements.
  BoxCopy(const Dims& extents, const Dims& near_strides, const Dims& far_strides);

  /// Copies from far to near. Elements have 4, 8 or 16 bytes.
  void load(std::byte* near, const std::byte* far, std::int64_t element_bytes) const;

  /// Adds the rows that a load from `far` will read to `queue`, unless their elements are strided.
  void queue_prefetch(const std::byte* far, std::int64_t element_bytes, PrefetchQueue& queue) const;

  /// Copies from near to far, and multiplies every value by `factor`; with the factor 1, bits are
  /// moved.
  /// With `streaming`, stores of full cache lines bypass the cache: this suits targets that are
  /// larger than the cache, which would be evicted before they are read again. The thread must then
  /// call finish_streaming() before other threads may read the values.
  void store(const std::byte* near, std::byte* far, Scalar scalar, double factor,
             bool streaming) const;

  /// Whether the points of a row are adjacent on both sides, so that copy() suits it.
  bool has_rows() const;
  /// Copies from near to far where both are in memory: rows of `near` are prefetched. Otherwise as
  /// store() with the factor 1.
  void copy(const std::byte* near, std::byte* far, std::int64_t element_bytes,
            bool streaming) const;

  friend auto operator<=>(const BoxCopy&, const BoxCopy&) = default;

 private:
  struct Axis {
    std::int64_t n, near, far;
    friend auto operator<=>(const Axis&, const Axis&) = default;
  };

  template <class T, class Run>
  void for_each_row(T* near, T* far, const Run& run, int level = 0) const;
  template <class T, class Factor>
  void store_times(const std::byte* near, std::byte* far, Factor by, bool streaming) const;
  template <class T>
  void store_as(const std::byte* near, std::byte* far, double factor, bool streaming) const;
  std::int64_t prefetch_distance(std::int64_t element_bytes) const;

  // Largest far stride first; axes that are contiguous with each other are merged.
  std::array<Axis, Dims::capacity> axes_{};
  int count_ = 0;
};

/// Orders what this thread has stored with `streaming` before all that it does afterwards.
void finish_streaming();

}  // namespace weft
