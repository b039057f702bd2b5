// base/log: reads WEFT_LOG, and writes.

#include "weft/base/log.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "weft/base/ensure.hpp"
#include "weft/base/printable.hpp"

namespace weft {

namespace {

constexpr std::array names{"error", "warn", "info", "debug"};

}  // namespace

LogLevel log_level() {
  const char* word = std::getenv("WEFT_LOG");
  if (word == nullptr || *word == 0) return LogLevel::warn;
  const auto found = std::find(names.begin(), names.end(), std::string(word));
  if (found == names.end())
    throw Error(Error::invalid, fmt::format("WEFT_LOG is '{}'", word),
                fmt::format("one of: {}", fmt::join(names, ", ")));
  return static_cast<LogLevel>(found - names.begin());
}

void write_log(LogLevel level, const std::string& text) {
  // One call for all lines, so that those of other processes do not come between them.
  const std::string start = fmt::format("weft {}: ", names.at(static_cast<std::size_t>(level)));
  std::string lines = start;
  for (const char letter : printable_lines(text)) {
    lines += letter;
    if (letter == '\n') lines += start;
  }
  lines += '\n';
  std::fputs(lines.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace weft
