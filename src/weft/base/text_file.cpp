// base/text_file: opens without waiting, looks what it is, and reads to the end.

#include "weft/base/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "weft/base/descriptor.hpp"
#include "weft/base/ensure.hpp"

namespace weft {

namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return std::nullopt;
  return FileStamp{about.st_dev, about.st_ino, about.st_size, nanoseconds(about.st_mtim),
                   nanoseconds(about.st_ctim)};
}

std::optional<std::string> find_text_file(const std::string& path, std::int64_t most_bytes,
                                          const std::string& hint) {
  const auto fail = [&](const std::string& what) { throw Error(Error::io, what, hint); };
  const auto cannot_read = [&] {
    fail(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  };
  // A pipe without a writer must not block, and a terminal must not become that of the process.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.is_open() && errno == ENOENT) return std::nullopt;
  struct stat about {};
  if (!file.is_open() || fstat(file.number(), &about) != 0) cannot_read();
  if (!S_ISREG(about.st_mode)) fail(fmt::format("'{}' is no file", path));
  const auto require_small = [&](std::int64_t bytes) {
    if (bytes > most_bytes) fail(fmt::format("'{}' has more than {} bytes", path, most_bytes));
  };
  require_small(about.st_size);
  // Files of the kernel say that they have 0 bytes, and others may grow.
  std::string text(static_cast<std::size_t>(about.st_size) + 1, '\0');
  for (std::size_t have = 0;;) {
    const ssize_t got = read(file.number(), text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read();
    have += static_cast<std::size_t>(got);
    require_small(static_cast<std::int64_t>(have));
    if (got == 0) {
      text.resize(have);
      return text;
    }
    if (have == text.size()) text.resize(2 * have);
  }
}

std::string read_text_file(const std::string& path, std::int64_t most_bytes,
                           const std::string& hint) {
  auto text = find_text_file(path, most_bytes, hint);
  if (!text)
    throw Error(Error::io, fmt::format("cannot read '{}': {}", path, std::strerror(ENOENT)), hint);
  return *std::move(text);
}

}  // namespace weft
