// files/output_file: a file that appears under its name only when it is complete.
// Keeps: after a failure no file is left, neither under its name nor under the temporary name;
// until it is complete, nobody but its owner can read it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "weft/base/replacement.hpp"
#include "weft/comm/communicator.hpp"

namespace weft {

/// A Replacement that rank 0 makes and all ranks write.
class OutputFile {
 public:
  /// Creates a file; then rank 0 calls `begin(*this)`, which reserves room and writes what the
  /// ranks do not write together. Collective. Error::io with the path and the system's reason, and
  /// what `begin` throws.
  OutputFile(const Communicator& comm, const std::string& path,
             const std::function<void(OutputFile&)>& begin);
  /// Creates a file of `bytes` bytes and writes `head` at its start.
  OutputFile(const Communicator& comm, const std::string& path, const std::string& head,
             std::int64_t bytes);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Removes the file unless it was published.
  ~OutputFile();

  /// The path under which all ranks write the file.
  const std::string& temporary_path() const { return temporary_path_; }
  /// On rank 0: the file, open for writing.
  int descriptor() const { return file_->descriptor(); }
  /// On rank 0: makes the file `bytes` bytes long, and allocates them, so that a full disk is
  /// detected here, and not inside MPI. Error::system, with the bytes, if there is no room. If the
  /// file system cannot allocate, only the length is set.
  void reserve(std::int64_t bytes) const;
  /// Gives the file its mode and its name. Collective.
  void publish();

 private:
  const Communicator& comm_;
  std::string path_;
  std::optional<Replacement> file_;  // of rank 0
  std::string temporary_path_;
};

/// Told of every temporary file or folder that is made, with its path, and with an empty path when
/// it is gone: a program that may be interrupted removes it. None at first.
extern void (*note_temporary)(const std::string& path);

/// Writes a file that holds `text`; without a path, none. Collective. Errors as of OutputFile.
void write_text(const Communicator& comm, const std::string& path, const std::string& text);

/// Error::io if no file can be created at `path`, or the one there is read-only; called before long
/// work. Not collective.
void require_writable(const std::string& path);

}  // namespace weft
