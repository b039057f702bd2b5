// exchange/device_trial: tries whether this rank can use the memory of other ranks' devices.
#pragma once

#include <cstdint>
#include <string>

#include "weft/device/region_memory.hpp"

namespace weft {

/// A number in memory of this rank's device, which others try to copy.
class DeviceTrial {
 public:
  /// Plain data, which is sent to the others.
  struct Offer {
    Region region;  ///< of 0 bytes if the memory cannot be shared
    std::int64_t number = 0;
  };

  /// Without a device, everybody can use what nobody has.
  DeviceTrial() = default;
  /// Error::system if there is no memory.
  explicit DeviceTrial(const Device& device);

  const Offer& offer() const { return offer_; }
  /// Why this rank cannot use the memory of the device of another one; empty if it can. The other
  /// one's trial must exist.
  std::string why_not(const Offer& theirs) const;

 private:
  std::string why_unreachable(const Region& theirs) const;
  std::string why_not_copied(const Offer& theirs) const;

  Device device_;
  RegionMemory memory_;
  Offer offer_;
  std::string refusal_;  // why the memory cannot be shared
};

}  // namespace weft
