// device/driver: the table of drivers.

#include "weft/device/driver.hpp"

#include "weft/base/ensure.hpp"

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
#ifndef WEFT_HAVE_HIP
DriverEntry hip_entry() {
  return {"hip", "devices of AMD",
          []() -> std::optional<std::string> {
            return "this build has no HIP (its compiler, hipcc, was not found, or -DWEFT_HIP=off)";
          },
          [] { return std::string(); }, []() -> DeviceDriver& { return find_driver("hip").get(); }};
}
#endif

const std::vector<DriverEntry>& device_drivers() {
  static const std::vector<DriverEntry> all{cuda_entry(), hip_entry()};
  return all;
}

const DriverEntry& find_driver(const std::string& name) {
  std::string reasons;
  for (const DriverEntry& entry : device_drivers()) {
    if (!name.empty() && entry.name != name) continue;
    const auto why_not = entry.applies();
    if (!why_not) return entry;
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", entry.name, *why_not);
  }
  if (reasons.empty())
    throw Error(Error::invalid, fmt::format("there is no device driver '{}'", name));
  throw Error(Error::unsupported, fmt::format("there is no device to use: {}", reasons));
}

}  // namespace weft
