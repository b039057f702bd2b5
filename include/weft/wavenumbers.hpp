// weft/wavenumbers: which wave an index of a spectrum stands for.
// Floor: grid.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/box.hpp"

namespace weft {

/// The wavenumbers of an axis of n points in real space, by global index: 0, 1, 2, ..., and then
/// the negative ones up to -1, as n * numpy.fft.fftfreq(n); on the axis that r2c halves, 0 to n/2,
/// as n * numpy.fft.rfftfreq(n). Along an axis of length L, the angular wavenumber is 2 pi / L
/// times that number.
///
/// The wavenumber n/2 of an even n is the same wave as -n/2. Like NumPy, weft calls it -n/2 on a
/// whole axis and n/2 on a halved one; is_nyquist() tells whether an index stands for it. An odd
/// derivative of a real field has to leave this wave out.
///
///     const auto kx = plan.wavenumbers(0);
///     for (auto [at, x] : v.points())  // d/dx
///       x *= kx.is_nyquist(at[0]) ? 0.0 : std::complex(0.0, double(kx[at[0]]));
class Wavenumbers {
 public:
  /// The wavenumbers of an axis of `points` points in real space, which r2c halves or does not.
  Wavenumbers(std::int64_t points, bool is_halved) : points_(points), is_halved_(is_halved) {}

  /// Number of indices: n, or n/2+1.
  std::int64_t size() const { return is_halved_ ? points_ / 2 + 1 : points_; }
  /// The wavenumber of the global `index`, 0 <= index < size().
  std::int64_t operator[](std::int64_t index) const {
    return is_halved_ || index < (points_ + 1) / 2 ? index : index - points_;
  }
  /// Whether the wave of the global `index` alternates from point to point: n/2 of an even n.
  bool is_nyquist(std::int64_t index) const { return points_ % 2 == 0 && index == points_ / 2; }
  /// The wavenumbers of a part of the axis, by local index: over(box.range(axis))[i] is that of the
  /// global index box.lo[axis] + i.
  std::vector<std::int64_t> over(Range part) const {
    std::vector<std::int64_t> numbers;
    for (std::int64_t index = part.lo; index < part.hi; ++index) numbers.push_back((*this)[index]);
    return numbers;
  }

 private:
  std::int64_t points_;
  bool is_halved_;
};

}  // namespace weft
