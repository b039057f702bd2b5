// base/folder_replacement: a new folder that takes the place of another one when it is complete.
// Keeps: until then the other folder stays as it is; a failure leaves it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

/// A folder beside `path`, with a name that no other file has and the mode 0700. One process makes
/// and publishes it; others may write files in it under its temporary path.
class [[nodiscard]] FolderReplacement {
 public:
  /// Makes an empty folder. Error::io, "cannot write 'path'", with the reason of the system and the
  /// hint.
  FolderReplacement(const std::string& path, std::string hint);
  FolderReplacement(const FolderReplacement&) = delete;
  FolderReplacement& operator=(const FolderReplacement&) = delete;
  /// Removes the folder and what is in it unless it was published.
  ~FolderReplacement();

  /// Its name until it is published.
  const std::string& temporary_path() const { return temporary_path_; }
  /// Gives the folder and its files the mode of any new ones, and then its name. A folder that has
  /// the name is removed, with what is in it. Error::io.
  void publish();

 private:
  [[noreturn]] void fail(int error) const;

  std::string path_, hint_, temporary_path_;
};

/// Makes a new file in a folder, allocates `bytes` bytes, and writes `text` at its start. The
/// system's error number; 0: it is there.
int make_file(const std::string& path, std::int64_t bytes, std::string_view text = {});

}  // namespace weft
