// grid/file_part: cuts boxes.

#include "weft/grid/file_part.hpp"

namespace weft {

namespace {

// Halves `part` along its slowest axis until all results fit; appends them to `parts`.
void cut(const FilePart& part, const std::function<bool(const Box&)>& fits,
         std::vector<FilePart>& parts) {
  if (part.box.empty()) return;
  if (fits(part.box)) {
    parts.push_back(part);
    return;
  }
  int axis = 0;
  while (part.box.extent(axis) == 1) ++axis;
  FilePart first = part, second = part;
  const std::int64_t half = part.box.extent(axis) / 2;
  first.box.hi[axis] = second.box.lo[axis] = part.box.lo[axis] + half;
  second.offset += half * part.layout.strides[axis];
  first.layout.extents = first.box.extents();
  second.layout.extents = second.box.extents();
  cut(first, fits, parts);
  cut(second, fits, parts);
}

}  // namespace

std::vector<FilePart> cut_parts(const std::vector<FilePart>& parts,
                                const std::function<bool(const Box&)>& fits) {
  std::vector<FilePart> results;
  for (const FilePart& part : parts) cut(part, fits, results);
  return results;
}

}  // namespace weft
