// device/region: finds the region of an address.

#include "weft/device/region.hpp"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

namespace weft {

namespace {

// The regions of allocations that were asked for last: drivers take their time to make a handle.
struct Known {
  const DeviceDriver* driver = nullptr;
  DeviceAllocation allocation;
  Region region;
};
struct KnownRegions {
  std::mutex mutex;
  std::array<Known, 32> all;
  std::size_t next = 0;  // the entry that the next new one replaces
};
KnownRegions& known_regions() {
  static KnownRegions instance;
  return instance;
}

Region made_region(DeviceDriver& driver, const DeviceAllocation& allocation) {
  Region region;
  region.memory = {getpid(), -1, allocation.bytes, allocation.number};
  region.device_memory = driver.handle_of(allocation.address);
  region.device = driver.place_of(allocation.address).device;
  const std::string bus = driver.traits(region.device).bus;
  std::copy_n(bus.begin(), std::min(bus.size(), region.bus.size() - 1), region.bus.begin());
  region.address_there = static_cast<std::byte*>(allocation.address);
  return region;
}

Region region_of(DeviceDriver& driver, const DeviceAllocation& allocation) {
  KnownRegions& known = known_regions();
  const std::lock_guard lock(known.mutex);
  for (const Known& each : known.all)
    if (each.driver == &driver && each.allocation == allocation) return each.region;
  const Region region = made_region(driver, allocation);
  known.all[known.next++ % known.all.size()] = {&driver, allocation, region};
  return region;
}

}  // namespace

std::optional<RegionPlace> place_in_region(const void* address, const Device& device) {
  if (!device) return SharedRegion::containing(address);
  const auto allocation = device.driver->shareable(address);
  if (!allocation) return std::nullopt;
  return RegionPlace(
      region_of(*device.driver, *allocation),
      static_cast<const std::byte*>(address) - static_cast<std::byte*>(allocation->address));
}

std::byte* made_here(const Region& region) {
  if (!region.is_of_device()) return SharedRegion::made_here(region.memory);
  return region.memory.process == getpid() ? region.address_there : nullptr;
}

}  // namespace weft
