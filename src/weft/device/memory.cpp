// device/memory: names of the kinds of memory, and copies between them.

#include "weft/memory.hpp"

#include <cstring>

#include "weft/base/names.hpp"
#include "weft/device/device_queue.hpp"

namespace weft {

namespace {

constexpr Names<Memory, 4> memory_names{{{Memory::host, "host"},
                                         {Memory::registered, "registered"},
                                         {Memory::managed, "managed"},
                                         {Memory::device, "device"}}};

}  // namespace

const char* to_string(Memory memory) { return name_in(memory_names, memory); }
Memory parse_memory(const std::string& text) {
  return value_in(memory_names, text, "kind of memory");
}

void copy(const void* from, void* to, std::int64_t bytes) {
  if (bytes == 0) return;
  DeviceDriver* driver = driver_of(from);
  const void* const of_device = driver != nullptr ? from : to;
  if (driver == nullptr) driver = driver_of(to);
  if (driver == nullptr) {
    std::memmove(to, from, static_cast<std::size_t>(bytes));
    return;
  }
  const Device device{driver, std::max(driver->place_of(of_device).device, 0)};
  const SelectedDevice selected(device);
  const DeviceQueue queue(device);
  driver->copy(queue.stream(), to, from, bytes);
  driver->await(queue.stream());
}

}  // namespace weft
