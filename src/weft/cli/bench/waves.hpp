// cli/bench/waves: fields of a few plane waves, for which the spectrum of the density is known
// exactly.
#pragma once

#include <complex>
#include <cstdint>
#include <map>

#include "weft/layout.hpp"

namespace weft::cli {

/// Nonzero coefficients in g-space, by the index of their point in a packed grid.
using Spectrum = std::map<std::int64_t, std::complex<double>>;

/// psi(r) is the sum of c exp(2 pi i k.r / n) over three waves, which differ between instances.
/// `field` is the spectrum of psi. `density` is the spectrum of |psi|^2: the sum of c_j conj(c_l)
/// at k_j - k_l modulo n. Both are scaled as by a forward transform without a factor.
struct Waves {
  Waves(const Extents& extents, int instance);
  Spectrum field, density;
  /// The sum of |psi|^2 over all points.
  double density_sum() const { return density.at(0).real(); }
};

}  // namespace weft::cli
