// device/zeroed_memory: allocates, and copies zeros.

#include "weft/device/zeroed_memory.hpp"

#include <algorithm>
#include <vector>

#include "weft/device/device_buffer.hpp"

namespace weft {

namespace {

constexpr std::int64_t most_zeros = std::int64_t{1} << 20;

void set_zero(const Device& device, std::byte* memory, std::int64_t bytes) {
  const std::vector<std::byte> zeros(static_cast<std::size_t>(std::min(bytes, most_zeros)));
  const DeviceQueue queue(device);
  for (std::int64_t at = 0; at < bytes; at += most_zeros)
    queue.driver().copy(queue.stream(), memory + at, zeros.data(),
                        std::min(most_zeros, bytes - at));
  queue.driver().await(queue.stream());
}

}  // namespace

std::shared_ptr<std::byte> zeroed_memory(const Device& device, Memory kind, std::int64_t bytes) {
  const SelectedDevice selected(device);
  auto buffer = std::make_shared<DeviceBuffer>(*device.driver, bytes, kind);
  auto* const memory = static_cast<std::byte*>(buffer->data());
  set_zero(device, memory, bytes);
  return {std::move(buffer), memory};
}

}  // namespace weft
