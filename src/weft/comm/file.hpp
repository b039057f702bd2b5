// comm/file: one file that all ranks read and write together, each its own boxes of a global array.
// Keeps: agreement - what fails on one rank is the same error on all.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/grid/box.hpp"
#include "weft/layout.hpp"

namespace weft {

/// A global array in a file: elements in C order, nothing between them, from `start_byte` on.
struct FileArray {
  std::int64_t start_byte = 0;
  Extents extents;
  std::int64_t element_bytes = 8;
};

/// A box of the global array and where its points lie in memory, `offset` elements from its start.
struct FilePart {
  Box box;
  Layout layout;
  std::int64_t offset = 0;
};

/// Owner of an open file. Everything is collective, the destructor included.
class File {
 public:
  enum Mode {
    reading,
    writing,  ///< makes the file if it is not there; what it holds beyond what is written stays
  };

  /// `comm` outlives the file. Error::io with the path and MPI's reason.
  File(const Communicator& comm, const std::string& path, Mode mode);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  std::int64_t size_bytes() const;

  /// Reads (writes) this rank's boxes; any number of any size, none too.
  /// Error::io if the file is shorter than the array; Error::system with MPI's reason.
  void read(const FileArray& array, const std::vector<FilePart>& parts, void* memory);
  void write(const FileArray& array, const std::vector<FilePart>& parts, const void* memory);

  /// Error::system if what was written could not be put away.
  void close();

  /// Bytes that one rank moves in one call at most: MPI libraries count in int inside. Smaller only
  /// in tests.
  std::int64_t piece_bytes = std::int64_t{1} << 29;

 private:
  template <class Call>
  void move_parts(const FileArray& array, const std::vector<FilePart>& parts, const char* doing,
                  const Call& call);
  void free() noexcept;

  const Communicator* comm_;
  std::string path_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace weft
