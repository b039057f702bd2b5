// exchange/signal: sleeps in the kernel by futexes, which work across processes.

#include "weft/exchange/signal.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace weft {

// A sleeper counts itself, then reads the value. A process that changes the value then reads the
// number of sleepers. All four operations are in one total order (seq_cst), so either the sleeper
// sees the new value or the other process sees the sleeper.

void wake_sleepers(Signal& signal) {
  if (signal.sleepers.load(std::memory_order_seq_cst) == 0) return;
  // Without FUTEX_PRIVATE_FLAG, as the sleepers are in other processes.
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
