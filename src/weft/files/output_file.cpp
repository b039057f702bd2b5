// files/output_file: creates, fills and renames a file.

#include "weft/files/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "weft/comm/agreement.hpp"

namespace weft {

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

void (*note_temporary)(const std::string& path) = [](const std::string&) {};

OutputFile::OutputFile(const Communicator& comm, const std::string& path,
                       const std::function<void(OutputFile&)>& begin)
    : comm_(comm), path_(path) {
  const auto make = [&] {
    if (comm.rank() != 0) return;
    require_writable(path);
    file_.emplace(path, another_path);
    temporary_path_ = file_->temporary_path();
    note_temporary(temporary_path_);
    begin(*this);
  };
  try {
    agree(comm, make);
  } catch (...) {
    note_temporary("");
    throw;
  }
  temporary_path_ = comm.broadcast(temporary_path_, 0);
}

OutputFile::OutputFile(const Communicator& comm, const std::string& path, const std::string& head,
                       std::int64_t bytes)
    : OutputFile(comm, path, [&](OutputFile& file) {
        file.reserve(bytes);
        const auto length = static_cast<ssize_t>(head.size());
        if (pwrite(file.descriptor(), head.data(), head.size(), 0) != length)
          fail(path, fmt::format("{} ({} bytes)", std::strerror(errno), bytes), Error::system);
      }) {}

void OutputFile::reserve(std::int64_t bytes) const {
  if (const int error = allocate_file(descriptor(), bytes))
    fail(path_, fmt::format("{} ({} bytes)", std::strerror(error), bytes), Error::system);
}

OutputFile::~OutputFile() {
  file_.reset();
  note_temporary("");
}

void OutputFile::publish() {
  agree(comm_, [&] {
    if (file_) file_->publish();
  });
  file_.reset();
  note_temporary("");
}

}  // namespace weft
