// base/replacement: makes, fills and renames a file.

#include "weft/base/replacement.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

constexpr mode_t permissions = 0777, of_group = S_IRWXG, of_others = S_IRWXO;

}  // namespace

// umask() tells the mask only by changing it, which other threads would notice; so the mask is read
// where the kernel lists it.
mode_t mode_of_new_files() {
  constexpr mode_t usual = 0666, own = 0600;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (mode_t mask = 0; word == "Umask:" && status >> std::oct >> mask) return usual & ~mask;
  return own;
}

int allocate_file(int file, std::int64_t bytes) {
  int error = fallocate(file, 0, 0, bytes) == 0 ? 0 : errno;
  if (error == EOPNOTSUPP || error == ENOSYS) error = ftruncate(file, bytes) == 0 ? 0 : errno;
  return error;
}

std::string link_target(const std::string& path) {
  constexpr int most_links = 40;  // as in Linux
  std::filesystem::path target = path;
  for (int links = 0; links < most_links; ++links) {
    std::error_code is_no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(target, is_no_link);
    if (is_no_link) return target.string();
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  throw Error(Error::io, fmt::format("cannot write '{}': {}", path, std::strerror(ELOOP)),
              "give the path of a file, or a link that leads to one");
}

Replacement::Replacement(std::string path, std::string hint)
    : path_(std::move(path)),
      hint_(std::move(hint)),
      target_(link_target(path_)),
      file_(create()) {}

void Replacement::fail(int error) const {
  throw Error(Error::io, fmt::format("cannot write '{}': {}", path_, std::strerror(error)), hint_);
}

// Other programs make files here, too, and a killed one leaves its file.
int Replacement::create() {
  constexpr int most_names = 1000;
  constexpr std::size_t longest_name = 200;  // a file's name may have 255 bytes
  const std::filesystem::path target = target_;
  const std::string name = target.filename().string().substr(0, longest_name);
  for (int i = 0; i < most_names; ++i) {
    temporary_path_ =
        (target.parent_path() / fmt::format(".weft-{}-{}-{}", getpid(), i, name)).string();
    const int file = open(temporary_path_.c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file >= 0) return file;
    if (errno != EEXIST) break;
  }
  fail(errno);
}

Replacement::~Replacement() {
  if (!temporary_path_.empty()) unlink(temporary_path_.c_str());
}

void Replacement::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(descriptor(), text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail(errno);
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  if (fsync(descriptor()) != 0) fail(errno);
}

void Replacement::take_owner_and_mode() const {
  constexpr uid_t same_user = -1;
  constexpr gid_t same_group = -1;
  mode_t mode = mode_of_new_files();
  if (struct stat old{}; stat(target_.c_str(), &old) == 0) {
    mode = old.st_mode & permissions;
    if (fchown(descriptor(), same_user, old.st_gid) != 0) {
      if (errno != EPERM) fail(errno);
      mode &= ~of_group | (mode & of_others) << 3;
    }
    if (fchown(descriptor(), old.st_uid, same_group) != 0 && errno != EPERM) fail(errno);
  }
  if (fchmod(descriptor(), mode) != 0) fail(errno);
}

void Replacement::publish() {
  take_owner_and_mode();
  if (std::rename(temporary_path_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_path_.clear();
}

}  // namespace weft
