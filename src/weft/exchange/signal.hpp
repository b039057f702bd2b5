// exchange/signal: a number in shared memory that processes wait for.
// Keeps: whoever waits sleeps in the kernel; a change that nobody sleeps for makes no system call.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace weft {

/// A number in shared memory that only grows, and that other processes wait for. Zeroed memory is a
/// signal at 0. Members of a NodeGroup change it and wait for it through the team.
struct alignas(64) Signal {
  std::atomic<std::uint32_t> value{0};
  std::atomic<std::uint32_t> sleepers{0};
};
static_assert(sizeof(Signal) == 64 && std::atomic<std::uint32_t>::is_always_lock_free);

/// Whether `signal` has reached `value`; the number may wrap around, so they compare by distance.
/// What was stored before the signal was raised is seen after this.
inline bool has_reached(const Signal& signal, std::uint32_t value) {
  const std::uint32_t beyond = signal.value.load(std::memory_order_acquire) - value;
  return static_cast<std::int32_t>(beyond) >= 0;
}

/// Wakes all who sleep for `signal`, after its value has been changed with memory_order_seq_cst.
void wake_sleepers(Signal& signal);

/// Sleeps until someone changes `signal`, `longest` has passed, or for no reason; not at all if it
/// has reached `value`.
void sleep_for(Signal& signal, std::uint32_t value, std::chrono::nanoseconds longest);

}  // namespace weft
