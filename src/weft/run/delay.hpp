// run/delay: places of a run at which a test makes a rank late.
// Keeps: without a test it is one comparison of a pointer, of which there are a few an item.
#pragma once

namespace weft {

/// Where a rank may be late.
enum class Late { before_item, before_task, after_signal };

/// What a test has every run of this process call at these places; null: nothing. Set while no
/// transform is under way.
inline void (*late_hook)(Late where) = nullptr;

inline void be_late(Late where) {
  if (late_hook != nullptr) [[unlikely]]
    late_hook(where);
}

}  // namespace weft
