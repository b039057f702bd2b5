// weft/given_array: an array as an application gives it to one run of a plan.
// Floor: grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "weft/error.hpp"
#include "weft/share.hpp"

namespace weft {

/// Where an array begins, and what is known about it: of a vector or a span how many elements it
/// has, of a field all, of a pointer nothing. weft::Source and weft::Target make it from any of
/// these. The array, or the field, must live until the run has ended.
struct GivenArray {
  std::byte* data = nullptr;           ///< the first byte; a run writes only to its target
  std::int64_t elements = 0;           ///< their number, if element_bytes is not 0
  std::int64_t element_bytes = 0;      ///< bytes of an element; 0: their number is not known
  const Share* field_share = nullptr;  ///< of a field: what it holds, and how; else null
  /// Why there is no such array, if whoever gives it has found an error before: the run is then
  /// refused with it on all ranks.
  const Error* refusal = nullptr;

  /// Sets the number of elements and their size to those of `all`.
  template <class T>
  void set_elements(std::span<T> all) {
    elements = static_cast<std::int64_t>(all.size());
    element_bytes = sizeof(T);
  }
};

}  // namespace weft
