// device/device: one device, or the processor.
#pragma once

#include "weft/device/driver.hpp"

namespace weft {

/// A device of a driver; without a driver, the processor.
struct Device {
  DeviceDriver* driver = nullptr;
  int number = 0;

  explicit operator bool() const { return driver != nullptr; }
  friend bool operator==(const Device&, const Device&) = default;
};

/// Selects a device for the calling thread while it lives; nothing for the processor.
class [[nodiscard]] SelectedDevice {
 public:
  explicit SelectedDevice(const Device& device) : driver_(device.driver) {
    if (driver_ == nullptr) return;
    before_ = driver_->selected();
    if (before_ != device.number) driver_->select(device.number);
  }
  SelectedDevice(const SelectedDevice&) = delete;
  SelectedDevice& operator=(const SelectedDevice&) = delete;
  ~SelectedDevice() {
    try {
      if (driver_ != nullptr && driver_->selected() != before_) driver_->select(before_);
    } catch (...) {  // It was selected before, and each use says what is wrong.
    }
  }

 private:
  DeviceDriver* driver_;
  int before_ = 0;
};

}  // namespace weft
