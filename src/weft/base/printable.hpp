// base/printable: text of files and command lines, as a terminal can show it.
// Keeps: what is printed is valid UTF-8 without control characters; what is printable stays as it
// is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft {

/// `text` on one line: control characters, and marks that change the direction of writing, as
/// \u001b, and bytes that are no UTF-8 as \xff. Of more than `most_bytes` bytes, which are at least
/// 20, the middle is left out.
std::string printable(std::string_view text, std::size_t most_bytes = std::string::npos);

/// The same of a text of several lines, whose line breaks stay.
std::string printable_lines(std::string_view text);

/// The longest start of `text` that has at most `most_bytes` bytes, and no half of a character of
/// UTF-8.
std::string_view start_of(std::string_view text, std::size_t most_bytes);

}  // namespace weft
