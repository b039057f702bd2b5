// support/reference: the fields that a plan should make, by direct sums.
#pragma once

#include <cstdint>
#include <vector>

#include "support/direct_dft.hpp"
#include "support/values.hpp"
#include "weft/problem.hpp"

namespace weft::test {

/// The largest absolute value.
long double largest(const WholeField& x);

/// A real-space field and its spectrum, by direct sums; of a validated problem.
struct Reference {
  std::vector<WholeField> space, spectrum;  ///< per field of the batch
  /// What transforming back and forth makes of `spectrum` where not all is kept: the field in real
  /// space, and its spectrum. Elsewhere empty: the same fields as above, times what Norm::none
  /// says.
  std::vector<WholeField> space_again, spectrum_again;
  /// Where not all is kept, what is left out is computed with errors, too: the largest values of
  /// all.
  long double largest_space = 0, largest_spectrum = 0;

  Reference(const Problem& problem, std::uint64_t seed);
};

/// The same, made once for all plans of this thread that transform equal fields in the same way.
const Reference& known_reference(const Problem& problem, std::uint64_t seed);

}  // namespace weft::test
