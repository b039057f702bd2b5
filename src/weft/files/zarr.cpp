// files/zarr: reads and writes chunks.

#include "weft/files/zarr.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "weft/base/descriptor.hpp"
#include "weft/base/folder_replacement.hpp"
#include "weft/base/text_file.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/files/zarr_metadata.hpp"
#include "weft/reshape.hpp"

namespace weft {

namespace {

namespace fs = std::filesystem;

constexpr const char* metadata_name = "zarr.json";
constexpr const char* elsewhere =
    "choose another path for the output, on a disk with room for the whole array";

std::string folder_of(const ArrayPath& path) {
  return path.inner.empty() ? path.file : path.file + "/" + path.inner;
}

std::optional<std::string> metadata_in(const std::string& folder) {
  return find_text_file(folder + "/" + metadata_name, most_bytes_of_descriptions,
                        "check the folder");
}

ZarrArray array_at(const ArrayPath& path) {
  const std::string folder = folder_of(path);
  const std::optional<std::string> text = metadata_in(folder);
  if (!text && fs::exists(folder + "/.zarray"))
    throw Error(Error::io, fmt::format("'{}' is of zarr's format 2, not 3", path.text()),
                "write it with zarr.create_array(..., zarr_format=3)");
  if (!text)
    throw Error(Error::io,
                fmt::format("'{}' is no zarr array: it has no {}", path.text(), metadata_name),
                "check the path; an array in a group is x.zarr:/u");
  return with_context([&] { return fmt::format("reading '{}/{}'", folder, metadata_name); },
                      [&] { return parse_zarr(*text, path.text()); });
}

// ---- chunks -----------------------------------------------------------------------------------

// The regular grid of chunks of an array.
struct ChunkGrid {
  Extents shape, chunks;

  // Chunks along each axis.
  Dims counts() const {
    Dims counts;
    for (int a = 0; a < shape.size(); ++a) counts.push_back((shape[a] + chunks[a] - 1) / chunks[a]);
    return counts;
  }
  // The numbers of the chunks that have points of the box, as a box.
  Box chunks_of(const Box& box) const {
    Box numbers = box;
    for (int a = 0; a < shape.size(); ++a)
      numbers.set(a, {box.lo[a] / chunks[a], (box.hi[a] - 1) / chunks[a] + 1});
    return numbers;
  }
  // The points of a chunk, also those beyond the end of the array.
  Box box_of(const Dims& numbers) const {
    Box box = Box::whole(chunks);
    for (int a = 0; a < shape.size(); ++a) {
      box.lo[a] += numbers[a] * chunks[a];
      box.hi[a] += numbers[a] * chunks[a];
    }
    return box;
  }
};

// Calls visit(index) for every index in the box, in the order of C.
template <class Visit>
void for_each_index(const Box& box, const Visit& visit) {
  if (box.empty()) return;
  Dims index = box.lo;
  for (;;) {
    visit(index);
    int axis = box.axes() - 1;
    while (axis >= 0 && ++index[axis] == box.hi[axis]) {
      index[axis] = box.lo[axis];
      --axis;
    }
    if (axis < 0) return;
  }
}

// Reads the points that a part has of a chunk.
void read_chunk(const std::string& path, const ZarrArray& array, const Box& chunk,
                const FilePart& part, std::byte* memory) {
  const std::int64_t bytes = array.header.scalar.bytes();
  const Layout packed = Layout::packed(array.header.chunks);
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open() && errno != ENOENT)
    throw Error(Error::io, fmt::format("cannot open '{}': {}", path, std::strerror(errno)),
                "check that the chunk is a file that may be read");
  struct stat about {};
  const std::int64_t wanted = chunk.volume() * bytes;
  if (file.is_open() && array.codec == Codec::none) {
    if (fstat(file.number(), &about) != 0 || about.st_size != wanted)
      throw Error(Error::io,
                  fmt::format("the chunk '{}' has {} bytes, but {} points have {}", path,
                              about.st_size, to_string(array.header.chunks), wanted),
                  "copy or write the array again");
    FilePart common = part;  // in the chunk's own numbers
    common.box = intersect(part.box, chunk);
    for (int a = 0; a < chunk.axes(); ++a) {
      common.offset += (common.box.lo[a] - part.box.lo[a]) * part.layout.strides[a];
      common.box.set(a, {common.box.lo[a] - chunk.lo[a], common.box.hi[a] - chunk.lo[a]});
    }
    common.layout.extents = common.box.extents();
    return read_boxes(file.number(), path, {0, array.header.chunks, bytes}, {{common}, memory});
  }
  // A chunk that is not there is its fill value, again and again.
  if (!file.is_open())
    return copy_common({chunk, {chunk.extents(), Dims::filled(chunk.axes(), 0)}, 0},
                       array.missing_value.data(), part, memory, bytes);
  constexpr std::int64_t most_times = 1 << 15;  // zstd has 128 KiB of one byte in 4 bytes
  if (fstat(file.number(), &about) != 0 || about.st_size < wanted / most_times)
    throw Error(Error::io,
                fmt::format("the chunk '{}' has {} bytes, which cannot be {} compressed ones", path,
                            about.st_size, wanted),
                "copy or write the array again");
  std::vector<std::byte> points(static_cast<std::size_t>(wanted));
  read_compressed(path, array.codec, points);
  copy_common({chunk, packed, 0}, points.data(), part, memory, bytes);
}

// The shape of chunks where none is given: as the largest boxes of all ranks, or smaller ones.
// Collective.
Extents chosen_chunks(const Communicator& comm, const ArrayHeader& header, const BoxMemory& boxes) {
  constexpr std::int64_t most_bytes = std::int64_t{256} << 20;
  std::array<std::int64_t, Dims::capacity> largest{};
  for (const FilePart& part : boxes.parts)
    for (int a = 0; a < part.box.axes() && !part.box.empty(); ++a)
      largest[static_cast<std::size_t>(a)] =
          std::max(largest[static_cast<std::size_t>(a)], part.box.extent(a));
  comm.max_each(largest);
  Extents chunks;
  for (int a = 0; a < header.shape.size(); ++a)
    chunks.push_back(std::max<std::int64_t>(1, largest[static_cast<std::size_t>(a)]));
  for (int a = 0; a < chunks.size(); ++a)
    while (chunks[a] > 1 && volume(chunks) * header.scalar.bytes() > most_bytes)
      chunks[a] = (chunks[a] + 1) / 2;
  return chunks;
}

// Chunks that are this rank's: a run of all chunks in the order of C.
std::vector<Dims> own_chunks(const Communicator& comm, const ChunkGrid& grid) {
  const std::int64_t all = volume(grid.counts());
  const std::int64_t each = all / comm.size(), more = all % comm.size(), rank = comm.rank();
  const std::int64_t first = rank * each + std::min(rank, more);
  const std::int64_t count = each + (rank < more ? 1 : 0);
  std::vector<Dims> own;
  for (std::int64_t number = first; number < first + count; ++number) {
    Dims numbers = grid.counts();
    std::int64_t rest = number;
    for (int a = numbers.size() - 1; a >= 0; --a) {
      const std::int64_t along = grid.counts()[a];
      numbers[a] = rest % along;
      rest /= along;
    }
    own.push_back(numbers);
  }
  return own;
}

// Moves the array so that each rank has its chunks whole; returns them, and the memory that they
// lie in. Collective.
BoxMemory moved_to_chunks(const Communicator& comm, const ArrayHeader& header,
                          const BoxMemory& boxes, const std::vector<Box>& chunks,
                          std::shared_ptr<std::byte>& memory) {
  std::vector<Box> from;
  UserArray array;
  for (const FilePart& part : boxes.parts) {
    if (part.box.empty()) continue;
    from.push_back(part.box);
    array.layouts.push_back(part.layout);
    array.offsets.push_back(part.offset);
    array.elements = std::max(array.elements, part.offset + part.layout.span());
  }
  array.field_stride = std::max<std::int64_t>(1, array.elements);
  Options options;
  options.effort = Effort::estimate;
  const std::int64_t bytes = header.scalar.bytes();
  AnyReshape reshape(
      comm.handle(), header.shape, {bytes, header.scalar.is_complex ? bytes / 2 : bytes},
      Distribution::of_my_boxes(from, array), Distribution::of_my_boxes(chunks), options);
  memory = agree(comm, [&] { return reshape.allocate(reshape.to_elements()); });
  reshape.forward(boxes.memory, memory.get());
  BoxMemory moved{{}, memory.get()};
  std::int64_t offset = 0;
  for (const Box& box : chunks) {
    moved.parts.push_back({box, Layout::packed(box.extents()), offset});
    offset += box.volume();
  }
  return moved;
}

// ---- folders ----------------------------------------------------------------------------------

[[noreturn]] void refuse(const ArrayPath& path, const std::string& why) {
  throw Error(Error::io, fmt::format("cannot write '{}': {}", path.text(), why), elsewhere);
}

// The mode is asked as well, because root may write to every folder.
bool is_read_only(const std::string& folder) {
  struct stat about {};
  return access(folder.c_str(), W_OK | X_OK) != 0 || stat(folder.c_str(), &about) != 0 ||
         (about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
}

// The folder that is new: that of the array, or of the first group that is not there. Error::io if
// something else is in the way.
std::string first_new_folder(const ArrayPath& path) {
  if (path.file.empty()) refuse(path, "the name is empty");
  std::vector<std::string> folders{path.file};
  for (const fs::path& part : fs::path(path.inner))
    folders.push_back(folders.back() + "/" + part.string());
  for (const std::string& folder : folders) {
    if (std::error_code unseen; !fs::exists(folder, unseen)) {
      const std::string above = fs::path(folder).parent_path().string();
      if (access(above.empty() ? "." : above.c_str(), W_OK | X_OK) != 0)
        refuse(path, std::strerror(errno));
      return folder;
    }
    if (!fs::is_directory(folder)) refuse(path, fmt::format("'{}' is no folder", folder));
    const std::optional<std::string> text = metadata_in(folder);
    const std::string type =
        text ? with_context([&] { return fmt::format("reading '{}/{}'", folder, metadata_name); },
                            [&] { return zarr_node_type(*text); })
             : "";
    const bool is_last = folder == folders.back();
    if (is_last && is_read_only(folder)) refuse(path, "it is read-only");
    if (is_last && (type == "array" || fs::is_empty(folder))) return folder;
    if (is_last || type != "group")
      refuse(path, type.empty()
                       ? fmt::format("'{}' is a folder without arrays of zarr 3", folder)
                       : fmt::format("'{}' is a zarr {}{}", folder, type,
                                     is_last ? ": name an array in it, as in x.zarr:/u" : ""));
  }
  return folders.back();
}

// Makes the folders from the first new one down to that of the array, and their zarr.json; returns
// the last one. The names are those under the temporary path.
std::string make_folders(const std::string& temporary, const std::string& first_new,
                         const ArrayPath& path, const ZarrArray& array) {
  std::string folder = temporary;
  const auto describe = [&](const std::string& text) {
    const auto bytes = static_cast<std::int64_t>(text.size());
    if (const int error = make_file(folder + "/" + metadata_name, bytes, text))
      refuse(path, fmt::format("{} ({} bytes)", std::strerror(error), array.header.data_bytes()));
  };
  const std::string whole = folder_of(path);
  for (const fs::path& part : fs::path(whole.substr(first_new.size())).relative_path()) {
    describe(print_zarr_group());
    folder += "/" + part.string();
    if (mkdir(folder.c_str(), S_IRWXU) != 0) refuse(path, std::strerror(errno));
  }
  describe(print_zarr(array));
  return folder;
}

void write_chunk(const std::string& path, const ZarrArray& array, const Box& chunk,
                 const BoxMemory& boxes) {
  const std::int64_t bytes = array.header.scalar.bytes();
  std::vector<std::byte> points(static_cast<std::size_t>(chunk.volume() * bytes));
  const FilePart whole{chunk, Layout::packed(array.header.chunks), 0};
  for (const FilePart& part : boxes.parts)
    copy_common(part, boxes.memory, whole, points.data(), bytes);
  Descriptor file(open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  const Extents& extents = array.header.chunks;
  write_boxes(file.number(), path, {0, extents, bytes},
              {{{Box::whole(extents), Layout::packed(extents), 0}}, points.data()});
  if (close(file.keep()) != 0)
    throw Error(Error::system, fmt::format("cannot write '{}': {}", path, std::strerror(errno)),
                elsewhere);
}

}  // namespace

ArrayHeader zarr_header(const ArrayPath& path) {
  ArrayHeader header = array_at(path).header;
  header.data_start_bytes = -1;
  return header;
}

void read_zarr(const Communicator& comm, const ArrayPath& path, const ArrayHeader& header,
               const BoxMemory& boxes) {
  agree(comm, [&] {
    const ZarrArray array = array_at(path);
    const ChunkGrid grid{header.shape, header.chunks};
    for (const FilePart& part : boxes.parts)
      if (!part.box.empty())
        for_each_index(grid.chunks_of(part.box), [&](const Dims& numbers) {
          read_chunk(folder_of(path) + "/" + array.chunk_name(numbers), array, grid.box_of(numbers),
                     part, boxes.memory);
        });
  });
}

void write_zarr(const Communicator& comm, const ArrayPath& path, ArrayHeader header,
                const BoxMemory& given) {
  header.is_fortran = header.is_big_endian = false;
  if (header.chunks.empty()) header.chunks = chosen_chunks(comm, header, given);
  ZarrArray array;
  array.header = header;
  const ChunkGrid grid{header.shape, header.chunks};
  std::vector<Dims> own;
  std::vector<Box> own_boxes;
  std::optional<FolderReplacement> replacement;  // of rank 0
  std::string first_new, folder;
  agree(comm, [&] {
    require_shape(header.chunks, "the shape of chunks");
    own = own_chunks(comm, grid);
    for (const Dims& numbers : own)
      own_boxes.push_back(intersect(grid.box_of(numbers), Box::whole(header.shape)));
    if (comm.rank() != 0) return;
    first_new = first_new_folder(path);
    replacement.emplace(first_new, elsewhere);
    folder = make_folders(replacement->temporary_path(), first_new, path, array);
  });
  folder = comm.broadcast(folder, 0);
  const auto name_of = [&](const Dims& numbers) {
    return folder + "/" + array.chunk_name(numbers);
  };
  agree(comm, [&] {
    const std::int64_t bytes = volume(header.chunks) * header.scalar.bytes();
    for (const Dims& numbers : own)
      if (const int error = make_file(name_of(numbers), bytes))
        refuse(path, fmt::format("{} ({} bytes)", std::strerror(error), header.data_bytes()));
  });
  std::shared_ptr<std::byte> memory;
  const BoxMemory boxes =
      comm.is_alone() ? given : moved_to_chunks(comm, header, given, own_boxes, memory);
  agree(comm, [&] {
    for (const Dims& numbers : own)
      write_chunk(name_of(numbers), array, grid.box_of(numbers), boxes);
  });
  agree(comm, [&] {
    if (!replacement) return;
    if (first_new_folder(path) != first_new)
      refuse(path, fmt::format("another program has made '{}'", first_new));
    replacement->publish();
  });
}

void require_writable_zarr(const ArrayPath& path) { first_new_folder(path); }

}  // namespace weft
