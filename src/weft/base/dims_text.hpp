// base/dims_text: reading Dims, and volumes that may not fit; the type itself is weft/dims.
#pragma once

#include <cstdint>
#include <string>

#include "weft/base/ensure.hpp"
#include "weft/dims.hpp"

namespace weft {

/// Whether the product of the entries, each at least 1, exceeds `limit`.
bool volume_exceeds(const Dims& dims, std::int64_t limit);

/// Reads "512x512x128"; Error::invalid, naming `what`, if it is not a list of integers.
Dims parse_dims(const std::string& text, const std::string& what);

}  // namespace weft
