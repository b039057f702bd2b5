// device/tile_slots: streams, and buffers in one piece of memory.

#include "weft/device/tile_slots.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"

namespace weft {

TileSlots::TileSlots(const Device& device, void* stream, std::int64_t limit_bytes)
    : queue_(device, stream), limit_bytes_(limit_bytes) {
  DeviceDriver& driver = queue_.driver();
  try {
    begin_ = driver.make_event();
    for (DeviceEvent& end : ends_) end = driver.make_event();
    for (DeviceStream& one : streams_) one = driver.make_stream(0);
  } catch (...) {
    destroy();
    throw;
  }
}

TileSlots::~TileSlots() {
  settle();
  destroy();
}

void TileSlots::destroy() noexcept {
  DeviceDriver& driver = *queue_.device().driver;
  for (const DeviceStream one : streams_)
    if (one.handle != nullptr) driver.destroy(one);
  for (const DeviceEvent end : ends_)
    if (end.handle != nullptr) driver.destroy(end);
  if (begin_.handle != nullptr) driver.destroy(begin_);
}

void TileSlots::require(int buffer, std::int64_t bytes) {
  std::int64_t& known = buffer_bytes_.at(static_cast<std::size_t>(buffer));
  known = std::max(known, DeviceBuffer::rounded_up(bytes));
}

std::int64_t TileSlots::bytes() const { return slots * (buffer_bytes_[0] + buffer_bytes_[1]); }

void TileSlots::allocate() {
  ensure(memory_.data() == nullptr);
  if (bytes() > limit_bytes_)
    throw Error(Error::system,
                fmt::format("tiles that stream through the device take {} bytes of its memory, and "
                            "the plan may take {} on each rank",
                            bytes(), limit_bytes_),
                fmt::format("set Options::device_memory_limit to {} or more, or leave the planner "
                            "to choose the strategy, which has smaller tiles then",
                            bytes()));
  memory_ = DeviceBuffer(queue_.driver(), bytes());
}

std::byte* TileSlots::buffer(int slot, int buffer) const {
  return static_cast<std::byte*>(memory_.data()) + slot * (buffer_bytes_[0] + buffer_bytes_[1]) +
         (buffer == 0 ? 0 : buffer_bytes_[0]);
}

void TileSlots::follow() {
  DeviceDriver& driver = queue_.driver();
  driver.record(queue_.stream(), begin_);
  for (const DeviceStream one : streams_) driver.wait(one, begin_);
}

void TileSlots::join() {
  DeviceDriver& driver = queue_.driver();
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    driver.record(streams_[i], ends_[i]);
    driver.wait(queue_.stream(), ends_[i]);
  }
}

// A failure of the device is told by whoever asks for the results.
void TileSlots::settle() noexcept {
  try {
    if (queue_.capture() == Capture::none) join();
  } catch (...) {
  }
  queue_.settle();
}

}  // namespace weft
