// cli/output_file: creates, fills and renames a file.

#include "weft/cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "weft/comm/agreement.hpp"

namespace weft::cli {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why,
                       Error::Code code = Error::io) {
  throw Error(code, fmt::format("cannot write '{}': {}", path, why),
              "choose another path for the output, on a disk with room for the whole file");
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// Where symbolic links lead to from `path`; also when there is no file yet.
std::string target_of(std::string path) {
  constexpr int most_links = 40;  // as in Linux
  for (int links = 0; links < most_links; ++links) {
    std::error_code is_no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(path, is_no_link);
    if (is_no_link) return path;
    path =
        next.is_absolute() ? next.string() : fmt::format("{}/{}", folder_of(path), next.string());
  }
  fail(path, std::strerror(ELOOP));
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
  const std::string folder = folder_of(target_of(path));
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
    : comm_(comm), path_(path) {
  agree(comm, [&] {
    if (comm.rank() == 0) {
      require_writable(path);
      path_ = target_of(path);
      make(head, bytes);
    }
  });
  temporary_path_ = comm.broadcast(temporary_path_, 0);
}

// Creates the temporary file, with a name that no other file has: other programs write here, too,
// and a killed one leaves its file.
int OutputFile::create() {
  constexpr int most_names = 1000;
  const std::string name = path_.substr(path_.rfind('/') + 1).substr(0, 200);
  int file = -1;
  for (int i = 0; i < most_names && file < 0 && (i == 0 || errno == EEXIST); ++i) {
    temporary_path_ = fmt::format("{}/.weft-{}-{}-{}", folder_of(path_), getpid(), i, name);
    file = open(temporary_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (file >= 0) return file;
  const int error = errno;
  temporary_path_.clear();
  fail(path_, std::strerror(error));
}

void OutputFile::make(const std::string& head, std::int64_t bytes) {
  const int file = create();
  remove_when_interrupted(temporary_path_);
  // Allocates the whole file, so that a full disk is detected here, and not inside MPI. If the file
  // system does not support this, only the length is set.
  int error = fallocate(file, 0, 0, bytes) == 0 ? 0 : errno;
  if (error == EOPNOTSUPP || error == ENOSYS) error = ftruncate(file, bytes) == 0 ? 0 : errno;
  if (error == 0 && pwrite(file, head.data(), head.size(), 0) != static_cast<ssize_t>(head.size()))
    error = errno;
  // The mode of the file that will be replaced, and its owner where that is allowed.
  if (struct stat old{}; error == 0 && stat(path_.c_str(), &old) == 0) {
    if (fchown(file, old.st_uid, old.st_gid) != 0 && errno != EPERM) error = errno;
    if (fchmod(file, old.st_mode & 0777) != 0 && error == 0) error = errno;
  }
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0) return;
  remove();
  fail(path_, fmt::format("{} ({} bytes)", std::strerror(error), bytes), Error::system);
}

void OutputFile::remove() {
  if (comm_.rank() == 0 && !temporary_path_.empty()) unlink(temporary_path_.c_str());
  temporary_path_.clear();
  interrupted_path[0] = '\0';
}

OutputFile::~OutputFile() { remove(); }

void OutputFile::publish() {
  agree(comm_, [&] {
    if (comm_.rank() == 0 && std::rename(temporary_path_.c_str(), path_.c_str()) != 0)
      fail(path_, std::strerror(errno));
  });
  temporary_path_.clear();
  interrupted_path[0] = '\0';
}

}  // namespace weft::cli
