// device/driver: the table of drivers.

#include "weft/device/driver.hpp"

#include "weft/base/table.hpp"

namespace weft {

#ifndef WEFT_HAVE_CUDA
DriverEntry cuda_entry() {
  return {"cuda", "devices of NVIDIA",
          []() -> std::optional<std::string> {
            return "this build has no CUDA (its compiler, nvcc, was not found, or -DWEFT_CUDA=off)";
          },
          [] { return std::string(); },
          []() -> DeviceDriver& { return find_driver("cuda").get(); }};
}
#endif

const std::vector<DriverEntry>& device_drivers() {
  static const std::vector<DriverEntry> all{cuda_entry()};
  return all;
}

const DriverEntry& find_driver(const std::string& name) {
  return find_entry(device_drivers(), name, "device driver",
                    [](const DriverEntry& entry) { return entry.applies(); });
}

}  // namespace weft
