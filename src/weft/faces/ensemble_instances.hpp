// faces/ensemble_instances: reading the policies of weft/ensemble_policy.
#pragma once

#include <string>

#include "weft/ensemble_policy.hpp"

namespace weft {

/// Error::invalid for what is not the name of a form, and for chosen, which a word does not tell.
EnsemblePolicy::Form parse_policy(const std::string& text);

}  // namespace weft
