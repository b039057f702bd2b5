// device/fft_layout: lines as libraries for devices are told of them.
// Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "weft/fft/engine.hpp"

namespace weft {

/// Transforms along one to three axes, the slowest first, again and again. Point (x, y, z) of
/// transform b is element b distance + ((x held[1] + y) held[2] + z) stride, on either side; of
/// fewer axes, the last ones of these. Source: the advanced data layout of cuFFT, which hipFFT has
/// taken over (https://docs.nvidia.com/cuda/cufft, 2.6).
struct FftLayout {
  static constexpr int most_axes = 3;
  struct Side {
    std::array<std::int64_t, most_axes> held{};
    std::int64_t stride = 1, distance = 0;
    friend bool operator==(const Side&, const Side&) = default;
  };
  int axes = 1;
  std::array<std::int64_t, most_axes> points{};  ///< of real lines along the last axis of r2c, c2r
  Side in, out;
  std::int64_t batch = 1;

  /// The largest of all these numbers, and the elements of either side.
  std::int64_t largest() const;
  friend bool operator==(const FftLayout&, const FftLayout&) = default;
};

/// Nothing if there are more axes, several loops, or strides that do not nest in each other.
std::optional<FftLayout> fft_layout(const Lines& lines);

}  // namespace weft
