// capi/status: what a call from C comes to: an exception becomes a status, and the text of the last
// error of its thread. Keeps: nothing is thrown into C, and remembering allocates nothing.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/capi/live.hpp"
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

/// What weft_refuse() was given for the creation that begins now; empty if it was not called.
std::string take_refusal() noexcept;
/// Error::invalid for this reason, if there is one.
void throw_refusal(const std::string& why);

/// What `pointer` points to. Error::invalid, which calls it `what`, if that is nothing, or if it is
/// of a handle's type, and is no such handle (see capi/live).
template <class T>
T& given(T* pointer, const char* what) {
  if (pointer == nullptr)
    throw Error(Error::invalid, fmt::format("{} is a null pointer", what),
                "give what the function returns, or its address; was it created without an error?");
  if constexpr (requires { T::handle_type; }) require_live(pointer, T::handle_type, what);
  return *pointer;
}

/// Gives `made` to the application, whose `handle` holds nothing so far or what does not matter.
template <class Object>
void hand_over(std::unique_ptr<Object> made, Object** handle) {
  *handle = made.release();
}

/// Takes what `handle` holds, which may be nothing, and leaves NULL in it. Error::invalid, naming
/// the `place`, if it is no such handle.
template <class Object>
std::unique_ptr<Object> taken(Object** handle, const char* place) {
  if (given(handle, place) != nullptr) given(*handle, "what the handle holds");
  return std::unique_ptr<Object>(std::exchange(*handle, nullptr));
}

/// Destroys what `handle` holds, and leaves NULL in it.
template <class Object>
weft_status free_handle(Object** handle, const char* place) noexcept {
  return status_of([&] {
    const std::unique_ptr<Object> object = taken(handle, place);
    strike_out(object.get());  // before callbacks that its end may call
  });
}

}  // namespace weft::capi
