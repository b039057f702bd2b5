// base/ensure: composes the text of an Error.

#include "weft/base/ensure.hpp"

#include "weft/base/printable.hpp"

namespace weft {

namespace {

// Texts may be from files and command lines. Records of errors have room for so much.
constexpr std::size_t most_of_message = 2000, most_of_others = 600;

}  // namespace

Error::Error(Code code, std::string message, std::string hint)
    : code_(code),
      message_(printable(message, most_of_message)),
      hint_(printable(hint, most_of_others)) {
  compose();
}

Error& Error::add_context(const std::string& context) {
  if (context_.empty()) context_ = printable(context, most_of_others);
  compose();
  return *this;
}

void Error::compose() {
  text_ = "weft: " + message_;
  if (!context_.empty()) text_ += "\n  while: " + context_;
  if (!hint_.empty()) text_ += "\n  try:   " + hint_;
}

void fail_ensure(const std::string& values, const Checked& failed) {
  throw Error(Error::bug,
              fmt::format("internal error at {}:{} in {}: {}", failed.file, failed.line,
                          failed.function, values),
              "this is a bug in weft; please report it with the command that caused it");
}

}  // namespace weft
