// cli/console: what the program says - rank 0 speaks, and tells now and then what takes long.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace weft::cli {

/// Prints for one rank, or for none. While something takes long, a line on standard error every few
/// seconds tells what.
class Console {
 public:
  explicit Console(bool speaks);
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console();

  bool speaks() const { return speaks_; }
  /// A line on standard output.
  void say(const std::string& text) const;
  /// What is being done from now on.
  void doing(const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;  // of who waits, also where a run's time is simulated

  void watch();

  bool speaks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  Clock::time_point since_{};
  bool ends_ = false;
  std::thread watcher_;
};

}  // namespace weft::cli
