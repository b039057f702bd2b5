// exchange/process_watch: noticing that a process has ended.
#pragma once

#include <poll.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace weft {

struct ProcessDescriptor;

/// Watches processes of this machine. Holds one descriptor per process, common to all watches.
class ProcessWatch {
 public:
  ProcessWatch() = default;
  /// `processes` are ids; 0 is never looked at. One that has ended already is found so.
  explicit ProcessWatch(const std::vector<std::int64_t>& processes);

  /// The index of a process that has ended, -1 if there is none. Allocates nothing.
  int ended();

 private:
  std::vector<std::int64_t> processes_;
  std::vector<std::shared_ptr<const ProcessDescriptor>> descriptors_;
  std::vector<pollfd> polled_;
};

}  // namespace weft
