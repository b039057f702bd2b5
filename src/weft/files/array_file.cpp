// files/array_file: one row for each format, and what formats have in common.

#include "weft/files/array_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "weft/base/descriptor.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/file.hpp"
#include "weft/files/hdf5.hpp"
#include "weft/files/npy.hpp"
#include "weft/files/output_file.hpp"
#include "weft/files/xdmf.hpp"
#include "weft/files/zarr.hpp"

namespace weft {

namespace {

// A format: reading is collective, and so is writing.
struct Format {
  bool first_rank_looks;  // and tells the others
  ArrayHeader (*header)(const ArrayPath&);
  void (*read)(const Communicator&, const ArrayPath&, const ArrayHeader&, const BoxMemory&);
  void (*write)(const Communicator&, const ArrayPath&, ArrayHeader, const BoxMemory&);
  void (*require_writable)(const ArrayPath&);
};

const Format& format_of(const ArrayPath& path);

[[noreturn]] void fail_as_changed(const ArrayPath& path) {
  throw Error(Error::io, fmt::format("'{}' changed after weft looked at it", path.text()),
              "start again when no other program writes the file");
}

// Error::io unless the array is still what it was.
void require_unchanged(const ArrayPath& path, const ArrayHeader& header) {
  ArrayHeader now;
  const ErrorRecord gone = record_of([&] { now = format_of(path).header(path); });
  if (gone.has_error() || !(now == header)) fail_as_changed(path);
}

// What tells whether a file is still the same.
std::string state_of(const std::string& file) {
  struct stat now {};
  if (stat(file.c_str(), &now) != 0) return "none";
  return fmt::format("{} {} {} {}.{}", now.st_dev, now.st_ino, now.st_size, now.st_mtim.tv_sec,
                     now.st_mtim.tv_nsec);
}

// The same of the file that describes an array.
std::string state_of(const ArrayPath& path) {
  return state_of(path.format == FileFormat::zarr ? path.file + "/" + path.inner + "/zarr.json"
                                                  : path.file);
}

FileArray array_in_file(const ArrayHeader& header) {
  return {header.data_start_bytes, header.c_extents(), header.scalar.bytes()};
}

BoxMemory in_c_order(const ArrayHeader& header, BoxMemory boxes) {
  if (header.is_fortran) boxes.parts = reversed(std::move(boxes.parts));
  return boxes;
}

[[noreturn]] void fail_to(const char* doing, const std::string& path) {
  throw Error(Error::io, fmt::format("cannot {} '{}': {}", doing, path, std::strerror(errno)),
              "check the path; it is relative to the folder in which weft was started");
}

// A file of elements that follow each other: all ranks together, or this process alone.
void read_bytes(const Communicator& comm, const ArrayPath& path, const ArrayHeader& header,
                const BoxMemory& given) {
  const BoxMemory boxes = in_c_order(header, given);
  if (comm.is_alone()) {
    const Descriptor file(open(path.file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open()) fail_to("open", path.file);
    return read_boxes(file.number(), path.file, array_in_file(header), boxes);
  }
  File file(comm, path.file, File::reading);
  file.read(array_in_file(header), boxes.parts, boxes.memory);
  file.close();
}

void write_bytes(const Communicator& comm, const OutputFile& output, const ArrayHeader& header,
                 const BoxMemory& given) {
  const BoxMemory boxes = in_c_order(header, given);
  if (comm.is_alone())
    return write_boxes(output.descriptor(), output.temporary_path(), array_in_file(header), boxes);
  File file(comm, output.temporary_path(), File::writing);
  file.write(array_in_file(header), boxes.parts, boxes.memory);
  file.close();
}

// ---- .npy -----------------------------------------------------------------------------------

ArrayHeader npy_header(const ArrayPath& path) { return parse_npy(file_head(path.file), path.file); }

void write_npy_file(const Communicator& comm, const ArrayPath& path, ArrayHeader header,
                    const BoxMemory& boxes) {
  const std::string head = write_npy(header);
  OutputFile output(comm, path.file, head, header.file_bytes());
  write_bytes(comm, output, header, boxes);
  output.publish();
}

void require_writable_file(const ArrayPath& path) { require_writable(path.file); }

// ---- HDF5 -----------------------------------------------------------------------------------

// Where weft names a dataset itself.
ArrayPath named(ArrayPath path) {
  if (path.inner.empty()) path.inner = "data";
  return path;
}

void copy_file(const std::string& from, int to) {
  const Descriptor file(open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) fail_to("open", from);
  for (;;) {
    constexpr std::size_t most = std::size_t{1} << 30;
    ssize_t copied = copy_file_range(file.number(), nullptr, to, nullptr, most, 0);
    if (copied == 0) return;
    if (copied < 0 && errno != EINTR) fail_to("copy", from);
  }
}

void read_hdf5(const Communicator& comm, const ArrayPath& path, const ArrayHeader& header,
               const BoxMemory& boxes) {
  if (header.data_start_bytes >= 0) return read_bytes(comm, path, header, boxes);
  agree(comm, [&] {
    require_unchanged(path, header);  // on this node, too
    read_hdf5_chunks(path, header, boxes);
  });
}

// A dataset that weft can read; others are not shown.
std::optional<ArrayHeader> shown_array(const std::string& file, const std::string& name) {
  ArrayHeader header;
  const ErrorRecord other = record_of([&] {
    header = hdf5_header({FileFormat::hdf5, file, name});
  });
  return other.has_error() ? std::nullopt : std::optional(header);
}

void write_xdmf(const Communicator& comm, const ArrayPath& path) {
  namespace fs = std::filesystem;
  const std::string beside = fs::path(path.file).replace_extension(".xdmf").string();
  const std::string text = agree_on_text(comm, 0, [&] {
    if (fs::exists(beside) && !is_xdmf_of_weft(beside)) return std::string();
    std::vector<std::pair<std::string, ArrayHeader>> arrays;
    for (const std::string& name : hdf5_datasets(path.file))
      if (const auto array = shown_array(path.file, name)) arrays.emplace_back(name, *array);
    return xdmf_text(fs::path(path.file).filename().string(), arrays);
  });
  if (!text.empty()) write_text(comm, beside, text);
}

void write_hdf5(const Communicator& comm, const ArrayPath& given, ArrayHeader header,
                const BoxMemory& boxes) {
  const ArrayPath path = named(given);
  std::string state;
  OutputFile output(comm, path.file, [&](OutputFile& file) {
    state = state_of(path.file);
    // What else is in the file must not be lost.
    const bool is_copy = std::filesystem::exists(path.file) && !hdf5_has_only(path);
    const std::uintmax_t old = is_copy ? std::filesystem::file_size(path.file) : 0;
    // The library would fail with words of its own. It is then given the file without that room.
    constexpr std::int64_t metadata_bytes = 64 << 10;
    file.reserve(static_cast<std::int64_t>(old) + header.data_bytes() + metadata_bytes);
    if (is_copy) copy_file(path.file, file.descriptor());
    std::filesystem::resize_file(file.temporary_path(), old);
    header.data_start_bytes = make_hdf5_dataset(file.temporary_path(), is_copy, path, header);
    file.reserve(std::max(header.file_bytes(), static_cast<std::int64_t>(std::filesystem::file_size(
                                                   file.temporary_path()))));
  });
  comm.broadcast(&header.data_start_bytes, sizeof header.data_start_bytes, 0);
  write_bytes(comm, output, header, boxes);
  agree(comm, [&] {
    if (comm.rank() == 0 && state_of(path.file) != state)
      throw Error(
          Error::io,
          fmt::format("'{}' changed while weft wrote '{}' to a copy of it", path.file, path.inner),
          "write the arrays of a file one after another");
  });
  output.publish();
  write_xdmf(comm, path);
}

void require_writable_hdf5(const ArrayPath& path) {
  require_writable(path.file);
  if (std::filesystem::exists(path.file)) hdf5_datasets(path.file);
}

// ---------------------------------------------------------------------------------------------

const Format& format_of(const ArrayPath& path) {
  static const Format formats[] = {
      {false, npy_header, read_bytes, write_npy_file, require_writable_file},
      {true, hdf5_header, read_hdf5, write_hdf5, require_writable_hdf5},
      {false, zarr_header, read_zarr, write_zarr, require_writable_zarr},
  };
  return formats[static_cast<int>(path.format)];
}

}  // namespace

ArrayHeader read_header(const ArrayPath& path) { return format_of(path).header(path); }

ArrayHeader agreed_header(const Communicator& comm, const ArrayPath& path) {
  const Format& format = format_of(path);
  ArrayHeader header = agree(comm, [&] {
    if (comm.rank() == 0) return format.header(path);
    if (format.first_rank_looks) return ArrayHeader();
    return with_context([&] { return fmt::format("reading the file on rank {}", comm.rank()); },
                        [&] { return format.header(path); });
  });
  if (format.first_rank_looks) {
    comm.broadcast(&header, sizeof header, 0);
    return header;
  }
  require_same(
      comm, [&] { return to_string(header); }, "input file");
  return header;
}

void read_array(const Communicator& comm, const ArrayPath& path, const ArrayHeader& header,
                const BoxMemory& boxes) {
  const Format& format = format_of(path);
  std::string state;
  // Ranks may see a file that grows differently.
  agree(comm, [&] {
    if (comm.rank() == 0) state = state_of(path);
    if (comm.rank() == 0 || !format.first_rank_looks) require_unchanged(path, header);
  });
  format.read(comm, path, header, boxes);
  // Another file may have got the name meanwhile, whose bytes lie elsewhere.
  agree(comm, [&] {
    if (comm.rank() == 0 && state_of(path) != state) fail_as_changed(path);
  });
  if (header.is_big_endian) swap_bytes(boxes, header.scalar);
}

void write_array(const Communicator& comm, const ArrayPath& path, const ArrayHeader& header,
                 const BoxMemory& boxes) {
  format_of(path).write(comm, path, header, boxes);
}

void require_writable(const ArrayPath& path) { format_of(path).require_writable(path); }

}  // namespace weft
