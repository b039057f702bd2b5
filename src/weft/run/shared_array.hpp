// run/shared_array: puts users' arrays where the other ranks of the node can work on them.
// Keeps: arrays that are already in shared memory are not copied, and what lies between the points
// of an array is neither read nor written, as it may belong to somebody else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weft/memory/box_copy.hpp"
#include "weft/memory/shared_region.hpp"
#include "weft/run/execution.hpp"
#include "weft/share.hpp"

namespace weft {

/// Makes zeroed memory for a field: a SharedRegion if `shared`, else a Buffer.
std::shared_ptr<std::byte> field_memory(std::int64_t bytes, bool shared, int threads);

/// The points of one side of a plan in this rank's array.
class ArrayPoints {
 public:
  ArrayPoints() = default;
  explicit ArrayPoints(const Share& share);
  /// Copies the points, and nothing that lies between them, from one array to another one.
  void copy(const std::byte* from, std::byte* to) const;

 private:
  struct Part {
    BoxCopy box;
    std::int64_t offset;  // bytes
  };
  std::vector<Part> parts_;
  std::int64_t bytes_ = 0;  // of the whole array, if it has nothing between its points; else 0
  std::int64_t element_bytes_ = 1, fields_ = 0, field_bytes_ = 0;
};

/// The input or the output of a plan: the arrays that users give to its runs, and shared memory
/// that replaces arrays that other ranks of the node cannot map, called the stand-in.
class SharedArray {
 public:
  /// `bytes` is the size of the arrays, or 0 if no other rank works on them.
  explicit SharedArray(std::int64_t bytes = 0) : bytes_(bytes) {}

  /// Where a run works on `array`: in place if a SharedRegion of this process holds it or no other
  /// rank works on it, else in the stand-in, which is made when it is first needed.
  ArrayPlace place(std::byte* array);
  /// Copies the points of the array to the stand-in, if `place` is the stand-in.
  void load(const ArrayPlace& place, const std::byte* array, const ArrayPoints& points) const;
  /// Copies the points of the stand-in to the array, if `place` is the stand-in.
  void store(const ArrayPlace& place, std::byte* array, const ArrayPoints& points) const;

  /// Bytes of the stand-in; 0 if it has not been made.
  std::int64_t stand_in_bytes() const { return stand_in_.bytes(); }

 private:
  bool stands_in(const ArrayPlace& place) const {
    return stand_in_.bytes() > 0 && place.data == stand_in_.data();
  }

  std::int64_t bytes_;
  SharedRegion stand_in_;
};

}  // namespace weft
