// weft/error: the exception that weft throws; weft::Allocator throws those of std::allocator.
// Floor: base.
// Keeps: a message says what happened, with the numbers, and what to try.
#pragma once

#include <exception>
#include <string>

namespace weft {

/// Thrown for wrong input and for failures of the system under weft. Collective calls throw the
/// same Error on every rank.
///
/// what() reads
///     weft: <what happened, with the numbers>
///       while: <what weft was doing>
///       try:   <what to do about it>
class Error : public std::exception {
 public:
  /// What kind of failure it is.
  enum Code {
    invalid,      ///< the input is wrong, whoever looks at it
    mismatch,     ///< ranks disagree
    unsupported,  ///< right, but this build or machine cannot do it
    io,           ///< a file could not be read or written
    system,       ///< MPI, memory or an FFT library failed
    bug,          ///< weft itself is wrong
  };

  /// An error that says `message`, and tells the user to try `hint` where that is not empty.
  /// Control characters of both are escaped, and of more than some 2000 bytes the middle is left
  /// out.
  Error(Code code, std::string message, std::string hint = {});

  /// What kind of failure it is.
  Code code() const { return code_; }
  /// What happened, what to try, and what weft was doing; the last two may be empty.
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  const std::string& context() const { return context_; }
  /// All of it, as shown above.
  const char* what() const noexcept override { return text_.c_str(); }

  /// Adds what weft was doing. The first call, the innermost context, stays.
  Error& add_context(const std::string& context);

 private:
  void compose();

  Code code_;
  std::string message_, hint_, context_, text_;
};

}  // namespace weft
