// capi/status: statuses, and the last error of each thread.

#include "weft/capi/status.hpp"

#include <array>
#include <new>
#include <utility>

#include "weft/base/error_record.hpp"

namespace weft::capi {

namespace {

// As long as the texts of an Error, with the words between them.
thread_local FixedText<4096> last_error{};

thread_local std::string refusal;

constexpr std::array status_names{"ok", "invalid", "mismatch", "unsupported",
                                  "io", "system",  "bug",      "callback"};
static_assert(status_names.size() == WEFT_CALLBACK + 1);
static_assert(WEFT_INVALID == 1 + Error::invalid && WEFT_MISMATCH == 1 + Error::mismatch &&
              WEFT_UNSUPPORTED == 1 + Error::unsupported && WEFT_IO == 1 + Error::io &&
              WEFT_SYSTEM == 1 + Error::system && WEFT_BUG == 1 + Error::bug);

}  // namespace

weft_status status_of_current_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    last_error.set(error.what());
    return static_cast<weft_status>(1 + error.code());
  } catch (const std::bad_alloc&) {
    last_error.set("weft: there is not enough memory");
    return WEFT_SYSTEM;
  } catch (const std::exception& error) {
    // weft throws nothing else, so it comes from a function of the application's.
    last_error.set(error.what());
    return WEFT_CALLBACK;
  } catch (...) {
    last_error.set("weft: a function of the application threw what is no std::exception");
    return WEFT_CALLBACK;
  }
}

std::string take_refusal() noexcept { return std::exchange(refusal, {}); }

void throw_refusal(const std::string& why) {
  if (!why.empty()) throw Error(Error::invalid, why, "say it as docs/fortran.md does");
}

}  // namespace weft::capi

using namespace weft::capi;

const char* weft_last_error(void) { return last_error.letters.data(); }

weft_status weft_refuse(const char* why) {
  return status_of([&] { refusal = &given(why, "the reason"); });
}

const char* weft_status_name(int status) {
  return status >= 0 && status < static_cast<int>(status_names.size())
             ? status_names[static_cast<std::size_t>(status)]
             : "unknown";
}

const char* weft_version(void) { return WEFT_VERSION; }
