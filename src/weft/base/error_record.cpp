// base/error_record: copies the texts of errors, and has words for exceptions that are no Error.

#include "weft/base/error_record.hpp"

#include <new>

namespace weft {

namespace {

ErrorRecord record(Error::Code code, const char* message, const char* hint) noexcept {
  ErrorRecord made;
  made.status = 1 + static_cast<std::int32_t>(code);
  made.message.set(message);
  made.hint.set(hint);
  return made;
}

}  // namespace

ErrorRecord::ErrorRecord(const Error& error) noexcept
    : status(1 + static_cast<std::int32_t>(error.code())) {
  message.set(error.message());
  hint.set(error.hint());
  context.set(error.context());
}

ErrorRecord ErrorRecord::of_current_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return ErrorRecord(error);
  } catch (const std::bad_alloc&) {
    return record(Error::system, "there is not enough memory",
                  "use more ranks, or nodes with more memory");
  } catch (const std::exception& error) {
    return record(Error::system, error.what(), "");
  } catch (...) {
    return record(Error::system, "an exception was thrown that is not a std::exception",
                  "throw a weft::Error or another std::exception, which says what is wrong");
  }
}

Error ErrorRecord::error() const {
  Error made(static_cast<Error::Code>(status - 1), message.get(), hint.get());
  if (context.letters[0] != 0) made.add_context(context.get());
  return made;
}

}  // namespace weft
