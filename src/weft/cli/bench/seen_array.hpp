// cli/bench/seen_array: the contents of an array, wherever it is, where the processor sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/memory.hpp"

namespace weft::cli {

/// The array itself, or a copy of one in memory of a device.
class SeenArray {
 public:
  SeenArray(void* array, std::int64_t bytes, Memory kind) : array_(array) {
    if (kind != Memory::device) return;
    copy_.resize(static_cast<std::size_t>(bytes));
    copy(array, copy_.data(), bytes);
  }

  void* data() { return copy_.empty() ? array_ : copy_.data(); }
  /// Puts what has been changed where the array is.
  void put_back() { copy(copy_.data(), array_, static_cast<std::int64_t>(copy_.size())); }

 private:
  void* array_;
  std::vector<std::byte> copy_;
};

}  // namespace weft::cli
