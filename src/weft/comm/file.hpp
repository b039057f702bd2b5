// comm/file: a file that all ranks read or write together, each its own boxes of a global array.
// Keeps: agreement - a failure on one rank is the same error on all.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/grid/file_part.hpp"

namespace weft {

/// Owner of an open file. All operations are collective, including the destructor.
class File {
 public:
  enum Mode {
    reading,
    writing,  ///< a file that there is, and no link; bytes that are not written keep their values
  };

  /// `comm` must outlive the file. Error::io with the path and the reason if a rank cannot open the
  /// file; Error::mismatch if ranks see files of different sizes at this path.
  File(const Communicator& comm, const std::string& path, Mode mode);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  std::int64_t size_bytes() const;

  /// Reads (writes) this rank's boxes: any number, including none, of any size.
  /// Error::io if the file is shorter than the array; Error::system with MPI's reason.
  void read(const FileArray& array, const std::vector<FilePart>& parts, void* memory);
  void write(const FileArray& array, const std::vector<FilePart>& parts, const void* memory);

  /// Error::system if the written data could not be stored.
  void close();

  /// The most bytes that one rank moves in one call: some MPI libraries count bytes in an int.
  /// Tests set smaller values.
  std::int64_t call_bytes = std::int64_t{1} << 29;

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
