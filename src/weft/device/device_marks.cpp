// device/device_marks: an event for each mark.

#include "weft/device/device_marks.hpp"

#include "weft/base/ensure.hpp"

namespace weft {

DeviceMarks::DeviceMarks(DeviceQueue& queue, std::size_t most) : queue_(&queue), events_(most) {
  numbers_.reserve(most);
  DeviceDriver& driver = queue.driver();
  try {
    for (DeviceEvent& event : events_) event = driver.make_event();
  } catch (...) {
    destroy_events();
    throw;
  }
}

DeviceMarks::~DeviceMarks() { destroy_events(); }

void DeviceMarks::destroy_events() noexcept {
  for (const DeviceEvent event : events_)
    if (event.handle != nullptr) queue_->device().driver->destroy(event);
}

void DeviceMarks::begin() {
  numbers_.clear();
  taken_ = 0;
}

void DeviceMarks::add(int number) {
  ensure(numbers_.size() < events_.size(), numbers_.size());
  queue_->driver().record(queue_->stream(), events_[numbers_.size()]);
  numbers_.push_back(number);
}

int DeviceMarks::take() {
  if (is_empty() || !queue_->driver().has_happened(events_[taken_])) return -1;
  return numbers_[taken_++];
}

void DeviceMarks::await_next() {
  ensure(!is_empty());
  queue_->driver().await(events_[taken_]);
}

}  // namespace weft
