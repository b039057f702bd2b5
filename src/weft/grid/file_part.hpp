// grid/file_part: boxes of a global array that is in a file, and where their points lie in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "weft/grid/box_algebra.hpp"
#include "weft/layout.hpp"

namespace weft {

/// A global array in a file: contiguous elements in C order, from `start_byte` on.
struct FileArray {
  std::int64_t start_byte = 0;
  Extents extents;
  std::int64_t element_bytes = 8;
};

/// A box of the global array, and its layout in memory from element `offset` on.
struct FilePart {
  Box box;
  Layout layout;
  std::int64_t offset = 0;
};

/// The parts, each halved along its slowest axis until its box fits, as that of one point does.
/// Empty ones are left out.
std::vector<FilePart> cut_parts(const std::vector<FilePart>& parts,
                                const std::function<bool(const Box&)>& fits);

}  // namespace weft
