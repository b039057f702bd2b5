// cli/console: prints, and reports long activities from a thread of its own.

#include "weft/cli/console.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "weft/base/ensure.hpp"
#include "weft/base/printable.hpp"

namespace weft::cli {

namespace {
constexpr std::chrono::seconds report_interval{4};
}  // namespace

Console::Console(bool speaks) : speaks_(speaks) {
  if (speaks_) watcher_ = std::thread([this] { watch(); });
}

Console::~Console() {
  if (!speaks_) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  watcher_.join();
}

void Console::say(const std::string& text) {
  if (!speaks_) return;
  const bool is_printed =
      std::fputs((printable_lines(text) + "\n").c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  // Who closed the pipe, as `head` does, wants no more lines; files are written all the same.
  if (!is_printed && errno != EPIPE && print_error_ == 0) print_error_ = errno;
}

void Console::require_printed() const {
  if (print_error_ == 0) return;
  throw Error(Error::system,
              fmt::format("cannot write to standard output: {}", std::strerror(print_error_)),
              "direct the output to a file on a disk with room");
}

void Console::start_activity(const std::string& what) {
  const std::lock_guard lock(mutex_);
  activity_ = what;
  since_ = Clock::now();
}

void Console::watch() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, report_interval, [this] { return ends_; })) {
    if (activity_.empty()) continue;
    const double seconds = std::chrono::duration<double>(Clock::now() - since_).count();
    std::fputs(fmt::format("weft: {}{}\n", activity_,
                           seconds < 1 ? "" : fmt::format(", {:.0f} s so far", seconds))
                   .c_str(),
               stderr);
  }
}

}  // namespace weft::cli
