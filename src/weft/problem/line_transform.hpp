// problem/line_transform: what the transforms along axes other than Fourier's are made of.
// Source: the definitions are those of scipy.fft.dct and dst, and of FFTW's r2r kinds, which agree
// without norm; Chebyshev coefficients as in L. N. Trefethen, Spectral Methods in MATLAB,
// chapter 8.
#pragma once

#include <cstdint>
#include <string>

#include "weft/problem.hpp"

namespace weft {

/// One direction of a transform along an axis: one of the eight sine and cosine transforms, and
/// what the first and last value before and after it are multiplied by.
struct LineTransform {
  Basis kind = Basis::fourier;  ///< dct1 to dst4, without norm
  double first_in = 1, last_in = 1, first_out = 1, last_out = 1;

  friend bool operator==(const LineTransform&, const LineTransform&) = default;
};

/// What `basis`, not fourier, computes along an axis. The factor of the whole line is part of
/// norm_factor().
LineTransform line_transform(Basis basis, bool forward, Norm norm);

/// The fewest points that an axis with this basis may have.
std::int64_t least_points(Basis basis);

/// The basis called `text`. Error::invalid, with all names, if there is none.
Basis parse_basis(const std::string& text);

/// The basis of an axis of the field.
inline Basis basis_of(const Problem& problem, int axis) {
  return problem.bases.empty() ? Basis::fourier : problem.bases[static_cast<std::size_t>(axis)];
}

/// The factor by which the whole transform is multiplied on the way forward or back. The problem is
/// validated.
double norm_factor(const Problem& problem, bool forward);

}  // namespace weft
