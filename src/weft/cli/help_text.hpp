// cli/help_text: the text of --help, in lines that fit a terminal.
// Pure.
#pragma once

#include <string>

namespace weft::cli {

/// The widest line of --help.
inline constexpr std::size_t help_width = 100;
/// Where the descriptions of options begin.
inline constexpr std::size_t description_column = 30;

/// Breaks longer lines at spaces; those of options, which begin with spaces, go on where
/// descriptions begin.
std::string wrapped_help(const std::string& text);

}  // namespace weft::cli
