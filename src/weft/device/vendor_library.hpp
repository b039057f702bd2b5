// device/vendor_library: the functions of a vendor's library, found when the program runs.
// Keeps: a program that was built with a vendor's headers starts without its library.
#pragma once

#include <dlfcn.h>

#include <optional>
#include <string>
#include <type_traits>

#include "weft/base/ensure.hpp"

// A list of functions, WEFT_FUNCTIONS(each), calls each(member, name) with the vendor's names. Its
// headers give some of them a version, by macros.
#define WEFT_FUNCTION_MEMBER(member, name) decltype(&::name) member = nullptr;
#define WEFT_TEXT_OF_NAME(name) #name
#define WEFT_TEXT(macro) WEFT_TEXT_OF_NAME(macro)
#define WEFT_FIND_FUNCTION(member, name)                                        \
  member = reinterpret_cast<decltype(member)>(dlsym(library, WEFT_TEXT(name))); \
  if (member == nullptr) return WEFT_TEXT(name);
// The same for functions that an older library may not have: null there.
#define WEFT_FIND_OPTIONAL(member, name) \
  member = reinterpret_cast<decltype(member)>(dlsym(library, WEFT_TEXT(name)));

namespace weft {

/// Throws Error::system, which says `what` and the driver's words, for other results than success.
/// `what` is a text, or a function that makes it.
template <class Api, class What>
void check_vendor(const Api& api, typename Api::Result result, const What& what) {
  if (result == Api::success) return;
  std::string said;
  if constexpr (std::is_invocable_v<What>)
    said = what();
  else
    said = what;
  throw Error(Error::system, fmt::format("{}: {}: {}", Api::name, said, api.text_of(result)));
}

/// For results of functions that must not fail, or need not succeed.
template <class Result>
void ignore_result(Result /*result*/) noexcept {}

/// Fills `api`; the reason if its library is not installed, too old, or has no device.
template <class Api>
std::optional<std::string> load_vendor(Api& api) {
  void* const library = dlopen(Api::file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fmt::format("{} ({}) is not installed", Api::title, Api::file);
  if (const char* const missing = api.find_in(library))
    return fmt::format("{} is too old: it has no {}", Api::title, missing);
  const std::string no_device = fmt::format("{} finds no device", Api::title);
  const auto failed = [&](const char* what, typename Api::Result result) {
    if (Api::tells_of_no_device(result)) return no_device;
    return fmt::format("{} cannot {}: {} (error {})", Api::title, what, api.text_of(result),
                       static_cast<int>(result));
  };
  if (const auto result = api.initialize(0); result != Api::success) return failed("start", result);
  int count = 0;
  if (const auto result = api.count_devices(&count); result != Api::success)
    return failed("count devices", result);
  if (count == 0) return no_device;
  return std::nullopt;
}

/// The functions, found and initialized once; null, with the reason in `why_not`, if they cannot be
/// used here.
template <class Api>
const Api* vendor_library(std::optional<std::string>& why_not) {
  static Api api;
  static const std::optional<std::string> reason = load_vendor(api);
  why_not = reason;
  return reason ? nullptr : &api;
}

}  // namespace weft
