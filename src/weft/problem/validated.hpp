// problem/validated: checking a problem, and what follows from it; the question itself is
// weft/problem.
#pragma once

#include <cstdint>
#include <string>

#include "weft/grid/decomposition.hpp"
#include "weft/problem.hpp"

namespace weft {

/// The problem with its axes resolved (0-based, in order). Error::invalid, with the numbers, if the
/// problem is not possible.
Problem validated(Problem problem);

/// What is computed, in a word or two: "r2c", "dct2" where that is the basis of all axes,
/// "r2c of fourier,dct2,fourier".
std::string kind_text(const Problem& problem);

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

/// Error::invalid unless `grid` has exactly one piece for each of `count` ranks, or of the things
/// that `what` names, and each part is at least 1.
void check_grid(const Dims& grid, int count, const std::string& what = "rank");

/// The decomposition a distribution means for `extents` over `ranks`; not for free and same.
Decomposition resolve(const Distribution& distribution, const Extents& extents, int ranks,
                      const std::string& name);

/// The values that these names stand for; Error::invalid for anything else.
Kind parse_kind(const std::string& text);
Norm parse_norm(const std::string& text);
Distribution::Form parse_form(const std::string& text);

}  // namespace weft
