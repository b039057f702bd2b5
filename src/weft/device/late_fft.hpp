// device/late_fft: a library of transforms for the late device: the functions of cuFFT and hipFFT,
// which compute with an engine of the processor when a stream comes to them. It is as strict as
// their documentation allows them to be: what they do not promise goes wrong, and what they do not
// take ends the test.
// Keeps: it is for tests, and not part of the library.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weft/device/device_fft.hpp"
#include "weft/device/late.hpp"
#include "weft/device/vendor_fft.hpp"

namespace weft {

struct LateFftPlan;

/// The library. `driver` must outlive it; plans of it that are left over may not be used again.
class LateFft : public DeviceFft {
 public:
  struct Settings {
    /// Bytes of workspace for each byte of the points.
    std::int64_t workspace_factor = 1;
    /// The status with which plans are refused, and that with which transforms are; 0: none.
    int status_of_plans = 0, status_of_runs = 0;
    /// As hipFFT may, it destroys what it loads in all transforms from one array to another; as
    /// cuFFT, only in c2r.
    bool keeps_sources = true;
  };
  LateFft(LateDriver& driver, const Settings& settings);

  std::string version() const override { return library_.version(); }
  bool keeps_source(LineKind kind) const override {
    return settings_.keeps_sources && library_.keeps_source(kind);
  }
  std::unique_ptr<DeviceTransform> make(const Lines& lines, DeviceStream stream) override {
    return library_.make(lines, stream);
  }

  /// Those of plans that are made from now on.
  void set(const Settings& settings) { settings_ = settings; }
  /// How many plans there are, and how many transforms have been enqueued.
  int plans() const { return plans_; }
  int enqueued() const { return enqueued_; }

 private:
  friend struct LateFftPlan;
  // As the contexts of vendors: its functions are called between enter() and the end of what that
  // returns, on the device that is selected then.
  class Contexts {
   public:
    explicit Contexts(LateFft& fft) : fft_(fft) {}
    class [[nodiscard]] Entered {
     public:
      explicit Entered(LateFft& fft) { entered = &fft; }
      Entered(const Entered&) = delete;
      Entered& operator=(const Entered&) = delete;
      ~Entered() { entered = nullptr; }
    };
    Entered enter() { return Entered(fft_); }
    Entered enter_quietly() { return enter(); }

   private:
    LateFft& fft_;
  };
  static inline LateFft* entered = nullptr;

  LateDriver& driver_;
  Settings settings_;
  Contexts contexts_{*this};
  VendorFft<LateFftPlan*, Contexts> library_;
  int plans_ = 0, enqueued_ = 0;
};

}  // namespace weft
