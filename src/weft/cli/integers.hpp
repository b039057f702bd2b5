// cli/integers: lists of integers on the command line.
// Pure.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// The integers of a text such as "0,2" or "-1". Error::invalid, with `option` and `hint`, if
/// anything but integers joined by single commas is in it.
std::vector<int> parse_integers(const std::string& option, const std::string& text,
                                const std::string& hint);

}  // namespace weft::cli
