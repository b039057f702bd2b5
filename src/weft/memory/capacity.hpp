// memory/capacity: how much memory there can be.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

/// Bytes that the system can give. What is free at the moment does not count, as that changes.
struct Capacity {
  std::int64_t machine = 0;  ///< memory and swap, for all processes of the machine
  std::int64_t process = 0;  ///< `ulimit -v`, where it is less than what the machine has
  /// The control group (container) of this process with the least limit, and a number that no other
  /// group of the machine has; 0 where none has less than the machine.
  std::int64_t group = 0, group_number = 0;
  std::int64_t held = 0;  ///< by this process at the moment; asked for where there is a group

  /// What this process may have at most.
  std::int64_t least() const { return group > 0 && group < process ? group : process; }
};

/// The capacity of this machine and of this process; limits of control groups are at most a second
/// old. `root` stands before the paths of all files that are read: tests have a tree of their own.
Capacity memory_capacity(const std::string& root = "");

/// Bytes that there are at the moment.
struct AvailableMemory {
  std::int64_t machine = 0;  ///< without swapping, for all processes of its control groups together
  std::int64_t process = 0;  ///< what `ulimit -v` leaves to this process
};

/// As far as the system tells; what it does not tell has no limit.
AvailableMemory available_memory();

}  // namespace weft
