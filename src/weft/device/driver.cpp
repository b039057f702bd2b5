// device/driver: the table of drivers.

#include "weft/device/driver.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"

namespace weft {

#ifndef WEFT_HAVE_CUDA
DriverEntry cuda_entry() {
  return {"cuda",
          "devices of NVIDIA",
          []() -> std::optional<std::string> {
            return "this build has no CUDA (its compiler, nvcc, was not found, or -DWEFT_CUDA=off)";
          },
          [] { return std::string(); },
          []() -> DeviceDriver& { return find_driver("cuda").get(); },
          [] { return false; },
          "cufft"};
}
#endif
#ifndef WEFT_HAVE_HIP
DriverEntry hip_entry() {
  return {"hip",
          "devices of AMD",
          []() -> std::optional<std::string> {
            return "this build has no HIP (its compiler, hipcc, was not found, or -DWEFT_HIP=off)";
          },
          [] { return std::string(); },
          []() -> DeviceDriver& { return find_driver("hip").get(); },
          [] { return false; },
          "hipfft"};
}
#endif

namespace {

std::vector<DriverEntry>& table() {
  static std::vector<DriverEntry> all{cuda_entry(), hip_entry()};
  return all;
}

}  // namespace

const std::vector<DriverEntry>& device_drivers() { return table(); }

void pretend_driver(const DriverEntry& entry) {
  std::erase_if(table(), [&](const DriverEntry& other) { return other.name == entry.name; });
  table().insert(table().begin(), entry);
}

const DriverEntry* driver_entry(const std::string& name) {
  const auto found = std::ranges::find(table(), name, &DriverEntry::name);
  return found == table().end() ? nullptr : &*found;
}

const DriverEntry* driver_of_library(const std::string& library) {
  if (library.empty()) return nullptr;
  const auto found = std::ranges::find(table(), library, &DriverEntry::library);
  return found == table().end() ? nullptr : &*found;
}

bool is_driver(const std::string& name) { return driver_entry(name) != nullptr; }

DeviceDriver* driver_of(const void* address) {
  for (const DriverEntry& entry : table())
    if (entry.is_in_use() && entry.get().place_of(address).kind != Memory::host)
      return &entry.get();
  return nullptr;
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
  throw Error(Error::unsupported, fmt::format("there is no device to use: {}", reasons),
              "name neither a device nor its memory: then the processor computes");
}

}  // namespace weft
