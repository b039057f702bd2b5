// base/ensure: composes the text of an Error.

#include "weft/base/ensure.hpp"

namespace weft {

Error::Error(Code code, std::string message, std::string hint)
    : code_(code), message_(std::move(message)), hint_(std::move(hint)) {
  compose();
}

Error& Error::add_context(const std::string& context) {
  if (context_.empty()) context_ = context;
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
