// device/zeroed_memory: memory for fields of applications, of any kind that a driver allocates.
#pragma once

#include <cstddef>
#include <memory>

#include "weft/device/device_queue.hpp"

namespace weft {

/// `bytes` zeroed bytes of this kind, not that of the host, for `device`, aligned to
/// 256 bytes. Error::system, with the bytes that are wanted and free, if there is not enough.
std::shared_ptr<std::byte> zeroed_memory(const Device& device, Memory kind, std::int64_t bytes);

/// The same `memory` of the processor, registered with `device` until nobody holds it. Errors as of
/// Registration.
std::shared_ptr<std::byte> registered_memory(const Device& device,
                                             std::shared_ptr<std::byte> memory, std::int64_t bytes);

}  // namespace weft
