// base/folder_replacement: makes, renames and removes folders.

#include "weft/base/folder_replacement.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "weft/base/descriptor.hpp"
#include "weft/base/ensure.hpp"
#include "weft/base/replacement.hpp"

namespace weft {

FolderReplacement::FolderReplacement(const std::string& path, std::string hint)
    : path_(link_target(path)), hint_(std::move(hint)) {
  constexpr int most_names = 1000;
  constexpr std::size_t longest_name = 200;  // a file's name may have 255 bytes
  const std::filesystem::path target = path_;
  const std::string name = target.filename().string().substr(0, longest_name);
  for (int i = 0; i < most_names; ++i) {
    temporary_path_ =
        (target.parent_path() / fmt::format(".weft-{}-{}-{}", getpid(), i, name)).string();
    if (mkdir(temporary_path_.c_str(), S_IRWXU) == 0) return;
    if (errno != EEXIST) break;
  }
  const int error = errno;
  temporary_path_.clear();
  fail(error);
}

void FolderReplacement::fail(int error) const {
  throw Error(Error::io, fmt::format("cannot write '{}': {}", path_, std::strerror(error)), hint_);
}

FolderReplacement::~FolderReplacement() {
  std::error_code ignored;
  if (!temporary_path_.empty()) std::filesystem::remove_all(temporary_path_, ignored);
}

void FolderReplacement::publish() {
  namespace fs = std::filesystem;
  std::error_code error;
  constexpr auto executable =
      fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  const auto of_files = static_cast<fs::perms>(mode_of_new_files());
  // Whoever may read the files may list the folders.
  const auto of_folders =
      of_files | (static_cast<fs::perms>(static_cast<unsigned>(of_files) >> 2) & executable);
  for (auto it = fs::recursive_directory_iterator(temporary_path_, error);
       !error && it != fs::recursive_directory_iterator(); it.increment(error))
    fs::permissions(it->path(), it->is_directory() ? of_folders : of_files, error);
  if (!error) fs::permissions(temporary_path_, of_folders, error);
  if (error) fail(error.value());
  if (std::rename(temporary_path_.c_str(), path_.c_str()) == 0) {  // also over an empty folder
    temporary_path_.clear();
    return;
  }
  if (errno != ENOTEMPTY && errno != EEXIST) fail(errno);
  // The two change places in one step; the other one is then removed under the temporary name.
  if (renameat2(AT_FDCWD, temporary_path_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0)
    return;
  if (errno != EINVAL && errno != ENOSYS) fail(errno);
  // Where the file system cannot, the name leads nowhere for a moment.
  const std::string old = temporary_path_ + ".old";
  if (std::rename(path_.c_str(), old.c_str()) != 0) fail(errno);
  if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0) {
    const int why = errno;
    std::rename(old.c_str(), path_.c_str());
    fail(why);
  }
  temporary_path_ = old;
}

int make_file(const std::string& path, std::int64_t bytes, std::string_view text) {
  const Descriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file.is_open()) return errno;
  if (const int error = allocate_file(file.number(), bytes)) return error;
  if (text.empty()) return 0;
  if (pwrite(file.number(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()))
    return 0;
  return errno != 0 ? errno : EIO;
}

}  // namespace weft
