// exchange/process_watch: a process that ends is noticed, and only that one.

#include "weft/exchange/process_watch.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace weft {
namespace {

// A child process that waits until it is killed.
class Sleeper {
 public:
  Sleeper() : id_(fork()) {
    while (id_ == 0) ::pause();
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() { collect(); }
  std::int64_t id() const { return id_; }
  // As a launcher does, or the system when it is out of memory.
  void end() {
    kill(id_, SIGKILL);
    siginfo_t none{};
    waitid(P_PID, static_cast<id_t>(id_), &none, WEXITED | WNOWAIT);
  }
  void collect() {
    if (is_collected_) return;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    is_collected_ = true;
  }

 private:
  pid_t id_;
  bool is_collected_ = false;
};

std::int64_t descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

TEST(ProcessWatch, notices_the_one_that_was_killed) {
  Sleeper first, second;
  ProcessWatch watch({first.id(), 0, second.id()});
  EXPECT_EQ(watch.ended(), -1);
  second.end();
  EXPECT_EQ(watch.ended(), 2) << "before its parent has asked for it";
  second.collect();
  EXPECT_EQ(watch.ended(), 2);
}

TEST(ProcessWatch, notices_one_that_ended_before_it_began) {
  Sleeper sleeper;
  sleeper.end();
  ProcessWatch watch({sleeper.id()});
  EXPECT_EQ(watch.ended(), 0);
  sleeper.collect();
  ProcessWatch later({sleeper.id()});
  EXPECT_EQ(later.ended(), 0);
}

TEST(ProcessWatch, of_nobody_notices_nothing) {
  EXPECT_EQ(ProcessWatch().ended(), -1);
  EXPECT_EQ(ProcessWatch({0, 0}).ended(), -1);
}

TEST(ProcessWatch, shares_its_descriptors_and_gives_them_back) {
  const Sleeper sleeper;
  const std::int64_t before = descriptors();
  {
    std::vector<ProcessWatch> watches;
    for (int i = 0; i < 10; ++i) watches.emplace_back(std::vector{sleeper.id()});
    EXPECT_LE(descriptors(), before + 1);
  }
  EXPECT_EQ(descriptors(), before);
}

}  // namespace
}  // namespace weft
