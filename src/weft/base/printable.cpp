// base/printable: decodes UTF-8, and escapes.

#include "weft/base/printable.hpp"

#include <algorithm>
#include <cstdint>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool continues(unsigned char byte) { return (byte & 0xC0U) == 0x80; }

// A character at the start of a text; without bytes if none is there.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

Character first_of(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC0 || first > 0xF7 || bytes > text.size()) return {};
  std::uint32_t code = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(byte_at(text, i))) return {};
    code = code << 6 | (byte_at(text, i) & 0x3FU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[bytes] || code > 0x10FFFF || is_surrogate) return {};
  return {code, bytes};
}

// What steers a terminal, breaks lines, or turns the direction of writing and so hides what
// follows.
bool is_control(std::uint32_t code) {
  constexpr struct {
    std::uint32_t first, last;
  } controls[] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},  {0x200E, 0x200F},
                  {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};
  return std::ranges::any_of(
      controls, [&](const auto& each) { return code >= each.first && code <= each.last; });
}

std::string escaped_controls(std::string_view text, std::string_view kept) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_of(text);
    const std::size_t bytes = std::max<std::size_t>(1, next.bytes);
    if (next.bytes == 0)
      shown += fmt::format("\\x{:02x}", byte_at(text, 0));
    else if (is_control(next.code) && kept.find(text[0]) == std::string_view::npos)
      shown += fmt::format("\\u{:04x}", next.code);
    else
      shown += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return shown;
}

}  // namespace

std::string printable(std::string_view text, std::size_t most_bytes) {
  std::string shown = escaped_controls(text, "");
  if (shown.size() <= most_bytes) return shown;
  constexpr std::string_view gap = " ... ";
  const std::size_t end_bytes = most_bytes / 4;
  std::size_t end = shown.size() - end_bytes;
  while (end < shown.size() && continues(byte_at(shown, end))) ++end;
  std::string cut(start_of(shown, most_bytes - end_bytes - gap.size()));
  return cut.append(gap).append(shown, end);
}

std::string printable_lines(std::string_view text) { return escaped_controls(text, "\n\t"); }

std::string_view start_of(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  while (most_bytes > 0 && continues(byte_at(text, most_bytes))) --most_bytes;
  return text.substr(0, most_bytes);
}

}  // namespace weft
