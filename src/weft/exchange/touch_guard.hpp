// exchange/touch_guard: notices that the processor touches memory that it cannot touch, and lets it
// go on.
// Keeps: what faults elsewhere ends the process as it would without a guard.
#pragma once

#include <cstdint>
#include <mutex>

namespace weft {

/// Guards an address range of a device while a library is tried that may take it for memory of the
/// processor. The first access of the processor, by any thread, makes the pages of the range
/// readable and writable, so that the library goes on, with contents that mean nothing, instead of
/// ending the process. Leaving the library by a jump would leave its data half changed. One guard
/// at a time in a process.
class TouchGuard {
 public:
  /// Waits until no other guard lives, and replaces the handlers of SIGSEGV and SIGBUS.
  /// Error::system if that fails.
  TouchGuard(void* begin, std::int64_t bytes);
  TouchGuard(const TouchGuard&) = delete;
  TouchGuard& operator=(const TouchGuard&) = delete;
  /// Makes what was touched inaccessible again, and brings the handlers back.
  ~TouchGuard();

  bool was_touched() const;

 private:
  std::unique_lock<std::mutex> only_;
};

}  // namespace weft
