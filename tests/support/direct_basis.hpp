// support/direct_basis: the matrices of sine, cosine and Chebyshev transforms by their definitions
// in long double. Shares nothing with weft but the names. Definitions: scipy.fft.dct and dst, and
// polynomials at their points.
#pragma once

#include <vector>

#include "weft/problem.hpp"

namespace weft::test {

using Matrix = std::vector<std::vector<long double>>;

/// The number that a round trip of a sine or cosine transform without norm multiplies by.
long double round_trip(Basis basis, std::size_t n);

bool is_chebyshev(Basis basis);

/// What the forward transform multiplies a line by, as scipy.fft with `norm`.
Matrix forward_matrix(Basis basis, std::size_t n, Norm norm);

/// The same for the way back: the inverse, with Norm::none times what a round trip multiplies by.
Matrix backward_matrix(Basis basis, std::size_t n, Norm norm);

}  // namespace weft::test
