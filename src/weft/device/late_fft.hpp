// device/late_fft: a library of transforms for the late device, computing with an engine of the
// processor when a stream comes to it. Like cuFFT, c2r destroys its input, and what is in the
// workspace is lost. Keeps: it is for tests, and not part of the library.
#pragma once

#include <cstdint>
#include <string>

#include "weft/device/device_fft.hpp"
#include "weft/device/late.hpp"

namespace weft {

/// The library. `driver` must outlive it.
class LateFft : public DeviceFft {
 public:
  struct Settings {
    /// Bytes of workspace for each byte of the input.
    std::int64_t workspace_factor = 1;
    /// The status with which plans are refused, and that with which transforms are; 0: none.
    int status_of_plans = 0, status_of_runs = 0;
  };
  LateFft(LateDriver& driver, const Settings& settings) : driver_(driver), settings_(settings) {}

  std::string version() const override { return "of tests"; }
  std::unique_ptr<DeviceTransform> make(const Lines& lines, DeviceStream stream) override;

  /// How many transforms it has made, and how many it has enqueued.
  int made() const { return made_; }
  int enqueued() const { return enqueued_; }

 private:
  class Transform;

  LateDriver& driver_;
  Settings settings_;
  int made_ = 0, enqueued_ = 0;
};

}  // namespace weft
