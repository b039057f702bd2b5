// compute/twiddle: the factors between the two halves of a split axis.
// Source: the decimation of Cooley and Tukey; the four-step form of Bailey (1990).
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "weft/grid/box_algebra.hpp"
#include "weft/layout.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// The factors exp(sign * 2 pi i k1 j2 / (n1 n2)) of the points of a tile, where k1 is the index
/// along `axis` and j2 the index along the next axis. The roots come from two tables of about
/// sqrt(n1 n2) entries each.
class Twiddle {
 public:
  Twiddle() = default;
  /// `points` is n1 n2, the number of points of the axis that was split.
  Twiddle(int axis, std::int64_t points);

  /// Multiplies the tile that covers `box` by the factors. `sign` is the sign of the transform.
  void apply(std::byte* tile, const Layout& layout, const Box& box, Precision precision,
             int sign) const;

 private:
  template <class Real>
  void apply_as(std::complex<Real>* tile, const Layout& layout, const Box& box, int sign) const;
  std::complex<double> root(std::int64_t power, int sign) const;

  int axis_ = 0;
  int shift_ = 0;  // the fine table has 2^shift_ roots
  std::vector<std::complex<double>> fine_roots_, coarse_roots_;
};

}  // namespace weft
