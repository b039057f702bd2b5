// device/library_room: both buffers in one piece of memory.

#include "weft/device/library_room.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"

namespace weft {

LibraryRoom::LibraryRoom(DeviceQueue& queue, std::int64_t limit_bytes)
    : queue_(&queue), library_(&queue.driver().fft()), limit_bytes_(limit_bytes) {}

std::unique_ptr<DeviceTransform> LibraryRoom::make(const Lines& lines) {
  ensure(memory_.data() == nullptr);
  queue_->select();
  auto transform = library_->make(lines, queue_->stream());
  workspace_bytes_ =
      std::max(workspace_bytes_, DeviceBuffer::rounded_up(transform->workspace_bytes()));
  transforms_.push_back(transform.get());
  return transform;
}

void LibraryRoom::require(std::int64_t bytes) {
  line_bytes_ = std::max(line_bytes_, DeviceBuffer::rounded_up(bytes));
}

void LibraryRoom::allocate() {
  ensure(memory_.data() == nullptr);
  if (bytes() > limit_bytes_)
    throw Error(Error::system,
                fmt::format("the library that transforms on the device works in {} bytes of its "
                            "memory, and holds lines in {}, of which the plan may take {} on each "
                            "rank",
                            workspace_bytes_, line_bytes_, std::max<std::int64_t>(limit_bytes_, 0)),
                "leave out `by` the library, set a larger Options::device_memory_limit, or use "
                "more devices");
  memory_ = DeviceBuffer(queue_->driver(), bytes());
  for (DeviceTransform* const transform : transforms_)
    if (transform->workspace_bytes() > 0) transform->use_workspace(lines() + line_bytes_);
  transforms_ = {};
}

}  // namespace weft
