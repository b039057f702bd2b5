// base/log: lines on standard error, as many as WEFT_LOG asks for.
// Keeps: nothing is formatted for a line that is not asked for. Callers see to it that only one
// rank writes what concerns all.
#pragma once

#include <string>

namespace weft {

/// What a line is about, the most important first.
enum class LogLevel {
  error,  ///< something failed
  warn,   ///< something works, but not as well as it could
  info,   ///< what has been decided: a line a plan
  debug,  ///< everything about a plan
};

/// The level in WEFT_LOG, and `warn` if it is not set. Error::invalid for another word.
LogLevel log_level();

/// Writes `text` to standard error, each line after "weft <level>: ".
void write_log(LogLevel level, const std::string& text);

/// Writes the text that `text()` returns, if WEFT_LOG asks for lines of this level.
template <class Text>
void log_line(LogLevel level, const Text& text) {
  if (level <= log_level()) write_log(level, text());
}

}  // namespace weft
