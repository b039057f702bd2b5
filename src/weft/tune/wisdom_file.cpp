// tune/wisdom_file: reads, locks and replaces the file.

#include "weft/tune/wisdom_file.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "weft/base/descriptor.hpp"
#include "weft/base/ensure.hpp"

namespace weft {

namespace {

constexpr std::int64_t most_file_bytes = std::int64_t{64} << 20;

[[noreturn]] void fail(const std::string& what, const std::string& path, const std::string& why) {
  throw Error(Error::io, fmt::format("cannot {} the wisdom '{}': {}", what, path, why),
              "let WEFT_WISDOM name another file, or set it to nothing to remember nothing");
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

void write_all(const Descriptor& file, const std::string& text, const std::string& path) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = write(file.number(), text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail("write", path, std::strerror(errno));
    done += static_cast<std::size_t>(wrote);
  }
  if (fsync(file.number()) != 0) fail("write", path, std::strerror(errno));
}

// Writes a file beside `path`, and renames it. Its name is that of this process: some file systems
// lock on each host alone, and what two processes write into one file is no wisdom.
void replace(const std::string& path, const std::string& text) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string temporary = fmt::format("{}.{}-{}.new", path, host.data(), getpid());
  unlink(temporary.c_str());  // of a process that was killed, and had this number
  const Descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.is_open()) fail("write", path, std::strerror(errno));
  try {
    struct stat old {};
    if (stat(path.c_str(), &old) == 0 && fchmod(file.number(), old.st_mode & 0777) != 0)
      fail("write", path, std::strerror(errno));
    write_all(file, text, path);
    if (std::rename(temporary.c_str(), path.c_str()) != 0)
      fail("write", path, std::strerror(errno));
  } catch (...) {
    unlink(temporary.c_str());
    throw;
  }
}

// Where symbolic links lead to, so that the file that they name is replaced, and not they.
std::string target_of(const std::string& path) {
  constexpr int most_links = 40;  // as in Linux
  std::filesystem::path target = path;
  for (int links = 0; links < most_links; ++links) {
    std::error_code is_no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(target, is_no_link);
    if (is_no_link) return target.string();
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  fail("write", path, std::strerror(ELOOP));
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
  const std::string target = target_of(path);
  require_regular(target);
  make_folder_of(target);
  const std::string beside = target + ".lock";
  const Descriptor guard(open(beside.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!guard.is_open()) fail("lock", beside, std::strerror(errno));
  lock(guard, beside);
  Wisdom wisdom = read_wisdom(target);
  change(wisdom);
  replace(target, to_text(wisdom));
}

}  // namespace weft
