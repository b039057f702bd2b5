// faces/ensemble: reading the policies of weft/any_ensemble.
#pragma once

#include <string>

#include "weft/any_ensemble.hpp"

namespace weft {

/// Error::invalid for what is not the name of a form, and for chosen, which a word does not tell.
EnsemblePolicy::Form parse_policy(const std::string& text);

}  // namespace weft
