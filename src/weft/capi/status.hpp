// capi/status: what a call from C comes to: an exception becomes a status, and the text of the last
// error of its thread. Keeps: nothing is thrown into C, and remembering allocates nothing.
#pragma once

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/weft.h"

namespace weft::capi {

/// A function of the application's says that it has failed.
struct CallbackFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The status of the exception that is being handled, whose text weft_last_error() returns from now
/// on.
weft_status status_of_current_exception() noexcept;

/// Runs `body`, and returns what it comes to.
template <class Body>
weft_status status_of(Body&& body) noexcept {
  try {
    body();
    return WEFT_OK;
  } catch (...) {
    return status_of_current_exception();
  }
}

/// What `pointer` points to. Error::invalid, which calls it `what`, if that is nothing.
template <class T>
T& given(T* pointer, const char* what) {
  if (pointer == nullptr)
    throw Error(Error::invalid, fmt::format("{} is a null pointer", what),
                "give what the function returns, or its address; was it created without an error?");
  return *pointer;
}

/// Gives `made` to the application, whose `handle` holds nothing so far or what does not matter.
template <class Object>
void hand_over(std::unique_ptr<Object> made, Object** handle) {
  *handle = made.release();
}

/// Destroys what `handle` holds, and leaves NULL in it.
template <class Object>
weft_status free_handle(Object** handle, const char* what) noexcept {
  return status_of([&] { delete std::exchange(given(handle, what), nullptr); });
}

}  // namespace weft::capi
