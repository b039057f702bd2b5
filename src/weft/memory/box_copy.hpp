// memory/box_copy: moving a box of points between two strided places.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "weft/base/ahead.hpp"
#include "weft/base/dims.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// Copies boxes of the same extents and strides between a tile in the cache ("near") and memory
/// ("far"). The loops are prepared once; what lies at different addresses shares them.
class BoxCopy {
 public:
  /// Strides in elements.
  BoxCopy(const Dims& extents, const Dims& near_strides, const Dims& far_strides);

  /// far -> near. Element size 4, 8 or 16 bytes.
  void load(std::byte* near, const std::byte* far, std::int64_t element_bytes) const;

  /// What a load of this from `far` will read; elements that lie apart are left out.
  void announce(const std::byte* far, std::int64_t element_bytes, Ahead& ahead) const;

  /// near -> far, every value times `factor`.
  /// With `streaming`, full cache lines go to memory without being read into the cache first: right
  /// for targets larger than the cache, which would be evicted before they are read again. The
  /// thread must then call finish_streaming() before others may read them.
  void store(const std::byte* near, std::byte* far, Scalar scalar, double factor,
             bool streaming) const;

  friend auto operator<=>(const BoxCopy&, const BoxCopy&) = default;

 private:
  struct Axis {
    std::int64_t n, near, far;
    friend auto operator<=>(const Axis&, const Axis&) = default;
  };

  template <class T, class Run>
  void for_each_row(T* near, T* far, const Run& run, int level = 0) const;
  template <class T>
  void load_as(std::byte* near, const std::byte* far) const;
  template <class T>
  void store_as(const std::byte* near, std::byte* far, double factor, bool streaming) const;
  std::int64_t bytes_ahead(std::int64_t element_bytes) const;

  // Largest far stride first; axes that continue each other are one.
  std::array<Axis, Dims::capacity> axes_{};
  int count_ = 0;
};

/// What this thread has stored with `streaming` is visible to all that it does afterwards.
void finish_streaming();

}  // namespace weft
