// cli/interruption: removes a file in a signal handler.

#include "weft/cli/interruption.hpp"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "weft/files/output_file.hpp"

namespace weft::cli {

namespace {

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
  if (path.empty()) return;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, remove_and_end) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

void remove_files_when_interrupted() { note_temporary = remove_when_interrupted; }

}  // namespace weft::cli
