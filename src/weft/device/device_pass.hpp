// device/device_pass: a pass of a program as kernels of a device.
// Keeps: what a pass stores is what compute/pass stores, but for rounding. Nothing is made when it
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weft/device/device_buffer.hpp"
#include "weft/device/driver.hpp"
#include "weft/device/line_shape.hpp"
#include "weft/program/program.hpp"

namespace weft {

/// The tiles of one pass of a sweep, cut into tiles of a device, item by item of the sweep.
class DevicePass {
 public:
  /// Empty if a device with these limits can run the pass, else the reason why not.
  static std::optional<std::string> why_not(const PassSpec& spec, const BlockLimits& limits);

  /// Pass `pass` of `sweep`, for the selected device of `driver`, which must outlive it. Waits
  /// until its tables are on the device. Error::unsupported with the reason of why_not().
  DevicePass(const SweepProgram& sweep, std::size_t pass, DeviceDriver& driver);

  /// Enqueues the tiles of item `item`. `addresses` is a table in memory of the device: where the
  /// buffers of the program are. What is stored is multiplied by `scale`, too, if the pass takes
  /// the scale of runs. With a `share`, the launch takes one in so many processors, and one block
  /// on each.
  void enqueue(DeviceStream stream, std::size_t item, std::byte* const* addresses, double scale = 1,
               std::int64_t share = 1) const;

  /// Bytes of its tables.
  std::int64_t table_bytes() const { return table_bytes_; }

 private:
  DeviceDriver* driver_;
  double factor_;
  bool takes_scale_;
  int processors_;
  LineLaunch launch_;
  std::vector<std::int64_t> first_tiles_;  // of every item, and of none
  DeviceBuffer tiles_, parts_, source_elements_, target_elements_, numbers_, places_;
  // What all launches have in common.
  std::variant<LineArguments<double>, LineArguments<float>> arguments_;
  std::int64_t table_bytes_ = 0;
};

}  // namespace weft
