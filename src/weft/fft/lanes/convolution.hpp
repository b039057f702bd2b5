// fft/lanes/convolution: a transform of a length with a large prime factor as a cyclic convolution.
// Keeps: tables are computed in long double, so that they add no error of their own.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace weft {

/// A transform of `n` points, sum over j of x_j exp(-2 pi i j k / n), by two transforms of length()
/// points: the first `in_points.size()` numbers of a sequence are those points of the line, times
/// `in_factors`; the others are zero. Its transform times `spectrum`, transformed back without
/// scaling, has the frequencies `out_points` of the line in its first numbers, once these are
/// multiplied with `out_factors`. Empty factors are ones.
struct Convolution {
  using Number = std::complex<long double>;
  std::vector<std::int32_t> in_points, out_points;
  std::vector<Number> in_factors, out_factors, spectrum;
  /// Whether point and frequency 0 stand apart: the point is to be added to all frequencies, and
  /// frequency 0 is that sum and all other points.
  bool is_without_first = false;

  // Not defined here, where the files of lanes would compile them for their processors, and other
  // files might get these.
  Convolution();
  Convolution(Convolution&& other) noexcept;
  Convolution& operator=(Convolution&& other) noexcept;
  ~Convolution();

  std::int64_t length() const { return static_cast<std::int64_t>(spectrum.size()); }
};

/// The number of points of the two transforms; 0 if `n` needs none, as it is a product of the
/// factors of weft's own steps, or is less than 3. For a prime n where n-1 is such a product, of
/// two or more steps, it is n-1, else the one of such products from 2n-1 on whose steps are the
/// cheapest.
std::int64_t convolution_length(std::int64_t n);

/// Rader's convolution for the primes above, else Bluestein's of this length.
/// convolution_length(n) must not be 0.
Convolution convolution_of(std::int64_t n);

/// The convolution of p-1 points for a prime p > 2 (C. Rader, Proc. IEEE 56, 1107 (1968)).
Convolution raders_convolution(std::int64_t p);
/// That of `length` >= 2n-1 points (L. Bluestein, IEEE Trans. Audio Electroacoustics 18, 451
/// (1970)).
Convolution bluesteins_convolution(std::int64_t n, std::int64_t length);

}  // namespace weft
