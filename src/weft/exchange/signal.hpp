// exchange/signal: a number in shared memory that processes wait for.
// Keeps: a waiting process can sleep in the kernel; a change makes a system call only if some
// process sleeps.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace weft {

/// A number in shared memory that only grows, and that other processes wait for. Zeroed memory is a
/// signal with value 0. Ranks change it and wait for it through their NodeGroup.
struct alignas(64) Signal {
  std::atomic<std::uint32_t> value{0};
  std::atomic<std::uint32_t> sleepers{0};
};
static_assert(sizeof(Signal) == 64 && std::atomic<std::uint32_t>::is_always_lock_free);

/// Whether `signal` has reached `value`. The number may wrap around, so values are compared by
/// their distance. If true, the caller sees all writes made before the signal was raised.
inline bool has_reached(const Signal& signal, std::uint32_t value) {
  const std::uint32_t beyond = signal.value.load(std::memory_order_acquire) - value;
  return static_cast<std::int32_t>(beyond) >= 0;
}

/// Wakes all processes that sleep for `signal`. Called after its value has been changed with
/// memory_order_seq_cst.
void wake_sleepers(Signal& signal);

/// Sleeps until wake_sleepers() is called for `signal` or `longest` has passed; may wake up earlier
/// for no reason. Returns at once if `signal` has reached `value`.
void sleep_for(Signal& signal, std::uint32_t value, std::chrono::nanoseconds longest);

}  // namespace weft
