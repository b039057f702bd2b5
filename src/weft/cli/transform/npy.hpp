// cli/transform/npy: the header of an .npy file, versions 1.0, 2.0 and 3.0 of numpy.lib.format.
// Pure except for file_head, which reads the file.
#pragma once

#include <cstdint>
#include <string>

#include "weft/base/dims_text.hpp"
#include "weft/scalar.hpp"

namespace weft::cli {

/// What an .npy file holds.
struct NpyHeader {
  Scalar scalar;
  bool is_big_endian = false;
  bool is_fortran = false;  ///< the first axis is contiguous
  Extents shape;            ///< as in NumPy
  std::int64_t data_start_bytes = 0;

  /// Extents in C order: the axes of a Fortran array are reversed.
  Extents c_extents() const;
  /// The axis of c_extents() that corresponds to NumPy's `axis`.
  int c_axis(int axis) const { return is_fortran ? shape.size() - 1 - axis : axis; }
  /// Total number of bytes of header and data.
  std::int64_t file_bytes() const;
};

/// The first bytes of a file, and its size.
struct FileHead {
  std::string bytes;
  std::int64_t file_bytes = 0;
};

/// Reads the head of the file at `path`, which includes a complete .npy header if the file has one.
/// Error::io with the system's reason. Not collective.
FileHead file_head(const std::string& path);

/// Parses an .npy header. Error::io, naming `path`, if the file is not an .npy file, or has another
/// element type, no axes or more than 8, an axis without points, or a size that does not match its
/// header.
NpyHeader parse_npy(const FileHead& head, const std::string& path);

/// The text of the header as NumPy writes it, padded to 64 bytes. Sets header.data_start_bytes.
std::string write_npy(NpyHeader& header);

/// "128x96x24 complex128, Fortran order"
std::string to_string(const NpyHeader& header);

/// Reverses the bytes of each of `count` real numbers.
void swap_bytes(void* values, std::int64_t count, Precision precision);

}  // namespace weft::cli
