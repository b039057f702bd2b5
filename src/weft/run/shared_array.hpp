// run/shared_array: users' arrays where the other ranks of the node can work on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "weft/memory/segment.hpp"
#include "weft/run/execution.hpp"

namespace weft {

/// Zeroed memory for a field: a Segment if `shared`, else a Buffer.
std::shared_ptr<std::byte> field_memory(std::int64_t bytes, bool shared, int threads);

/// One side of a plan: the arrays that are given to it, and memory that stands in for those the
/// node cannot see.
class SharedArray {
 public:
  /// Of `bytes` bytes; zero where nobody else works on them.
  explicit SharedArray(std::int64_t bytes = 0) : bytes_(bytes) {}

  /// `array`, if a Segment of this process holds it; else the stand-in, made when it is first
  /// needed.
  ArrayPlace place(std::byte* array);
  /// Copies the array to (from) the stand-in, if that is what `place` says.
  void load(const ArrayPlace& place, const std::byte* array) const;
  void store(const ArrayPlace& place, std::byte* array) const;

  std::int64_t stand_in_bytes() const { return stand_in_.bytes(); }

 private:
  bool stands_in(const ArrayPlace& place) const {
    return stand_in_.bytes() > 0 && place.data == stand_in_.data();
  }

  std::int64_t bytes_;
  Segment stand_in_;
};

}  // namespace weft
