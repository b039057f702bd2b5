// device/registration: memory of the processor of which a driver has been told, and who sees to it
// that the driver forgets it.
#pragma once

#include <cstdint>
#include <utility>

#include "weft/device/device.hpp"

namespace weft {

/// Memory of the processor that is registered while the owner lives, so that kernels can work on
/// it. It must not be freed before: a device would go on working on the pages that were there.
class Registration {
 public:
  Registration() = default;
  /// Nothing is registered for 0 bytes, or without a device. Error::system, with the driver's text,
  /// if the memory cannot be registered.
  Registration(const Device& device, void* address, std::int64_t bytes)
      : device_(device), address_(device && bytes > 0 ? address : nullptr) {
    if (address_ == nullptr) return;
    const SelectedDevice selected(device_);
    device_.driver->enlist(address_, bytes);
  }
  Registration(Registration&& other) noexcept
      : device_(other.device_), address_(std::exchange(other.address_, nullptr)) {}
  Registration& operator=(Registration&& other) noexcept {
    if (this == &other) return *this;
    end();
    device_ = other.device_;
    address_ = std::exchange(other.address_, nullptr);
    return *this;
  }
  ~Registration() { end(); }

 private:
  void end() noexcept {
    if (address_ == nullptr) return;
    const SelectedDevice selected(device_);
    device_.driver->delist(std::exchange(address_, nullptr));
  }

  Device device_;
  void* address_ = nullptr;
};

}  // namespace weft
