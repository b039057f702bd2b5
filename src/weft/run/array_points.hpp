// run/array_points: the points of one side of a plan in a rank's array, and copies of them.
// Keeps: what lies between the points is neither read nor written, as it may belong to somebody
// else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/device/driver.hpp"
#include "weft/memory/box_copy.hpp"
#include "weft/share.hpp"

namespace weft {

/// The points of one side of a plan in this rank's array.
class ArrayPoints {
 public:
  ArrayPoints() = default;
  explicit ArrayPoints(const Share& share);
  /// Copies the points from one array to another one.
  void copy(const std::byte* from, std::byte* to) const;
  /// The same in a stream of a driver, between any kinds of memory. Allocates nothing.
  void enqueue_copy(DeviceDriver& driver, DeviceStream stream, const std::byte* from,
                    std::byte* to) const;

 private:
  // What drivers copy of a box in all fields: rows, again and again.
  struct Loop {
    std::int64_t times, apart;  // bytes
  };
  struct Rows {
    RowCopy rows;
    std::vector<Loop> loops;  // outermost first
  };
  struct Part {
    BoxCopy box;
    std::int64_t offset;  // bytes
    Rows rows;
  };
  Rows rows_of(const Layout& layout) const;

  std::vector<Part> parts_;
  std::int64_t bytes_ = 0;  // of the whole array, if it has nothing between its points; else 0
  std::int64_t element_bytes_ = 1, fields_ = 0, field_bytes_ = 0;
};

}  // namespace weft
