// bench/peers/problem: what a peer is asked to transform, from its command line.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace peer {

using Index = std::vector<std::int64_t>;

/// The library does not support this problem. Thrown on every rank; the text says what it supports.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Problem {
  Index extents;           // of one field, 1 to 4 axes
  std::int64_t batch = 1;  // fields that are transformed together
  bool real = false;       // r2c: the last axis of the spectrum has n/2+1 points
  bool single = false;
  bool free_output = false;  // --output free: the spectrum may stay where the library leaves it
  bool in_place = false;
  int threads = 1;
  int inner = 3;
  int warmup = 1;
  std::string wisdom;

  int axes() const { return static_cast<int>(extents.size()); }
  Index spectrum() const {
    Index n = extents;
    if (real) n.back() = n.back() / 2 + 1;
    return n;
  }
  /// Elements between the starts of two rows of an input that has room for its own spectrum.
  std::int64_t padded_row() const { return real ? 2 * spectrum().back() : extents.back(); }
};

inline std::int64_t volume(const Index& n) {
  std::int64_t v = 1;
  for (auto e : n) v *= e;
  return v;
}

inline std::int64_t whole_number(std::string_view option, std::string_view text,
                                 std::int64_t least) {
  std::int64_t n = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || n < least)
    throw std::invalid_argument(std::string(option) + " takes a whole number of at least " +
                                std::to_string(least) + ", not '" + std::string(text) + "'");
  return n;
}

inline Index parse_extents(std::string_view text) {
  Index n;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find('x', from), text.size());
    n.push_back(whole_number("--size", text.substr(from, to - from), 1));
    from = to + 1;
  }
  if (n.size() > 4)
    throw std::invalid_argument("--size takes 1 to 4 axes, not " + std::to_string(n.size()) +
                                "; try 256x256x256");
  return n;
}

inline Problem parse(int argc, char** argv) {
  static constexpr const char* usage =
      "--size AxBxC [--batch N] [--kind c2c|r2c] [--precision double|single] [--threads T]\n"
      "  [--output same|free] [--in-place] [--inner K] [--warmup W] [--wisdom FILE]";
  Problem problem;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--help") throw std::invalid_argument(usage);
    if (option == "--in-place") {
      problem.in_place = true;
      continue;
    }
    if (i + 1 == argc)
      throw std::invalid_argument("'" + std::string(option) +
                                  "' is unknown or lacks its value; options are\n  " + usage);
    const std::string_view value = argv[++i];
    auto one_of = [&](std::string_view no, std::string_view yes) {
      if (value != no && value != yes)
        throw std::invalid_argument(std::string(option) + " is " + std::string(no) + " or " +
                                    std::string(yes) + ", not '" + std::string(value) + "'");
      return value == yes;
    };
    if (option == "--size")
      problem.extents = parse_extents(value);
    else if (option == "--batch")
      problem.batch = whole_number(option, value, 1);
    else if (option == "--kind")
      problem.real = one_of("c2c", "r2c");
    else if (option == "--precision")
      problem.single = one_of("double", "single");
    else if (option == "--output")
      problem.free_output = one_of("same", "free");
    else if (option == "--threads")
      problem.threads = static_cast<int>(whole_number(option, value, 1));
    else if (option == "--inner")
      problem.inner = static_cast<int>(whole_number(option, value, 1));
    else if (option == "--warmup")
      problem.warmup = static_cast<int>(whole_number(option, value, 0));
    else if (option == "--wisdom")
      problem.wisdom = value;
    else
      throw std::invalid_argument("unknown option " + std::string(option) + "; options are\n  " +
                                  usage);
  }
  if (problem.extents.empty())
    throw std::invalid_argument("--size is missing; try --size 256x256x256");
  return problem;
}

}  // namespace peer
