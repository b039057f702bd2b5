// cli/output_file: creates, fills and renames a file.

#include "weft/cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "weft/comm/agreement.hpp"

namespace weft::cli {

namespace {

constexpr const char* another_path =
    "choose another path for the output, on a disk with room for the whole file";

[[noreturn]] void fail(const std::string& path, const std::string& why,
                       Error::Code code = Error::io) {
  throw Error(code, fmt::format("cannot write '{}': {}", path, why), another_path);
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// The name of the file that a signal handler removes when the program is interrupted.
char interrupted_path[4096] = "";

extern "C" void remove_and_end(int signal) {
  if (interrupted_path[0] != '\0') unlink(interrupted_path);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void remove_when_interrupted(const std::string& path) {
  if (path.size() >= sizeof interrupted_path) return;
  std::memcpy(interrupted_path, path.c_str(), path.size() + 1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, remove_and_end) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

void write_text(const Communicator& comm, const std::string& path, const std::string& text) {
  if (path.empty()) return;
  OutputFile file(comm, path, text, static_cast<std::int64_t>(text.size()));
  file.publish();
}

void require_writable(const std::string& path) {
  struct stat about {};
  if (path.empty()) fail(path, "the name is empty");
  const std::string folder = folder_of(link_target(path));
  if (stat(folder.c_str(), &about) != 0 || access(folder.c_str(), W_OK | X_OK) != 0)
    fail(path, std::strerror(errno));
  // Renaming the finished file to this path would replace a device.
  if (stat(path.c_str(), &about) != 0) return;
  if (!S_ISREG(about.st_mode))
    fail(path, S_ISDIR(about.st_mode) ? "it is a folder" : "it is not a regular file");
  // The mode is asked as well, because root may write to every file.
  if ((about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || access(path.c_str(), W_OK) != 0)
    fail(path, "it is read-only");
}

OutputFile::OutputFile(const Communicator& comm, const std::string& path, const std::string& head,
                       std::int64_t bytes)
    : comm_(comm) {
  agree(comm, [&] {
    if (comm.rank() == 0) {
      require_writable(path);
      make(path, head, bytes);
    }
  });
  temporary_path_ = comm.broadcast(temporary_path_, 0);
}

void OutputFile::make(const std::string& path, const std::string& head, std::int64_t bytes) {
  file_.emplace(path, another_path);
  temporary_path_ = file_->temporary_path();
  remove_when_interrupted(temporary_path_);
  const int file = file_->descriptor();
  // Allocates the whole file, so that a full disk is detected here, and not inside MPI. If the file
  // system does not support this, only the length is set.
  int error = fallocate(file, 0, 0, bytes) == 0 ? 0 : errno;
  if (error == EOPNOTSUPP || error == ENOSYS) error = ftruncate(file, bytes) == 0 ? 0 : errno;
  if (error == 0 && pwrite(file, head.data(), head.size(), 0) != static_cast<ssize_t>(head.size()))
    error = errno;
  if (error == 0) return;
  remove();
  fail(path, fmt::format("{} ({} bytes)", std::strerror(error), bytes), Error::system);
}

void OutputFile::remove() {
  file_.reset();
  interrupted_path[0] = '\0';
}

OutputFile::~OutputFile() { remove(); }

void OutputFile::publish() {
  agree(comm_, [&] {
    if (file_) file_->publish();
  });
  remove();
}

}  // namespace weft::cli
