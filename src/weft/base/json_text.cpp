// base/json_text: looks at the form of a text, and has the library read it.

#include "weft/base/json_text.hpp"

#include <array>

#include "weft/base/ensure.hpp"
#include "weft/base/printable.hpp"

namespace weft {

namespace {

// The library takes the stack for levels, and compares each member of an object with all before it.
// Where a text is no JSON, this says so or finds nothing.
void require_flat(const std::string& text, const std::string& hint) {
  constexpr int most_levels = 8, most_members = 100;
  std::array<int, most_levels + 1> members{};
  std::size_t level = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '"') is_quoted = !is_quoted;
    if (is_quoted) {
      if (letter == '\\') ++i;
    } else if (letter == '{' || letter == '[') {
      if (++level > most_levels)
        throw Error(Error::invalid, fmt::format("the file has more than {} levels", most_levels),
                    hint);
      members[level] = 0;
    } else if (letter == '}' || letter == ']') {
      if (level > 0) --level;
    } else if (letter == ':' && ++members[level] > most_members) {
      throw Error(Error::invalid,
                  fmt::format("the file has an object of more than {} members", most_members),
                  hint);
    }
  }
}

}  // namespace

Json parse_json(const std::string& text, const std::string& hint) {
  require_flat(text, hint);
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // After the library's own number of the error. It may tell the whole text where it stopped.
    constexpr std::size_t most_shown = 300;
    const std::string what = error.what();
    const std::size_t number = what.find("] ");
    throw Error(
        Error::invalid,
        "the file is no JSON: " +
            printable(number == std::string::npos ? what : what.substr(number + 2), most_shown),
        hint);
  }
}

std::string json_text(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace weft
