// device/kernels: the kernels that drivers launch, by number.
// Keeps: each is compiled by every driver from the same source.
#pragma once

#include "weft/scalar.hpp"

namespace weft {

/// Its arguments: LineArguments<float>, LineArguments<double>.
enum class DeviceKernel : int { lines_single, lines_double };

/// The kernel of device/line_kernel for numbers of this precision.
inline int lines_kernel(Precision precision) {
  return static_cast<int>(precision == Precision::single_precision ? DeviceKernel::lines_single
                                                                   : DeviceKernel::lines_double);
}

}  // namespace weft
