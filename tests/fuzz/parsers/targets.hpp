// fuzz/parsers/targets: each parser of text that users write, and what must hold for any text.
// A text that parses is printed and parsed again, and the same value comes out. Any other text is
// refused by one weft::Error, which a terminal can show.
#pragma once

#include <span>
#include <string>

namespace weft::fuzz {

/// A parser, and the folder of corpus/ that has texts for it.
struct Target {
  const char* name;
  void (*run)(const std::string& text);
};

/// All of them. A run says on stderr what does not hold, and aborts.
std::span<const Target> targets();

/// The one of this name; aborts if there is none.
const Target& target_of(const std::string& name);

}  // namespace weft::fuzz
