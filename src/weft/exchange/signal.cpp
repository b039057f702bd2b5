// exchange/signal: sleeping in the kernel, across processes.

#include "weft/exchange/signal.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace weft {

// A sleeper says that it sleeps, then looks at the value; who changes the value does so, then looks
// for sleepers. All four are in one order (seq_cst), so one of the two sees the other.

void wake_sleepers(Signal& signal) {
  if (signal.sleepers.load(std::memory_order_seq_cst) == 0) return;
  // Not FUTEX_PRIVATE_FLAG: the sleepers are other processes.
  syscall(SYS_futex, &signal.value, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void sleep_for(Signal& signal, std::uint32_t value, std::chrono::nanoseconds longest) {
  signal.sleepers.fetch_add(1, std::memory_order_seq_cst);
  const std::uint32_t seen = signal.value.load(std::memory_order_seq_cst);
  if (static_cast<std::int32_t>(seen - value) < 0) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
    const timespec time{seconds.count(), (longest - seconds).count()};
    syscall(SYS_futex, &signal.value, FUTEX_WAIT, seen, &time, nullptr, 0);
  }
  signal.sleepers.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace weft
