// memory/readable: lets the kernel read, which answers with an error where this process would be
// ended by a signal.

#include "weft/memory/readable.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace weft {

// The kernel reads a set of signals before it refuses what is to be done with it. The idea is that
// of Abseil's AddressIsReadable().
bool is_readable(const void* address) noexcept {
  constexpr std::uintptr_t set_bytes = 8;
  const int before = errno;
  const auto aligned = reinterpret_cast<std::uintptr_t>(address) / set_bytes * set_bytes;
  if (aligned == 0) return false;  // which says that there is no set
  const bool is_fault =
      syscall(SYS_rt_sigprocmask, -1, aligned, nullptr, set_bytes) != 0 && errno == EFAULT;
  errno = before;
  return !is_fault;
}

}  // namespace weft
