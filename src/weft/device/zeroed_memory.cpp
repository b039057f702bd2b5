// device/zeroed_memory: allocates, and sets zeros.

#include "weft/device/zeroed_memory.hpp"

#include <cstring>
#include <utility>

#include "weft/device/device_buffer.hpp"
#include "weft/device/registration.hpp"

namespace weft {

std::shared_ptr<std::byte> zeroed_memory(const Device& device, Memory kind, std::int64_t bytes) {
  const SelectedDevice selected(device);
  auto buffer = std::make_shared<DeviceBuffer>(kind == Memory::device
                                                   ? DeviceBuffer::to_share(*device.driver, bytes)
                                                   : DeviceBuffer(*device.driver, bytes, kind));
  auto* const memory = static_cast<std::byte*>(buffer->data());
  if (bytes > 0 && kind == Memory::registered) {
    std::memset(memory, 0, static_cast<std::size_t>(bytes));
  } else if (bytes > 0) {
    const DeviceQueue queue(device);
    queue.driver().zero(queue.stream(), memory, bytes);
    queue.driver().await(queue.stream());
  }
  return {std::move(buffer), memory};
}

std::shared_ptr<std::byte> registered_memory(const Device& device,
                                             std::shared_ptr<std::byte> memory,
                                             std::int64_t bytes) {
  struct Registered {
    std::shared_ptr<std::byte> memory;
    Registration registration;  // ends first
  };
  std::byte* const begin = memory.get();
  auto registered = std::make_shared<Registered>(
      Registered{std::move(memory), Registration(device, begin, bytes)});
  return {std::move(registered), begin};
}

}  // namespace weft
