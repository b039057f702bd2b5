// fuzz/parsers/values: the values of options that weft's commands parse themselves.
#pragma once

#include <span>
#include <string>

namespace weft::fuzz {

/// A kind of value. `parsed` gives the text that prints what it has parsed, or throws the Error of
/// the parser.
struct Value {
  const char* name;
  std::string (*parsed)(const std::string& text);
};

std::span<const Value> values();

}  // namespace weft::fuzz
