// device/region: memory that the ranks of a node share, of the processor or of a device, as plain
// data that can be sent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "weft/device/device.hpp"
#include "weft/memory/shared_region.hpp"

namespace weft {

/// What another process needs to map memory that a process has made.
struct Region {
  SharedRegionHandle memory;           ///< of a device: without a descriptor
  std::int32_t device = -1;            ///< as its maker numbers them; -1: memory of the processor
  DeviceMemoryHandle device_memory;    ///< of a device only, and so are the next two
  std::array<char, 20> bus{};          ///< the device's PCI address
  std::byte* address_there = nullptr;  ///< where the maker has it

  bool is_of_device() const { return device >= 0; }

  friend bool operator==(const Region&, const Region&) = default;
};

/// A place in a region.
struct RegionPlace {
  RegionPlace() = default;
  RegionPlace(const Region& in, std::int64_t at) : region(in), offset(at) {}
  // NOLINTNEXTLINE(google-explicit-constructor): the same place
  RegionPlace(const SharedRegion::Location& where) : offset(where.offset) {
    region.memory = where.handle;
  }

  Region region;
  std::int64_t offset = 0;

  friend bool operator==(const RegionPlace&, const RegionPlace&) = default;
};

/// Where an address lies in memory that this process has made and others can map: in a
/// SharedRegion, or in an allocation of the driver of `device`, on any of its devices. Thread-safe.
/// Error::system if the driver refuses to share the memory.
std::optional<RegionPlace> place_in_region(const void* address, const Device& device = {});

/// The start of a region that this process has made, and has not released; else null. Of memory of
/// devices it is not known whether it has been released.
std::byte* made_here(const Region& region);

}  // namespace weft
