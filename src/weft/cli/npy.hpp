// cli/npy: the header of an .npy file - versions 1.0, 2.0 and 3.0, as numpy.lib.format tells.
// Pure: text and bytes only; what is read from a file comes from file_head.
#pragma once

#include <cstdint>
#include <string>

#include "weft/base/dims.hpp"
#include "weft/scalar.hpp"

namespace weft::cli {

/// What an .npy file holds.
struct NpyHeader {
  Scalar scalar;
  bool is_big_endian = false;
  bool is_fortran = false;  ///< the first axis is contiguous
  Extents shape;            ///< as NumPy shows it
  std::int64_t data_start_bytes = 0;

  /// The same points in C order: the axes of a Fortran array turned round.
  Extents c_extents() const;
  /// The axis of c_extents() that is NumPy's `axis`.
  int c_axis(int axis) const { return is_fortran ? shape.size() - 1 - axis : axis; }
  /// Bytes of header and data together.
  std::int64_t file_bytes() const;
};

/// The first bytes of a file and how long it is.
struct FileHead {
  std::string bytes;
  std::int64_t file_bytes = 0;
};

/// The head of the file at `path`, its .npy header if it has one complete.
/// Error::io with the system's reason. Not collective.
FileHead file_head(const std::string& path);

/// Error::io, naming `path`, if it is no .npy file, or one that weft does not transform: another
/// element type, no axes or more than 8, an axis without points, more or fewer bytes than its
/// header says.
NpyHeader parse_npy(const FileHead& head, const std::string& path);

/// The header as NumPy would write it, padded to 64 bytes; sets data_start_bytes.
std::string npy_text(NpyHeader& header);

/// "128x96x24 complex128, Fortran order"
std::string to_string(const NpyHeader& header);

/// Turns the bytes of every one of `count` values round.
void swap_bytes(void* values, std::int64_t count, Precision precision);

}  // namespace weft::cli
