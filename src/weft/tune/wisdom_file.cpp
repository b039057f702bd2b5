// tune/wisdom_file: reads, locks and replaces the file.

#include "weft/tune/wisdom_file.hpp"

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
#include <thread>

#include "weft/base/descriptor.hpp"
#include "weft/base/ensure.hpp"
#include "weft/base/replacement.hpp"

namespace weft {

namespace {

constexpr std::int64_t most_file_bytes = std::int64_t{64} << 20;
constexpr const char* other_file =
    "let WEFT_WISDOM name another file, or set it to nothing to remember nothing";

[[noreturn]] void fail(const std::string& what, const std::string& path, const std::string& why) {
  throw Error(Error::io, fmt::format("cannot {} the wisdom '{}': {}", what, path, why), other_file);
}

std::string content_of(const Descriptor& file, const std::string& path) {
  struct stat about {};
  if (fstat(file.number(), &about) != 0) fail("read", path, std::strerror(errno));
  if (!S_ISREG(about.st_mode)) fail("read", path, "it is not a regular file");
  if (about.st_size > most_file_bytes)
    fail("read", path, fmt::format("it has {} bytes, more than any wisdom", about.st_size));
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = read(file.number(), text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path, std::strerror(errno));
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

void make_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) fail("write", path, error.message());
}

// Waits until no other process has the lock.
void lock(const Descriptor& file, const std::string& path) {
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

// No lock is made beside what is no file of weft's.
void require_regular(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode))
    fail("write", path, "it is not a regular file");
}

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

Wisdom read_wisdom(const std::string& path) {
  // A pipe without a writer must not block.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open() && errno == ENOENT) return {};
  if (!file.is_open()) fail("read", path, std::strerror(errno));
  const std::string text = content_of(file, path);
  if (text.empty()) return {};
  try {
    return parse_wisdom(text);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("'{}': {}", path, error.message()),
                "move the file away; it is left as it is, and nothing of it is used");
  }
}

void change_wisdom(const std::string& path, const std::function<void(Wisdom&)>& change) {
  const std::string target = link_target(path);
  require_regular(target);
  make_folder_of(target);
  const std::string beside = target + ".lock";
  const Descriptor guard(open(beside.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!guard.is_open()) fail("lock", beside, std::strerror(errno));
  lock(guard, beside);
  Wisdom wisdom = read_wisdom(target);
  change(wisdom);
  Replacement file(target, other_file);
  file.write(to_text(wisdom));
  file.publish();
}

}  // namespace weft
