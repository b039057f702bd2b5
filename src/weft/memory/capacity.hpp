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

/// That of this machine and this process; limits of control groups are at most a second old.
Capacity memory_capacity();

/// Bytes that processes of this machine can have now without swapping, as far as the system tells,
/// and at most what limits this one.
std::int64_t available_memory();

}  // namespace weft
