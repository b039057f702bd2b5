// files/box_memory: copies, reverses, reads and writes the points of boxes.

#include "weft/files/box_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "weft/memory/box_copy.hpp"

namespace weft {

namespace {

// The bytes that one call of the system moves: large enough to be fast, and little memory.
constexpr std::int64_t piece_bytes = std::int64_t{32} << 20;

// Elements from the first point of a box to one past the last, in an array of packed rows.
std::int64_t hull(const Layout& whole, const Box& box) {
  return Layout{box.extents(), whole.strides}.span();
}

// Calls move(data, bytes, at) until all bytes are moved; it returns what read() and write() do.
template <class Move>
void move_all(std::byte* data, std::int64_t bytes, std::int64_t at, const std::string& doing,
              const Move& move) {
  while (bytes > 0) {
    const ssize_t done = move(data, static_cast<std::size_t>(bytes), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0)
      throw Error(Error::system, fmt::format("cannot {}: {}", doing, std::strerror(errno)),
                  "check that the disk is not full, and that the file system works");
    if (done == 0)
      throw Error(
          Error::io,
          fmt::format("cannot {}: the file ends {} bytes early, at byte {}", doing, bytes, at),
          "check that no other program shortens the file while it is read");
    data += done;
    at += done;
    bytes -= done;
  }
}

template <class Number>
Number reversed_bytes(Number word) {
  if constexpr (sizeof(Number) == 4)
    return __builtin_bswap32(word);
  else
    return __builtin_bswap64(word);
}

template <class Number>
void swap_points(std::byte* first, const Layout& layout, int numbers, int axis) {
  if (axis == layout.extents.size()) {
    for (int i = 0; i < numbers; ++i) {
      Number word;
      std::memcpy(&word, first + i * sizeof word, sizeof word);
      word = reversed_bytes(word);
      std::memcpy(first + i * sizeof word, &word, sizeof word);
    }
    return;
  }
  const std::int64_t step = layout.strides[axis] * numbers * std::int64_t{sizeof(Number)};
  for (std::int64_t i = 0; i < layout.extents[axis]; ++i)
    swap_points<Number>(first + i * step, layout, numbers, axis + 1);
}

}  // namespace

std::vector<FilePart> reversed(std::vector<FilePart> parts) {
  for (FilePart& part : parts)
    for (Dims* dims : {&part.box.lo, &part.box.hi, &part.layout.extents, &part.layout.strides})
      std::reverse(dims->begin(), dims->end());
  return parts;
}

BoxMemory boxes_of(const Share& share, void* memory, bool is_reversed) {
  BoxMemory boxes{{}, static_cast<std::byte*>(memory)};
  for (std::size_t i = 0; i < share.boxes.size(); ++i)
    boxes.parts.push_back({share.boxes[i], share.array.layouts[i], share.array.offsets[i]});
  if (is_reversed) boxes.parts = reversed(std::move(boxes.parts));
  return boxes;
}

void copy_common(const FilePart& from, const std::byte* source, const FilePart& to,
                 std::byte* target, std::int64_t element_bytes) {
  const Box both = intersect(from.box, to.box);
  if (both.empty()) return;
  const auto first_of = [&](const FilePart& part) {
    std::int64_t element = part.offset;
    for (int a = 0; a < both.axes(); ++a)
      element += (both.lo[a] - part.box.lo[a]) * part.layout.strides[a];
    return element * element_bytes;
  };
  BoxCopy(both.extents(), to.layout.strides, from.layout.strides)
      .load(target + first_of(to), source + first_of(from), element_bytes);
}

void swap_bytes(const BoxMemory& boxes, Scalar scalar) {
  const int numbers = scalar.is_complex ? 2 : 1;
  for (const FilePart& part : boxes.parts) {
    std::byte* const first = boxes.memory + part.offset * scalar.bytes();
    if (scalar.precision == Precision::single_precision)
      swap_points<std::uint32_t>(first, part.layout, numbers, 0);
    else
      swap_points<std::uint64_t>(first, part.layout, numbers, 0);
  }
}

void read_boxes(int file, const std::string& name, const FileArray& array, const BoxMemory& boxes) {
  const Layout whole = Layout::packed(array.extents);
  const auto fits = [&](const Box& box) {
    return hull(whole, box) * array.element_bytes <= piece_bytes;
  };
  std::vector<std::byte> piece;
  for (const FilePart& part : cut_parts(boxes.parts, fits)) {
    const std::int64_t first = whole.at(part.box.lo), elements = hull(whole, part.box);
    piece.resize(static_cast<std::size_t>(elements * array.element_bytes));
    move_all(
        piece.data(), elements * array.element_bytes,
        array.start_byte + first * array.element_bytes, fmt::format("read '{}'", name),
        [&](std::byte* data, std::size_t bytes, off_t at) { return pread(file, data, bytes, at); });
    copy_common({part.box, {part.box.extents(), whole.strides}, 0}, piece.data(), part,
                boxes.memory, array.element_bytes);
  }
}

void write_boxes(int file, const std::string& name, const FileArray& array,
                 const BoxMemory& boxes) {
  const Layout whole = Layout::packed(array.extents);
  // What is written in one piece must follow each other in the file.
  const auto fits = [&](const Box& box) {
    const std::int64_t points = box.volume();
    return points == hull(whole, box) && points * array.element_bytes <= piece_bytes;
  };
  std::vector<std::byte> piece;
  for (const FilePart& part : cut_parts(boxes.parts, fits)) {
    const std::int64_t first = whole.at(part.box.lo),
                       bytes = part.box.volume() * array.element_bytes;
    piece.resize(static_cast<std::size_t>(bytes));
    copy_common(part, boxes.memory, {part.box, {part.box.extents(), whole.strides}, 0},
                piece.data(), array.element_bytes);
    move_all(piece.data(), bytes, array.start_byte + first * array.element_bytes,
             fmt::format("write '{}'", name), [&](std::byte* data, std::size_t count, off_t at) {
               return pwrite(file, data, count, at);
             });
  }
}

}  // namespace weft
