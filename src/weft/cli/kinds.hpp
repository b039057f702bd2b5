// cli/kinds: what `--kind` means: the kind of a problem, and the bases of its axes.
// Pure: no MPI, no files.
#pragma once

#include <string>
#include <vector>

#include "weft/problem/validated.hpp"

namespace weft::cli {

/// What `--kind` accepts, in words.
extern const char* const kinds_text;

/// Sets the kind and the bases of `problem`, whose extents are known, by the word that `--kind`
/// has. `axes` are those that are transformed, in the order in which the word lists their bases.
/// Lists of bases with a Fourier axis are of real fields, r2c; without one, of real fields, r2r, or
/// of complex ones, c2c, if `is_complex`. Error::invalid if there are not as many bases as axes,
/// and for what is no kind.
void set_kind(Problem& problem, const std::string& word, const std::vector<int>& axes,
              bool is_complex);

}  // namespace weft::cli
