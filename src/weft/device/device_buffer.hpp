// device/device_buffer: memory that a driver has allocated, and its owner.
#pragma once

#include <cstdint>

#include "weft/device/driver.hpp"

namespace weft {

/// Memory of a device, or another kind that its driver allocates, which is released with its owner.
class DeviceBuffer {
 public:
  /// So is allocated memory aligned; parts of it that are rounded up to this are, too.
  static constexpr std::int64_t alignment = 256;
  static std::int64_t rounded_up(std::int64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  DeviceBuffer() = default;
  /// On the selected device of `driver`, which must outlive it. For 0 bytes nothing is allocated,
  /// and data() is null. Error::system, with the bytes that are wanted and free, if there is not
  /// enough.
  DeviceBuffer(DeviceDriver& driver, std::int64_t bytes, Memory kind = Memory::device);
  /// Memory of a device that others may map, and nothing else with it. The same errors.
  static DeviceBuffer to_share(DeviceDriver& driver, std::int64_t bytes);
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  ~DeviceBuffer();

  void* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  void release() noexcept;

  DeviceDriver* driver_ = nullptr;
  Memory kind_ = Memory::device;
  std::int64_t bytes_ = 0;
  void* data_ = nullptr;
};

}  // namespace weft
