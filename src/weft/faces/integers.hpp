// faces/integers: lists of integers as text.
// Pure.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// The integers of a text such as "0,2" or "-1". Error::invalid, with `name` and `hint`, if
/// anything but integers joined by single commas is in it.
std::vector<int> parse_integers(const std::string& name, const std::string& text,
                                const std::string& hint);

}  // namespace weft
