// device/memory_kind: the kinds of memory that arrays can be in.
#pragma once

namespace weft {

/// The kinds of memory that arrays can be in.
enum class Memory {
  host,        ///< memory of the processor that a device has not been told of
  registered,  ///< memory of the processor that is locked, so that a device copies it at full speed
  managed,     ///< memory that the driver moves to where it is used
  device       ///< memory of a device, which the processor cannot touch
};

/// "host", "registered", "managed" or "device"
inline const char* to_string(Memory memory) {
  switch (memory) {
    case Memory::registered:
      return "registered";
    case Memory::managed:
      return "managed";
    case Memory::device:
      return "device";
    default:
      return "host";
  }
}

}  // namespace weft
