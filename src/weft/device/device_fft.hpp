// device/device_fft: what weft asks of a library of transforms for devices.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weft/device/driver.hpp"
#include "weft/fft/engine.hpp"

namespace weft {

/// A transform that is ready to be enqueued, in one stream of one device. The device is selected
/// whenever a member is called, and for the destructor, too.
class DeviceTransform {
 public:
  DeviceTransform() = default;
  DeviceTransform(const DeviceTransform&) = delete;
  DeviceTransform& operator=(const DeviceTransform&) = delete;
  virtual ~DeviceTransform() = default;

  /// Bytes of memory of the device in which it works, beside its arrays.
  virtual std::int64_t workspace_bytes() const = 0;
  /// Where these are, aligned to 256 bytes. Before the first enqueue(), unless there are none.
  /// Transforms that follow each other in a stream may have the same.
  virtual void use_workspace(void* workspace) = 0;
  /// Enqueues a transform, unscaled, of arrays that the device reaches and that are aligned to
  /// complex numbers. They may be the same if points of both lie at the same bytes, else no point
  /// of one is in the other. Error::system with the library's status.
  virtual void enqueue(void* in, void* out) = 0;
};

/// A library of transforms.
class DeviceFft {
 public:
  virtual ~DeviceFft() = default;

  virtual std::string version() const = 0;
  /// Whether transforms of this kind from one array to another leave what they load as it is.
  virtual bool keeps_source(LineKind kind) const = 0;
  /// A transform of these lines, without Lines::factor, in a stream of the selected device.
  /// Error::unsupported if the library has none, and Error::system if it fails, with its status.
  virtual std::unique_ptr<DeviceTransform> make(const Lines& lines, DeviceStream stream) = 0;
};

}  // namespace weft
