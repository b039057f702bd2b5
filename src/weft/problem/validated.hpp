// problem/validated: checking a problem, and what follows from it; the question itself is
// weft/problem.
#pragma once

#include <cstdint>
#include <string>

#include "weft/problem.hpp"

namespace weft {

/// The problem with its axes resolved (0-based, in order). Error::invalid, with the numbers, if the
/// problem is not possible.
Problem validated(Problem problem);

/// The axis that r2c and c2r halve, the last Fourier axis; -1 for c2c and r2r. `problem` must be
/// validated.
int half_axis(const Problem& problem);

/// Extents with `axis` halved to n/2+1; unchanged for axis -1.
Extents halved(Extents extents, int axis);

/// Points per axis of the field that forward takes, and of the one that it returns. The problem is
/// validated.
Extents input_extents(const Problem& problem);
Extents output_extents(const Problem& problem);

/// The factor that `norm` gives a transform on the way forward or back, if a round trip without
/// norm multiplies by `points`.
double norm_factor(Norm norm, double points, bool forward);

}  // namespace weft
