// exchange/device_trial: stores a number, and copies those of others.

#include "weft/exchange/device_trial.hpp"

#include <unistd.h>

#include "weft/base/ensure.hpp"
#include "weft/device/device_queue.hpp"

namespace weft {

namespace {

// Copies a number in a stream of the device, and waits for it.
void copy_number(const Device& device, void* to, const void* from) {
  const SelectedDevice selected(device);
  const DeviceQueue queue(device);
  device.driver->copy(queue.stream(), to, from, sizeof(std::int64_t));
  device.driver->await(queue.stream());
}

}  // namespace

DeviceTrial::DeviceTrial(const Device& device) : device_(device) {
  if (!device) return;
  memory_ = RegionMemory(sizeof offer_.number, device);
  offer_.number = getpid();
  copy_number(device, memory_.data(), &offer_.number);
  try {
    offer_.region = memory_.region();
  } catch (const Error& error) {
    refusal_ = error.message();
  }
}

std::string DeviceTrial::why_unreachable(const Region& theirs) const {
  const std::string bus = theirs.bus.data();
  for (int device = 0; device < device_.driver->devices(); ++device)
    if (device_.driver->traits(device).bus == bus &&
        !device_.driver->reaches(device_.number, device))
      return fmt::format("device {} at {} does not reach its device at {}", device_.number,
                         device_.driver->traits(device_.number).bus, bus);
  return {};
}

std::string DeviceTrial::why_not_copied(const Offer& theirs) const {
  try {
    const RegionMemory opened = RegionMemory::open(theirs.region, device_);
    std::int64_t number = 0;
    copy_number(device_, &number, opened.data());
    if (number == theirs.number) return {};
    return fmt::format("the memory of its device has {} where it has stored {}", number,
                       theirs.number);
  } catch (const Error& error) {
    return error.message();
  }
}

std::string DeviceTrial::why_not(const Offer& theirs) const {
  if (!device_) return {};
  if (!refusal_.empty()) return refusal_;
  if (theirs.region.memory.bytes == 0) return "that of its device cannot be shared";
  const std::string unreachable = why_unreachable(theirs.region);
  return unreachable.empty() ? why_not_copied(theirs) : unreachable;
}

}  // namespace weft
