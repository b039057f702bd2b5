// exchange/process_watch: notices that a process of this machine has ended.
// Keeps: one descriptor per process, however many watches there are.
#pragma once

#include <poll.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace weft {

struct ProcessDescriptor;

/// Watches processes of this machine. All watches of a process share one descriptor.
class ProcessWatch {
 public:
  ProcessWatch() = default;
  /// `processes` are process ids; entries of 0 are ignored. A process that has already ended is
  /// reported as ended.
  explicit ProcessWatch(const std::vector<std::int64_t>& processes);

  /// The index of a process that has ended; -1 if there is none. Allocates nothing.
  int ended();

 private:
  std::vector<std::int64_t> processes_;
  std::vector<std::shared_ptr<const ProcessDescriptor>> descriptors_;
  std::vector<pollfd> polled_;
};

}  // namespace weft
