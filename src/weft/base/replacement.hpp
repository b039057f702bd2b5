// base/replacement: a new file that takes the place of another one when it is complete.
// Keeps: until then nobody but its owner can read it, and the other file stays as it is.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/base/descriptor.hpp"

namespace weft {

/// The file to which symbolic links lead from `path`, also where there is no file yet. Error::io if
/// they lead round in a circle.
std::string link_target(const std::string& path);

/// The mode of a file that a program makes in the usual way.
mode_t mode_of_new_files();

/// Allocates `bytes` bytes of an open file, so that writing them cannot find the disk full; or sets
/// its length, where the file system cannot. The system's error number; 0: it has them.
int allocate_file(int file, std::int64_t bytes);

/// A file beside the one to which `path` leads, with a name that no other file has and the mode
/// 0600. Each Error::io says "cannot write 'path'", with the reason of the system and the hint.
class [[nodiscard]] Replacement {
 public:
  /// Makes an empty file. Error::io.
  Replacement(std::string path, std::string hint);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  /// Removes the file unless it was published.
  ~Replacement();

  /// The file, open for writing.
  int descriptor() const { return file_.number(); }
  /// Its name until it is published.
  const std::string& temporary_path() const { return temporary_path_; }
  /// Writes `text` after what was written, and waits until the disk has it. Error::io.
  void write(std::string_view text);
  /// Gives the file the owner and the mode of the one that it replaces, and then its name. Where
  /// there is none to replace, it gets the mode of any new file. Error::io.
  ///
  /// An owner that the system does not let this process give is left as it is. So is a group, which
  /// may then do no more than everybody.
  void publish();

 private:
  [[noreturn]] void fail(int error) const;
  int create();
  void take_owner_and_mode() const;

  std::string path_, hint_, target_, temporary_path_;
  Descriptor file_;
};

}  // namespace weft
