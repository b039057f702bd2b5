// cli/help_text: breaks lines.

#include "weft/cli/help_text.hpp"

#include <sstream>

namespace weft::cli {

namespace {

std::string wrapped_line(std::string line) {
  const std::string margin(line.starts_with("  ") ? description_column : 0, ' ');
  std::string text;
  while (line.size() > help_width) {
    const std::size_t space = line.rfind(' ', help_width);
    // A word that is longer than a line stays whole.
    if (space == std::string::npos || space <= margin.size()) break;
    text += line.substr(0, space) + "\n";
    line = margin + line.substr(space + 1);
  }
  return text + line;
}

}  // namespace

std::string wrapped_help(const std::string& text) {
  std::istringstream lines(text);
  std::string wrapped;
  for (std::string line; std::getline(lines, line);)
    wrapped += (wrapped.empty() ? "" : "\n") + wrapped_line(line);
  return wrapped;
}

}  // namespace weft::cli
