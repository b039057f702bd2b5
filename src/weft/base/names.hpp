// base/names: the names of the values of an enumeration, in one table for each enumeration.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "weft/base/ensure.hpp"

namespace weft {

template <class Value, std::size_t n>
using Names = std::array<std::pair<Value, const char*>, n>;

template <class Value, std::size_t n>
const char* name_in(const Names<Value, n>& names, Value value) {
  for (const auto& [candidate, name] : names)
    if (candidate == value) return name;
  return "?";
}

/// The value called `text`. Error::invalid, with a list of all names, if there is none.
template <class Value, std::size_t n>
Value value_in(const Names<Value, n>& names, const std::string& text, const char* what) {
  std::string known;
  for (const auto& [value, name] : names) {
    if (text == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw Error(Error::invalid, fmt::format("there is no {} '{}'", what, text), "one of: " + known);
}

}  // namespace weft
