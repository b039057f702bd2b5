// base/ensure: what weft's own code needs beside weft::Error - formatted texts, the context of an
// error, and the check for weft's own bugs.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <type_traits>

#include "weft/error.hpp"

namespace weft {

/// Runs `body`; an Error that leaves it is told with `context()` as its "while" line.
template <class Context, class Body>
decltype(auto) with_context(Context&& context, Body&& body) {
  try {
    return body();
  } catch (Error& error) {
    error.add_context(context());
    throw;
  }
}

/// A condition, and where in the code it was checked. The builtins are those behind
/// std::source_location, which clang 14 cannot compile with GCC's library.
struct Checked {
  // NOLINTNEXTLINE(google-explicit-constructor): the conversion from bool captures the place.
  Checked(bool holds_, const char* file_ = __builtin_FILE(), int line_ = __builtin_LINE(),
          const char* function_ = __builtin_FUNCTION())
      : holds(holds_), file(file_), line(line_), function(function_) {}
  bool holds;
  const char* file;
  int line;
  const char* function;
};

/// Throws Error::bug with the values and the place of the check.
[[noreturn]] void fail_ensure(const std::string& values, const Checked& failed);

/// ensure(condition, values...): a condition that only a bug in weft can break; prints the values.
template <class... Values>
void ensure(Checked condition, const Values&... values) {
  if (condition.holds) [[likely]]
    return;
  std::string text;
  ((text += fmt::format("{} ", values)), ...);
  fail_ensure(text, condition);
}

}  // namespace weft
