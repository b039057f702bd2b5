// choose/wisdom_file: reads, locks and replaces the file.

#include "weft/choose/wisdom_file.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "weft/base/descriptor.hpp"
#include "weft/base/ensure.hpp"
#include "weft/base/replacement.hpp"
#include "weft/base/text_file.hpp"

namespace weft {

namespace {

constexpr const char* other_file =
    "let WEFT_WISDOM name another file, or set it to nothing to remember nothing";

[[noreturn]] void fail(const std::string& what, const std::string& path, const std::string& why) {
  throw Error(Error::io, fmt::format("cannot {} the wisdom '{}': {}", what, path, why), other_file);
}

void make_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) fail("write", path, error.message());
}

// Waits until no other process has the lock.
void wait_for_lock(const Descriptor& file, const std::string& path) {
  constexpr std::chrono::seconds most(30);
  constexpr std::chrono::milliseconds pause(10);
  const auto begin = std::chrono::steady_clock::now();
  while (flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) fail("lock", path, std::strerror(errno));
    if (std::chrono::steady_clock::now() - begin > most)
      fail("lock", path, fmt::format("another process has held it for {} s", most.count()));
    std::this_thread::sleep_for(pause);
  }
}

// The number of the open file that is the lock. Whoever can open it can keep this user from
// remembering anything, so no other user may.
int locked_beside(const std::string& target) {
  constexpr mode_t own = S_IRUSR | S_IWUSR, of_others = S_IRWXG | S_IRWXO;
  const std::string path = target + ".lock";
  constexpr int how = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Descriptor file(open(path.c_str(), how, own));
  struct stat about {};
  if (!file.is_open() || fstat(file.number(), &about) != 0)
    fail("lock", path, errno == ELOOP ? "it is a symbolic link" : std::strerror(errno));
  if (!S_ISREG(about.st_mode) || about.st_nlink != 1)
    fail("lock", path, "it is no file of its own");
  // Older versions of weft made locks that everybody could open.
  if ((about.st_mode & of_others) != 0 && fchmod(file.number(), own) != 0)
    fail("lock", path, "it belongs to another user");
  wait_for_lock(file, path);
  return file.keep();
}

// No lock is made beside what is no file of weft's, or is to stay as it is.
void require_replaceable(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return;
  if (!S_ISREG(about.st_mode)) fail("write", path, "it is no file");
  if ((about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0) fail("write", path, "it is read-only");
}

// What a file was found to hold, or why it could not be read.
struct KnownFile {
  std::string path;
  std::optional<FileStamp> stamp;  // none of a file that there is not
  std::shared_ptr<const Wisdom> known;
  std::optional<Error> error;

  static KnownFile read(const std::string& path, const std::optional<FileStamp>& stamp) {
    KnownFile file{path, stamp, nullptr, std::nullopt};
    try {
      file.known = std::make_shared<const Wisdom>(read_wisdom(path));
    } catch (const Error& error) {
      file.error = error;
    }
    return file;
  }
  // A file that changes twice within the accuracy of the time of its last change looks the same.
  bool is_settled() const {
    constexpr std::chrono::seconds accuracy(2);
    const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    return stamp && now - std::chrono::nanoseconds(stamp->modified_ns) > accuracy;
  }
  std::shared_ptr<const Wisdom> wisdom() const {
    if (error) throw Error(*error);
    return known;
  }
};

}  // namespace

std::string wisdom_path() {
  if (const char* named = std::getenv("WEFT_WISDOM"); named != nullptr) return named;
  char names[4096];  // where the system writes what the entry points to
  struct passwd entry {};
  struct passwd* user = nullptr;
  if (getpwuid_r(geteuid(), &entry, names, sizeof names, &user) != 0 || user == nullptr ||
      user->pw_dir == nullptr || user->pw_dir[0] != '/')
    return {};
  return fmt::format("{}/.cache/weft/wisdom.json", user->pw_dir);
}

bool is_wisdom_off() {
  const char* named = std::getenv("WEFT_WISDOM");
  return named != nullptr && *named == 0;
}

Wisdom read_wisdom(const std::string& path) {
  const auto text = find_text_file(path, most_bytes_of_descriptions, other_file);
  if (!text || text->empty()) return {};
  try {
    return parse_wisdom(*text);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("'{}': {}", path, error.message()),
                "move the file away; it is left as it is, and nothing of it is used");
  }
}

std::shared_ptr<const Wisdom> known_wisdom(const std::string& path) {
  static std::mutex guard;
  static KnownFile last;
  const auto stamp = stamp_of(path);
  {
    const std::lock_guard lock(guard);
    if (last.path == path && last.stamp && last.stamp == stamp) return last.wisdom();
  }
  const KnownFile now = KnownFile::read(path, stamp);
  if (now.is_settled()) {
    const std::lock_guard lock(guard);
    last = now;
  }
  return now.wisdom();
}

void change_wisdom(const std::string& path, const std::function<void(Wisdom&)>& change) {
  const std::string target = link_target(path);
  require_replaceable(target);
  make_folder_of(target);
  const Descriptor guard(locked_beside(target));
  Wisdom wisdom = read_wisdom(target);
  change(wisdom);
  Replacement file(target, other_file);
  file.write(to_text(wisdom));
  file.publish();
}

void require_changeable(const std::string& path) {
  const std::string target = link_target(path);
  require_replaceable(target);
  make_folder_of(target);
  const Descriptor guard(locked_beside(target));
  read_wisdom(target);
  Replacement(target, other_file).write("");
}

}  // namespace weft
