// memory/readable: whether the processor can touch an address.
#pragma once

namespace weft {

/// Whether this process can read the memory at `address` with the processor: it cannot where
/// nothing is mapped, nor memory of a device. One quick call of the system.
bool is_readable(const void* address) noexcept;

}  // namespace weft
