// run/delay: points of a run at which a test can make a rank late.
// Keeps: outside of tests each point costs one comparison of a pointer, a few times per item.
#pragma once

namespace weft {

/// The points at which a rank can be made late.
enum class Late { before_item, before_task, after_signal, before_wait_for_vote };

/// The function that every run of this process calls at these points; null outside of tests. A test
/// sets it while no transform is under way.
inline void (*late_hook)(Late where) = nullptr;

/// Calls the hook, if a test has set one.
inline void be_late(Late where) {
  if (late_hook != nullptr) [[unlikely]]
    late_hook(where);
}

}  // namespace weft
