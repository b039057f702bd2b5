// device/region_memory: memory that ranks of a node share, of the processor or of a device, and
// mappings of that of others.
// Keeps: on a device, a process opens the memory of another one once, however many owners it has.
#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/device/device_buffer.hpp"
#include "weft/device/region.hpp"
#include "weft/device/registration.hpp"

namespace weft {

struct OpenedMemory;

/// Owner of memory that other processes of this node can map, or of a mapping of another process's.
class RegionMemory {
 public:
  RegionMemory() = default;
  /// Memory of the processor, which is zeroed, or of `device`, which is not. Errors as of
  /// SharedRegion and DeviceBuffer. For 0 bytes nothing is allocated, and data() is null.
  RegionMemory(std::int64_t bytes, const Device& device);
  /// Maps what another process has made, on `device`, whose driver made it, too.
  /// Error::unsupported, with the reason, if this process may not map it, or the maker has released
  /// it; Error::system if a limit of the system is exceeded.
  static RegionMemory open(const Region& region, const Device& device);
  RegionMemory(RegionMemory&& other) noexcept;
  RegionMemory& operator=(RegionMemory&& other) noexcept;
  ~RegionMemory();

  std::byte* data() const;
  std::int64_t bytes() const;
  /// What others need to map memory that was made here. Error::system if the driver refuses to
  /// share it; Error::unsupported if it has no such memory.
  Region region() const;
  /// Whether this is a mapping of that region.
  bool maps(const Region& region) const;
  /// The number of the region that was opened (Region::memory).
  std::int64_t number() const;
  /// Whether the maker of opened memory of the processor still holds it. Makers of memory of a
  /// device tell others by themselves.
  bool is_alive() const { return host_.data() == nullptr || host_.is_alive(); }
  /// Registers memory of the processor with a device, as long as the owner lives. Errors as of
  /// Registration.
  void register_with(const Device& device) {
    registration_ = Registration(device, host_.data(), host_.bytes());
  }
  /// As of SharedRegion.
  void close_descriptor() { host_.close_descriptor(); }

 private:
  SharedRegion host_;
  Registration registration_;  // of host_
  DeviceBuffer made_;
  OpenedMemory* opened_ = nullptr;
  Device device_;
};

}  // namespace weft
