// faces/integers: reads numbers one after the other.

#include "weft/faces/integers.hpp"

#include <charconv>

#include "weft/base/ensure.hpp"

namespace weft {

std::vector<int> parse_integers(const std::string& name, const std::string& text,
                                const std::string& hint) {
  std::vector<int> numbers;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    int number = 0;
    const auto [next, status] = std::from_chars(at, end, number);
    if (status != std::errc{} || (next != end && *next != ','))
      throw Error(Error::invalid,
                  fmt::format("{} is '{}', not integers joined by commas", name, text), hint);
    numbers.push_back(number);
    if (next == end) return numbers;
    at = next + 1;
  }
}

}  // namespace weft
