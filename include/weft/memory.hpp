// weft/memory: the kinds of memory that arrays can be in, and copies between them.
// Floor: device.
#pragma once

#include <cstdint>
#include <string>

namespace weft {

/// The kinds of memory that arrays can be in. A plan on a device takes arrays of any kind, and asks
/// the device's driver which kind an array is. It works on arrays in device and managed memory
/// where they are; others are copied to the device and back in each run, those in registered memory
/// faster. A plan whose data stream through a device works on registered and managed memory where
/// it is, copies arrays in other memory of the processor, and takes no device memory.
enum class Memory {
  host,        ///< memory of the processor that a device has not been told of
  registered,  ///< memory of the processor that is locked, so that a device copies it at full speed
  managed,     ///< memory that the driver moves to where it is used
  device       ///< memory of a device, which the processor cannot touch
};

/// "host", "registered", "managed" or "device"
const char* to_string(Memory memory);
/// The kind with this name. Error::invalid for another text.
Memory parse_memory(const std::string& text);

/// Copies `bytes` bytes between memory of any kinds, and returns when they are there. What was
/// enqueued in streams of the application is not waited for. Not collective. Error::system, with
/// the driver's text, if a device cannot.
void copy(const void* from, void* to, std::int64_t bytes);

}  // namespace weft
