// weft/basis: the functions of which the coefficients along one axis are.
// Floor: problem.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// What is computed along one axis. The sine and cosine transforms are those of scipy.fft with the
/// same number: forward dct(x, type) or dst(x, type), backward its inverse, with Problem::norm as
/// `norm`. With n points x_0 .. x_(n-1):
enum class Basis {
  fourier,  ///< exp(-2 pi i jk/n); Problem::kind says which side is complex
  dct1,  ///< cosines of points at both ends, at least 2: x_0 + (-1)^k x_(n-1) + 2 sum of the rest
  dct2,  ///< cosines of points between the cells' ends, "the" DCT: 2 sum x_j cos(pi k(2j+1)/2n)
  dct3,  ///< the inverse of dct2: x_0 + 2 sum x_j cos(pi (2k+1)j/2n)
  dct4,  ///< 2 sum x_j cos(pi (2j+1)(2k+1)/4n)
  dst1,  ///< sines of inner points, zero at both ends: 2 sum x_j sin(pi (j+1)(k+1)/(n+1))
  dst2,  ///< 2 sum x_j sin(pi (2j+1)(k+1)/2n)
  dst3,  ///< the inverse of dst2: (-1)^k x_(n-1) + 2 sum x_j sin(pi (j+1)(2k+1)/2n)
  dst4,  ///< 2 sum x_j sin(pi (2j+1)(2k+1)/4n)
  /// Chebyshev polynomials: the values at the Gauss-Lobatto points cos(pi j/(n-1)), at least 2,
  /// become the coefficients a_k of the polynomial sum a_k T_k, whatever the norm, and back.
  chebyshev,
  /// The same for the values at the Gauss points cos(pi (2j+1)/2n).
  chebyshev_gauss,
};

/// The basis of each axis of a field; no list: fourier for all.
using Bases = std::vector<Basis>;

/// The bases of a text, axis by axis: names with commas, "fourier,dct2,dct2"; or letters as FFTK
/// has them, f for fourier, s for dst2, c for dct2 and ch for chebyshev: "sff", "ssf", "sss",
/// "chff". Error::invalid for anything else.
Bases parse_bases(const std::string& text);

/// The smallest number of points, `at_least` so many, along which transforms are fast in every
/// engine: a number whose transform length has no prime factors above 7. The transform length is
/// the number of points, one less for dct1 and chebyshev, and one more for dst1. Error::invalid
/// below 1.
std::int64_t next_fast_length(std::int64_t at_least, Basis basis = Basis::fourier);

/// The names that the program's options have for these: "fourier", "dct2", "chebyshev".
const char* to_string(Basis basis);

}  // namespace weft
