// memory/box_copy: moving a box of points between two strided places.
#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/base/dims.hpp"
#include "weft/base/scalar.hpp"

namespace weft {

/// A box of `extents` points at `near` (a tile in the cache) and at `far` (memory), each with its
/// strides in elements.
struct BoxCopy {
  Dims extents;
  std::byte* near;
  Dims near_strides;
  std::byte* far;
  Dims far_strides;
};

/// far -> near. Element size 4, 8 or 16 bytes.
void load(const BoxCopy& copy, std::int64_t element_bytes);

/// near -> far, every value times `factor`.
/// With `streaming`, full cache lines go to memory without being read into the cache first: right
/// for targets larger than the cache, which would be evicted before they are read again.
void store(const BoxCopy& copy, Scalar scalar, double factor, bool streaming);

}  // namespace weft
