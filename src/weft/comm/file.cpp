// comm/file: MPI-IO.

#include "weft/comm/file.hpp"

#include <array>
#include <optional>
#include <utility>

#include "weft/comm/agreement.hpp"
#include "weft/comm/datatype.hpp"

namespace weft {

namespace {

std::string reason(int status) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  return text.data();
}

std::optional<Error> failure(int status, Error::Code code, const char* what,
                             const std::string& path) {
  if (status == MPI_SUCCESS) return std::nullopt;
  return Error(code, fmt::format("cannot {} '{}': {}", what, path, reason(status)),
               "is the path the same file on every rank, and is there room?");
}

// Cuts `part` across its slowest axes until every piece has at most `most` points.
void cut(const FilePart& part, std::int64_t most, std::vector<FilePart>& pieces) {
  if (part.box.empty()) return;
  if (part.box.volume() <= most) {
    pieces.push_back(part);
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
  cut(first, most, pieces);
  cut(second, most, pieces);
}

}  // namespace

File::File(const Communicator& comm, const std::string& path, Mode mode)
    : comm_(&comm), path_(path) {
  // Writing libraries read back the ends of blocks, so the file is opened for both.
  const int flags = mode == reading ? MPI_MODE_RDONLY : MPI_MODE_RDWR | MPI_MODE_CREATE;
  const int status = MPI_File_open(comm_->handle(), path.c_str(), flags, MPI_INFO_NULL, &file_);
  if (status != MPI_SUCCESS) file_ = MPI_FILE_NULL;
  try {
    throw_together(comm, failure(status, Error::io, "open", path_));
  } catch (...) {
    file_ = MPI_FILE_NULL;  // closing is collective, and some ranks have nothing to close
    throw;
  }
}

File::File(File&& other) noexcept
    : piece_bytes(other.piece_bytes),
      comm_(other.comm_),
      path_(std::move(other.path_)),
      file_(std::exchange(other.file_, MPI_FILE_NULL)) {}

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    free();
    piece_bytes = other.piece_bytes;
    comm_ = other.comm_;
    path_ = std::move(other.path_);
    file_ = std::exchange(other.file_, MPI_FILE_NULL);
  }
  return *this;
}

File::~File() { free(); }

void File::free() noexcept {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (file_ != MPI_FILE_NULL && finalized == 0) MPI_File_close(&file_);
  file_ = MPI_FILE_NULL;
}

std::int64_t File::size_bytes() const {
  MPI_Offset bytes = 0;
  const int status = MPI_File_get_size(file_, &bytes);
  throw_together(*comm_, failure(status, Error::io, "tell the size of", path_));
  return bytes;
}

template <class Call>
void File::move_parts(const FileArray& array, const std::vector<FilePart>& parts, const char* doing,
                      const Call& call) {
  std::vector<FilePart> pieces;
  const std::int64_t most = std::max<std::int64_t>(1, piece_bytes / array.element_bytes);
  for (const FilePart& part : parts) cut(part, most, pieces);
  // A view's displacements must not go back, and boxes may interleave: one box per call, and as
  // many calls on every rank.
  const std::int64_t calls = comm_->max(static_cast<std::int64_t>(pieces.size()));
  const Layout whole = Layout::packed(array.extents);
  const MPI_Datatype element = carrier(array.element_bytes);
  std::optional<Error> failed;
  const auto note = [&](int status) {
    if (!failed) failed = failure(status, Error::system, doing, path_);
  };
  for (std::int64_t i = 0; i < calls; ++i) {
    if (i >= static_cast<std::int64_t>(pieces.size())) {
      note(MPI_File_set_view(file_, array.start_byte, element, element, "native", MPI_INFO_NULL));
      note(call(file_, 0, 0, element));
      continue;
    }
    const FilePart& piece = pieces[static_cast<std::size_t>(i)];
    const Dims extents = piece.box.extents();
    const Datatype in_file = box_type(array.element_bytes, extents, whole.strides);
    const Datatype in_memory = box_type(array.element_bytes, extents, piece.layout.strides);
    const std::int64_t first = whole.at(piece.box.lo) * array.element_bytes;
    note(MPI_File_set_view(file_, array.start_byte + first, element, in_file.handle(), "native",
                           MPI_INFO_NULL));
    note(call(file_, piece.offset * array.element_bytes, 1, in_memory.handle()));
  }
  throw_together(*comm_, failed);
}

void File::read(const FileArray& array, const std::vector<FilePart>& parts, void* memory) {
  // MPI libraries do not tell reliably that a file ended early.
  const std::int64_t bytes = comm_->min(size_bytes());
  const std::int64_t needed = array.start_byte + volume(array.extents) * array.element_bytes;
  if (bytes < needed)
    throw Error(Error::io,
                fmt::format("cannot read '{}': it holds {} bytes, not {}", path_, bytes, needed),
                "was it cut while it was read?");
  move_parts(array, parts, "read",
             [&](MPI_File file, std::int64_t offset_bytes, int count, MPI_Datatype type) {
               return MPI_File_read_at_all(file, 0, static_cast<std::byte*>(memory) + offset_bytes,
                                           count, type, MPI_STATUS_IGNORE);
             });
}

void File::write(const FileArray& array, const std::vector<FilePart>& parts, const void* memory) {
  move_parts(array, parts, "write",
             [&](MPI_File file, std::int64_t offset_bytes, int count, MPI_Datatype type) {
               return MPI_File_write_at_all(file, 0,
                                            static_cast<const std::byte*>(memory) + offset_bytes,
                                            count, type, MPI_STATUS_IGNORE);
             });
}

void File::close() {
  const int status = MPI_File_close(&file_);
  file_ = MPI_FILE_NULL;
  throw_together(*comm_, failure(status, Error::system, "close", path_));
}

}  // namespace weft
