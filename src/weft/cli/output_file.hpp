// cli/output_file: a file that appears under its name only when it is complete.
// Keeps: after a failure no file is left, neither under its name nor under the temporary name;
// until it is complete, nobody but its owner can read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/base/replacement.hpp"
#include "weft/comm/communicator.hpp"

namespace weft::cli {

/// A Replacement that rank 0 makes and all ranks write.
class OutputFile {
 public:
  /// Creates a file of `bytes` bytes and writes `head` at its start. Collective.
  /// Error::io with the path and the system's reason.
  OutputFile(const Communicator& comm, const std::string& path, const std::string& head,
             std::int64_t bytes);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Removes the file unless it was published.
  ~OutputFile();

  /// The path under which all ranks write the file.
  const std::string& temporary_path() const { return temporary_path_; }
  /// Gives the file its mode and its name. Collective.
  void publish();

 private:
  void make(const std::string& path, const std::string& head, std::int64_t bytes);
  void remove();

  const Communicator& comm_;
  std::optional<Replacement> file_;  // of rank 0
  std::string temporary_path_;
};

/// Writes a file that holds `text`; without a path, none. Collective. Errors as of OutputFile.
void write_text(const Communicator& comm, const std::string& path, const std::string& text);

/// Error::io if no file can be created at `path`, or the one there is read-only; called before long
/// work. Not collective.
void require_writable(const std::string& path);

}  // namespace weft::cli
