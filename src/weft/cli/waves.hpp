// cli/waves: fields of a few plane waves, whose densities' spectra are known without a transform.
#pragma once

#include <complex>
#include <cstdint>
#include <map>

#include "weft/layout.hpp"

namespace weft::cli {

/// Coefficients in g-space, by the index of their point in a packed grid; all others are 0.
using Spectrum = std::map<std::int64_t, std::complex<double>>;

/// psi(r) = sum of c exp(2 pi i k.r / n) over three waves, other ones in every instance; `field` is
/// its spectrum, `density` that of |psi|^2: the sum of c_j conj(c_l) at k_j - k_l, modulo n. Both
/// are as forward transforms without a factor make them.
struct Waves {
  Waves(const Extents& extents, int instance);
  Spectrum field, density;
  /// The sum of |psi|^2 over all points.
  double density_sum() const { return density.at(0).real(); }
};

}  // namespace weft::cli
