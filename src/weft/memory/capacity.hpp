// memory/capacity: how much memory there can be.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

/// Bytes that the system can give. What is free at the moment does not count, as that changes.
struct Capacity {
  std::int64_t machine = 0;  ///< memory and swap, for all processes of the machine
  std::int64_t process = 0;  ///< the least of what limits this process, and the machine
  std::string limit;         ///< what limits the process, as a user knows it: "ulimit -v"
};

/// The capacity of this machine and of this process; limits of control groups are at most a second
/// old.
Capacity memory_capacity();

/// Bytes that there are at the moment.
struct AvailableMemory {
  std::int64_t machine = 0;  ///< without swapping, for all processes of its control groups together
  std::int64_t process = 0;  ///< what `ulimit -v` leaves to this process
};

/// As far as the system tells; what it does not tell has no limit.
AvailableMemory available_memory();

}  // namespace weft
