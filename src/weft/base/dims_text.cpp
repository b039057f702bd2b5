// base/dims_text: prints and parses Dims, and compares their volume with a limit without overflow.

#include "weft/base/dims_text.hpp"

#include <charconv>

namespace weft {

void Dims::refuse() {
  throw Error(Error::invalid, fmt::format("a list of more than {} axes", capacity),
              "merge axes that are not transformed, or use the batch for them");
}

bool volume_exceeds(const Dims& dims, std::int64_t limit) {
  std::int64_t room = limit;
  for (auto n : dims) room /= n;
  return room < 1;
}

std::string to_string(const Dims& dims) {
  std::string text;
  for (int i = 0; i < dims.size(); ++i) {
    if (i > 0) text += 'x';
    text += std::to_string(dims[i]);
  }
  return text;
}

Dims parse_dims(const std::string& text, const std::string& what) {
  const auto reject = [&] {
    throw Error(Error::invalid, fmt::format("{} is '{}', not integers joined by 'x'", what, text),
                "write integers joined by 'x', for example 256x256x128");
  };
  Dims dims;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::int64_t value = 0;
    const auto [next, status] = std::from_chars(at, end, value);
    if (status != std::errc{} || dims.size() == Dims::capacity) reject();
    dims.push_back(value);
    if (next == end) return dims;
    if (*next != 'x') reject();
    at = next + 1;
  }
}

}  // namespace weft
