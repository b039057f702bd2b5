// capi/sized: structures of C that begin with their size, so that they can grow: a shorter one is
// that of an older header, and what is missing in it is zero.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "weft/capi/status.hpp"

namespace weft::capi {

/// The smallest size of a structure: of its first version. All are in their first version.
template <class Struct>
inline constexpr std::size_t first_size = sizeof(Struct);

/// Error::invalid unless `size` is that of a structure which this library knows.
template <class Struct>
void require_size(std::size_t size, const char* name) {
  if (size >= first_size<Struct> && size <= 2 * sizeof(Struct)) return;
  throw Error(Error::invalid,
              fmt::format("the size of a {} is {}, not {}", name, size, sizeof(Struct)),
              fmt::format("begin with {} x = {{.size = sizeof x}}, or call {}_init", name, name));
}

/// A copy of `from`, with zeros in what is missing. Error::invalid for a null pointer, for a size
/// that cannot be, and if the application has set what this library does not know.
template <class Struct>
Struct read(const Struct* from, const char* name) {
  const std::size_t size = given(from, name).size;
  require_size<Struct>(size, name);
  const auto* const bytes = reinterpret_cast<const char*>(from);
  if (size > sizeof(Struct) &&
      std::any_of(bytes + sizeof(Struct), bytes + size, [](char byte) { return byte != 0; }))
    throw Error(Error::unsupported,
                fmt::format("a {} has members that this weft does not know", name),
                "use the library of the header that the program was compiled with, or a newer one");
  Struct copy{};
  std::memcpy(&copy, from, std::min(size, sizeof copy));
  return copy;
}

/// Writes `value` into what the application gave for it, as far as that reaches.
template <class Struct>
void write(Struct* to, Struct value, const char* name) {
  const std::size_t size = given(to, name).size;
  require_size<Struct>(size, name);
  value.size = size;
  std::memcpy(to, &value, std::min(size, sizeof value));
}

/// Zeros, and the size.
template <class Struct>
weft_status init(Struct* to, std::size_t size, const char* name) noexcept {
  return status_of([&] {
    given(to, name);
    require_size<Struct>(size, name);
    std::memset(static_cast<void*>(to), 0, size);
    to->size = size;
  });
}

}  // namespace weft::capi
