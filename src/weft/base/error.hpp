// base/error: the one exception weft throws, and the check for weft's own bugs.
// Keeps: a message says what happened, with the numbers, and what to try.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace weft {

/// Thrown for wrong input and for failures of the system under weft.
/// Collective calls throw the same Error on every rank.
///
/// what() reads
///     weft: <what happened, with the numbers>
///       while: <what weft was doing>
///       try:   <what to do about it>
class Error : public std::exception {
 public:
  enum Code {
    invalid,      ///< the input is wrong, whoever looks at it
    mismatch,     ///< ranks disagree
    unsupported,  ///< right, but this build or machine cannot do it
    io,           ///< a file could not be read or written
    system,       ///< MPI, memory or an FFT library failed
    bug,          ///< weft itself is wrong
  };

  Error(Code code, std::string message, std::string hint = {});

  Code code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  const std::string& context() const { return context_; }
  const char* what() const noexcept override { return text_.c_str(); }

  /// The same error, told with what weft was doing; the innermost context stays.
  Error& add_context(const std::string& context);

 private:
  void compose();

  Code code_;
  std::string message_, hint_, context_, text_;
};

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

/// A condition, and where in the code it was checked.
struct Checked {
  // NOLINTNEXTLINE(google-explicit-constructor): the conversion from bool captures the place.
  Checked(bool holds_, const std::source_location& where_ = std::source_location::current())
      : holds(holds_), where(where_) {}
  bool holds;
  std::source_location where;
};

[[noreturn]] void fail_ensure(const std::string& values, const std::source_location& where);

/// ensure(condition, values...): a condition that only a bug in weft can break; prints the values.
template <class... Values>
void ensure(Checked condition, const Values&... values) {
  if (condition.holds) [[likely]]
    return;
  std::string text;
  ((text += fmt::format("{} ", values)), ...);
  fail_ensure(text, condition.where);
}

}  // namespace weft
