// bench/gpu/device_plan: one direction of a transform on one device, pass after pass, in memory of
// the device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/device/device_pass.hpp"
#include "weft/problem.hpp"

namespace weft::bench {

/// The passes of a transform by one rank that has the whole field, one axis each, the last first.
class DevicePlan {
 public:
  /// Allocates both arrays and the workspace on the selected device of `driver`, which must outlive
  /// it.
  DevicePlan(DeviceDriver& driver, const Problem& problem, bool forward);

  std::size_t passes() const { return passes_.size(); }
  const std::string& name_of(std::size_t pass) const { return names_[pass]; }
  /// Bytes that a pass loads and stores.
  std::int64_t bytes_of(std::size_t pass) const { return bytes_[pass]; }
  std::int64_t source_bytes() const { return source_bytes_; }
  std::int64_t target_bytes() const { return target_bytes_; }
  std::byte* source() const { return static_cast<std::byte*>(source_.data()); }
  std::byte* target() const { return static_cast<std::byte*>(target_.data()); }

  void enqueue(DeviceStream stream, std::size_t pass) const;

 private:
  struct Enqueued {
    DevicePass pass;
    std::size_t items;
  };
  std::vector<Enqueued> passes_;
  std::vector<std::string> names_;
  std::vector<std::int64_t> bytes_;
  std::int64_t source_bytes_ = 0, target_bytes_ = 0;
  DeviceBuffer source_, target_, workspace_, table_;
};

}  // namespace weft::bench
