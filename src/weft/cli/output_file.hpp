// cli/output_file: a file that appears under its name only when it is complete.
// Keeps: on failure nothing is left, neither under its name nor under the temporary one.
#pragma once

#include <cstdint>
#include <string>

#include "weft/comm/communicator.hpp"

namespace weft::cli {

/// A new file beside `path`, to be renamed to it. Made and removed by rank 0.
class OutputFile {
 public:
  /// Makes room for `bytes` and writes `head` at the start. Collective.
  /// Error::io with the path and the system's reason.
  OutputFile(const Communicator& comm, const std::string& path, const std::string& head,
             std::int64_t bytes);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Removes it, unless it was published.
  ~OutputFile();

  /// Where to write.
  const std::string& temporary_path() const { return temporary_path_; }
  /// Gives it its name. Collective.
  void publish();

 private:
  void make(const std::string& head, std::int64_t bytes);
  void remove();

  const Communicator& comm_;
  std::string path_, temporary_path_;
};

/// Error::io if no file could be made at `path` when the time has come: looked at before long work.
/// Not collective.
void require_writable(const std::string& path);

}  // namespace weft::cli
