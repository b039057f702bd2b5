// cli/console: the output of the program, which rank 0 prints, and reports of long activities.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace weft::cli {

/// Prints if this rank is the one that `speaks`. During a long activity, it prints a line on
/// standard error every few seconds.
class Console {
 public:
  explicit Console(bool speaks);
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console();

  bool speaks() const { return speaks_; }
  /// Prints a line on standard output.
  void say(const std::string& text);
  /// Error::system if something could not be printed, unless the reader of a pipe has closed it.
  /// Called at the end, by all ranks together.
  void require_printed() const;
  /// Sets what the program does from now on.
  void start_activity(const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;  // real time, also in simulations

  void watch();

  bool speaks_;
  int print_error_ = 0;  // errno of the first line that could not be printed
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string activity_;
  Clock::time_point since_{};
  bool ends_ = false;
  std::thread watcher_;
};

}  // namespace weft::cli
