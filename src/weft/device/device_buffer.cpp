// device/device_buffer: allocates and releases.

#include "weft/device/device_buffer.hpp"

#include <utility>

namespace weft {

DeviceBuffer::DeviceBuffer(DeviceDriver& driver, std::int64_t bytes, Memory kind)
    : driver_(&driver), kind_(kind), bytes_(bytes) {
  if (bytes > 0) data_ = driver.allocate(kind, bytes);
}

DeviceBuffer DeviceBuffer::to_share(DeviceDriver& driver, std::int64_t bytes) {
  DeviceBuffer buffer;
  buffer.driver_ = &driver;
  buffer.bytes_ = bytes;
  if (bytes > 0) buffer.data_ = driver.allocate_to_share(bytes);
  return buffer;
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : driver_(other.driver_),
      kind_(other.kind_),
      bytes_(std::exchange(other.bytes_, 0)),
      data_(std::exchange(other.data_, nullptr)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  if (this == &other) return *this;
  release();
  driver_ = other.driver_;
  kind_ = other.kind_;
  bytes_ = std::exchange(other.bytes_, 0);
  data_ = std::exchange(other.data_, nullptr);
  return *this;
}

DeviceBuffer::~DeviceBuffer() { release(); }

void DeviceBuffer::release() noexcept {
  if (data_ != nullptr) driver_->release(kind_, data_);
  data_ = nullptr;
}

}  // namespace weft
