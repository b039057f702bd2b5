// cli/console: prints, and reports long activities from a thread of its own.

#include "weft/cli/console.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

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

void Console::say(const std::string& text) const {
  if (!speaks_) return;
  std::fputs((text + "\n").c_str(), stdout);
  std::fflush(stdout);
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
