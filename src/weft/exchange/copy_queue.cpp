// exchange/copy_queue: an event for each copy.

#include "weft/exchange/copy_queue.hpp"

#include "weft/base/ensure.hpp"
#include "weft/program/index.hpp"

namespace weft {

namespace {
// Copies are few and others wait for them.
constexpr int urgency_of_copies = 1;
}  // namespace

CopyQueue::CopyQueue(const DeviceMessages& device, Way way, std::size_t most)
    : device_(device), way_(way), events_(most) {
  DeviceDriver& driver = enter();
  numbers_.reserve(most);
  try {
    stream_ = driver.make_stream(urgency_of_copies);
    for (DeviceEvent& event : events_) event = driver.make_event();
  } catch (...) {
    for (const DeviceEvent event : events_)
      if (event.handle != nullptr) driver.destroy(event);
    if (stream_.handle != nullptr) driver.destroy(stream_);
    throw;
  }
}

// After a run that has failed, copies may be under way.
CopyQueue::~CopyQueue() {
  try {
    enter().await(stream_);
  } catch (...) {  // the device has failed, and copies nothing any more
  }
  for (const DeviceEvent event : events_) device_.driver->destroy(event);
  device_.driver->destroy(stream_);
}

DeviceDriver& CopyQueue::enter() const {
  device_.driver->select(device_.device);
  return *device_.driver;
}

void CopyQueue::begin() {
  ensure(is_empty());
  numbers_.clear();
  taken_ = 0;
}

void CopyQueue::add(int number, std::span<const MirroredRun> runs, const Addresses& device,
                    const Addresses& mirror) {
  ensure(numbers_.size() < events_.size(), numbers_.size());
  DeviceDriver& driver = enter();
  for (const MirroredRun& run : runs) {
    std::byte* const on_device = device[at(run.device.buffer)] + run.device.offset;
    std::byte* const mirrored = mirror[at(run.mirror.buffer)] + run.mirror.offset;
    if (way_ == down)
      driver.copy(stream_, mirrored, on_device, run.bytes);
    else
      driver.copy(stream_, on_device, mirrored, run.bytes);
  }
  driver.record(stream_, events_[numbers_.size()]);
  numbers_.push_back(number);
}

int CopyQueue::take() {
  if (is_empty() || !enter().has_happened(events_[taken_])) return -1;
  return numbers_[taken_++];
}

void CopyQueue::await_next() {
  ensure(!is_empty());
  enter().await(events_[taken_]);
}

}  // namespace weft
