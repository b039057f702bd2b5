// fuzz/parsers/targets: calls the parsers.

#include "fuzz/parsers/targets.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/parsers/values.hpp"
#include "weft/base/ensure.hpp"
#include "weft/files/npy.hpp"
#include "weft/files/zarr_metadata.hpp"
#include "weft/networks/machine_file.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/planning/wisdom.hpp"

namespace weft::fuzz {

namespace {

[[noreturn]] void found(const std::string& what, const std::string& text) {
  std::fprintf(stderr, "FOUND: %s\n--- text\n%s\n", what.c_str(), text.c_str());
  std::abort();
}

// Bytes of the UTF-8 character at the begin of `text`; 0 if it is none.
std::size_t utf8_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  unsigned code = first & (0x7fU >> bytes);
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
    code = code << 6U | (byte(i) & 0x3fU);
  }
  const bool is_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  return is_long || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : bytes;
}

// Whether a terminal can show it: UTF-8 without control characters, also those of two bytes.
bool is_readable(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = utf8_bytes(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (bytes == 0 || first < 0x20 || first == 0x7f) return false;
    if (first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

void require_readable(const Error& error, const std::string& text) {
  if (error.code() == Error::bug) found(fmt::format("a bug: {}", error.what()), text);
  if (error.message().empty()) found("an error that says nothing", text);
  for (const std::string* part : {&error.message(), &error.hint(), &error.context()})
    if (!is_readable(*part))
      found(fmt::format("an error that no terminal can show: {}", error.what()), text);
}

// What parse(text) gives must be what parse(print(it)) gives, or parse throws an Error.
template <class Parse, class Print>
void require_round_trip(const std::string& text, const Parse& parse, const Print& print) {
  try {
    const auto value = parse(text);
    const std::string printed = print(value);
    try {
      if (!(parse(printed) == value))
        found(fmt::format("what was printed is another value:\n{}", printed), text);
    } catch (const Error& error) {
      found(fmt::format("what was printed is refused: {}\n{}", error.what(), printed), text);
    }
  } catch (const Error& error) {
    require_readable(error, text);
  }
}

// A file: of what is printed, the data that the header states are not there.
void run_npy(const std::string& text) {
  try {
    const ArrayHeader header =
        parse_npy({text, static_cast<std::int64_t>(text.size())}, "field.npy");
    ArrayHeader again = header;
    const std::string printed = write_npy(again);
    again = parse_npy({printed, again.file_bytes()}, "field.npy");
    if (again.scalar != header.scalar || again.shape != header.shape ||
        again.is_fortran != header.is_fortran || again.is_big_endian != header.is_big_endian)
      found("what was printed is another header", text);
  } catch (const Error& error) {
    require_readable(error, text);
  }
}

// An array, as it is printed, is without compression and has a fill value of its own.
void run_zarr(const std::string& text) {
  const auto plain = [](ZarrArray array) {
    array.codec = Codec::none;
    array.header.is_big_endian = false;
    array.missing_value = {};
    array.key_start = "c";
    return array;
  };
  require_round_trip(
      text, [&](const std::string& some) { return plain(parse_zarr(some, "x.zarr")); }, print_zarr);
}

void run_strategy(const std::string& text) {
  require_round_trip(text, parse_strategy,
                     [](const Strategy& strategy) { return to_string(strategy); });
}

void run_machine(const std::string& text) {
  require_round_trip(
      text, [](const std::string& some) { return parse_machine(some, "machine.json"); },
      print_machine);
}

void run_wisdom(const std::string& text) {
  require_round_trip(text, parse_wisdom, [](const Wisdom& wisdom) { return to_text(wisdom); });
}

// "WHAT TEXT": a value of the command line.
void run_values(const std::string& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return;
  const std::string what = text.substr(0, space), value = text.substr(space + 1);
  for (const Value& each : values())
    if (what == each.name)
      require_round_trip(value, each.parsed, [](const std::string& printed) { return printed; });
}

constexpr std::array all_targets{Target{"npy", run_npy},           Target{"zarr", run_zarr},
                                 Target{"strategy", run_strategy}, Target{"machine", run_machine},
                                 Target{"wisdom", run_wisdom},     Target{"values", run_values}};

}  // namespace

std::span<const Target> targets() { return all_targets; }

const Target& target_of(const std::string& name) {
  for (const Target& target : all_targets)
    if (name == target.name) return target;
  std::fprintf(stderr, "there is no parser '%s'\n", name.c_str());
  std::abort();
}

}  // namespace weft::fuzz
