// comm/file: reads and writes through MPI-IO, one box per call.

#include "weft/comm/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "weft/comm/agreement.hpp"
#include "weft/comm/datatype.hpp"
#include "weft/comm/mpi_comm.hpp"

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
               "check that the path is the same file on every rank, and that the disk is not full");
}

constexpr const char* one_file = "give a path that leads to the same file on every rank";

// The number of bytes of the file, which this rank can read, or read and write.
std::int64_t bytes_of_accessible(const std::string& path, File::Mode mode, int rank) {
  const int access = mode == File::reading ? O_RDONLY : O_RDWR | O_NOFOLLOW;
  struct stat about {};
  const int file = ::open(path.c_str(), access | O_CLOEXEC | O_NONBLOCK);
  int error = file < 0 || fstat(file, &about) != 0 ? errno : 0;
  if (file >= 0) ::close(file);
  if (error == 0 && !S_ISREG(about.st_mode)) error = ENOTSUP;
  if (error == 0) return about.st_size;
  throw Error(
      Error::io,
      fmt::format("cannot open '{}': {} (on rank {})", path,
                  error == ENOTSUP ? "it is not a regular file" : std::strerror(error), rank),
      one_file);
}

// Finds out, before MPI is asked to, whether every rank can open the file: when only some can, the
// MPI libraries wait for ever.
void require_one_file(const Communicator& comm, const std::string& path, File::Mode mode) {
  const std::int64_t mine =
      agree(comm, [&] { return bytes_of_accessible(path, mode, comm.rank()); });
  std::int64_t first = mine;
  comm.broadcast(&first, sizeof first, 0);
  agree(comm, [&] {
    if (mine == first) return;
    throw Error(Error::mismatch,
                fmt::format("'{}' has {} bytes on rank {}, but {} bytes on rank 0", path, mine,
                            comm.rank(), first),
                one_file);
  });
}

}  // namespace

File::File(const Communicator& comm, const std::string& path, Mode mode)
    : comm_(&comm), path_(path) {
  require_one_file(comm, path, mode);
  // MPI libraries may read the ends of the blocks that they write, so writing needs MPI_MODE_RDWR.
  const int flags = mode == reading ? MPI_MODE_RDONLY : MPI_MODE_RDWR;
  const int status = MPI_File_open(comm_->handle(), path.c_str(), flags, MPI_INFO_NULL, &file_);
  if (status != MPI_SUCCESS) file_ = MPI_FILE_NULL;
  try {
    throw_together(comm, failure(status, Error::io, "open", path_));
  } catch (...) {
    file_ = MPI_FILE_NULL;  // not closed: closing is collective, and some ranks have no open file
    throw;
  }
}

File::File(File&& other) noexcept
    : call_bytes(other.call_bytes),
      comm_(other.comm_),
      path_(std::move(other.path_)),
      file_(std::exchange(other.file_, MPI_FILE_NULL)) {}

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    free();
    call_bytes = other.call_bytes;
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
  throw_together(*comm_, failure(status, Error::io, "get the size of", path_));
  return bytes;
}

template <class Call>
void File::move_parts(const FileArray& array, const std::vector<FilePart>& parts, const char* doing,
                      const Call& call) {
  std::vector<FilePart> pieces;
  const std::int64_t most_points = std::max<std::int64_t>(1, call_bytes / array.element_bytes);
  // The displacements of a file view must not decrease, and boxes may interleave. So each call
  // moves one box, and every rank makes the same number of calls.
  const auto [calls] = agree_on_largest(*comm_, [&] {
    pieces = cut_parts(parts, [&](const Box& box) { return box.volume() <= most_points; });
    return std::array{static_cast<std::int64_t>(pieces.size())};
  });
  const Layout whole = Layout::packed(array.extents);
  const MPI_Datatype element = carrier(array.element_bytes);
  ErrorRecord failed;
  const auto note = [&](const ErrorRecord& error) {
    if (!failed.has_error()) failed = error;
  };
  const auto note_status = [&](int status) {
    note(record_of([&] {
      if (const auto error = failure(status, Error::system, doing, path_)) throw Error(*error);
    }));
  };
  for (std::int64_t i = 0; i < calls; ++i) {
    FilePart part{};
    std::optional<Datatype> in_file, in_memory;
    std::int64_t first = 0;
    // A rank that has no more boxes, or no memory for their types, still takes part in the calls.
    const auto types = [&] {
      if (i >= static_cast<std::int64_t>(pieces.size())) return;
      part = pieces[static_cast<std::size_t>(i)];
      const Dims extents = part.box.extents();
      in_file.emplace(box_type(array.element_bytes, extents, whole.strides));
      in_memory.emplace(box_type(array.element_bytes, extents, part.layout.strides));
      first = whole.at(part.box.lo) * array.element_bytes;
    };
    note(record_of(types));
    const bool moves = in_memory.has_value();
    note_status(MPI_File_set_view(file_, array.start_byte + (moves ? first : 0), element,
                                  moves ? in_file->handle() : element, "native", MPI_INFO_NULL));
    note_status(call(file_, moves ? part.offset * array.element_bytes : 0, moves ? 1 : 0,
                     moves ? in_memory->handle() : element));
  }
  throw_together(*comm_, failed);
}

void File::read(const FileArray& array, const std::vector<FilePart>& parts, void* memory) {
  // MPI libraries do not report reliably that a file ended early.
  const std::int64_t bytes = comm_->min(size_bytes());
  const std::int64_t needed = array.start_byte + volume(array.extents) * array.element_bytes;
  if (bytes < needed)
    throw Error(
        Error::io,
        fmt::format("cannot read '{}': it has {} bytes, but {} are needed", path_, bytes, needed),
        "check that no other program shortens the file while it is read");
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
