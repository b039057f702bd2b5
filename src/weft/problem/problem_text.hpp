// problem/problem_text: problems, and what they consist of, as text; to_string of them is in
// weft/problem.
// Pure.
#pragma once

#include <string>

#include "weft/problem.hpp"

namespace weft {

/// What is computed, in a word or two: "r2c", "dct2" where that is the basis of all axes,
/// "r2c of fourier,dct2,fourier".
std::string kind_text(const Problem& problem);

/// The values that these names stand for; Error::invalid for anything else.
Kind parse_kind(const std::string& text);
Norm parse_norm(const std::string& text);
Distribution::Form parse_form(const std::string& text);

}  // namespace weft
