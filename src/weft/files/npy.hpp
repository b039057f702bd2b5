// files/npy: the header of an .npy file, versions 1.0, 2.0 and 3.0 of numpy.lib.format.
// Pure except for file_head, which reads the file.
#pragma once

#include <cstdint>
#include <string>

#include "weft/files/array_header.hpp"

namespace weft {

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
ArrayHeader parse_npy(const FileHead& head, const std::string& path);

/// The text of the header as NumPy writes it, padded to 64 bytes. Sets header.data_start_bytes.
std::string write_npy(ArrayHeader& header);

}  // namespace weft
