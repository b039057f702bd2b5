// files/array_header: what an array in a file is, whatever the format of the file.
#pragma once

#include <cstdint>
#include <string>

#include "weft/base/dims_text.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// The elements and the shape of an array in a file, and where its bytes are if they follow each
/// other.
struct ArrayHeader {
  Scalar scalar;
  bool is_big_endian = false;
  bool is_fortran = false;  ///< the first axis is contiguous
  Extents shape;            ///< as in NumPy
  /// The byte of the file at which the elements begin; -1 if they do not follow each other, or
  /// there are none yet.
  std::int64_t data_start_bytes = 0;
  Extents chunks;  ///< the shape of the chunks that the array is stored in; empty if there are none

  /// Extents in C order: the axes of a Fortran array are reversed.
  Extents c_extents() const;
  /// The axis of c_extents() that corresponds to NumPy's `axis`.
  int c_axis(int axis) const { return is_fortran ? shape.size() - 1 - axis : axis; }
  /// Bytes of all elements.
  std::int64_t data_bytes() const { return volume(shape) * scalar.bytes(); }
  /// Total number of bytes up to the last element, where they follow each other.
  std::int64_t file_bytes() const { return data_start_bytes + data_bytes(); }

  friend bool operator==(const ArrayHeader&, const ArrayHeader&) = default;
};

/// "128x96x24 complex128, Fortran order, in chunks of 32x32x24"
std::string to_string(const ArrayHeader& header);

/// Error::io, naming the array, unless it has 1 to 8 axes, each with a point, and not more points
/// than 64 bits can count the bytes of.
void require_shape(const Extents& shape, const std::string& name);

}  // namespace weft
