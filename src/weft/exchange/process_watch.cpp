// exchange/process_watch: watches processes through process descriptors (pidfd, Linux 5.3).

#include "weft/exchange/process_watch.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>

namespace weft {

/// A process descriptor. Unlike a process id, it never refers to another process later.
struct ProcessDescriptor {
  int number;
  explicit ProcessDescriptor(std::int64_t process)
      : number(static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(process), 0))) {}
  ProcessDescriptor(const ProcessDescriptor&) = delete;
  ProcessDescriptor& operator=(const ProcessDescriptor&) = delete;
  ~ProcessDescriptor() {
    if (number >= 0) close(number);
  }
  bool has_ended() const {
    pollfd polled{number, POLLIN, 0};
    return poll(&polled, 1, 0) > 0;
  }
};

namespace {

// One per process and not per watch: many plans on a large node would run out of descriptors.
std::shared_ptr<const ProcessDescriptor> descriptor_of(std::int64_t process) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::int64_t, std::weak_ptr<const ProcessDescriptor>>;
  const std::lock_guard lock(mutex);
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  auto& entry = known[process];
  auto descriptor = entry.lock();
  if (descriptor == nullptr || descriptor->number < 0 || descriptor->has_ended())
    entry = descriptor = std::make_shared<const ProcessDescriptor>(process);
  return descriptor;
}

}  // namespace

ProcessWatch::ProcessWatch(const std::vector<std::int64_t>& processes) : processes_(processes) {
  for (const std::int64_t process : processes) {
    descriptors_.push_back(process != 0 ? descriptor_of(process) : nullptr);
    polled_.push_back({process != 0 ? descriptors_.back()->number : -1, POLLIN, 0});
  }
}

int ProcessWatch::ended() {
  const bool any = poll(polled_.data(), polled_.size(), 0) > 0;
  for (std::size_t i = 0; i < polled_.size(); ++i) {
    if (processes_[i] == 0) continue;
    if (any && polled_[i].fd >= 0 && (polled_[i].revents & POLLIN) != 0) return static_cast<int>(i);
    // The kernel is older, or there are no descriptors left. kill() still finds a process that has
    // ended and that its parent has not waited for yet, so such a process is noticed late.
    if (polled_[i].fd < 0 && kill(static_cast<pid_t>(processes_[i]), 0) != 0 && errno == ESRCH)
      return static_cast<int>(i);
  }
  return -1;
}

}  // namespace weft
