// files/box_memory: boxes of an array in memory, and the bytes of a file that hold them.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/files/array_header.hpp"
#include "weft/grid/file_part.hpp"
#include "weft/share.hpp"

namespace weft {

/// Boxes of an array whose axes are those of NumPy's shape, and where their points lie in memory.
struct BoxMemory {
  std::vector<FilePart> parts;  ///< strides and offsets count elements, and are not negative
  std::byte* memory = nullptr;
};

/// The boxes of a rank's share, which lie in `memory`; with `is_reversed`, the first axis of the
/// share is the last one of the array.
BoxMemory boxes_of(const Share& share, void* memory, bool is_reversed);

/// The same boxes of an array whose axes are numbered from the last one.
std::vector<FilePart> reversed(std::vector<FilePart> parts);

/// Copies the points that `to` and `from` have in common; elements have 4, 8 or 16 bytes.
void copy_common(const FilePart& from, const std::byte* source, const FilePart& to,
                 std::byte* target, std::int64_t element_bytes);

/// Reverses the bytes of every real number in the boxes.
void swap_bytes(const BoxMemory& boxes, Scalar scalar);

/// Reads (writes) boxes of an array whose elements follow each other from byte `array.start_byte`
/// of an open file on; of this process alone. Error::io, with `name` and the system's reason, and
/// if the file ends early; Error::system if it cannot be written.
void read_boxes(int file, const std::string& name, const FileArray& array, const BoxMemory& boxes);
void write_boxes(int file, const std::string& name, const FileArray& array, const BoxMemory& boxes);

}  // namespace weft
