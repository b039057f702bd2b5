// grid/rank_list: lists of ranks as text, "0,2,4-7".
// Keeps: print-parse - parse_ranks(to_text(list)) == list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// Longer lists are not read: a slip of the pen must not fill the memory.
constexpr std::int64_t most_listed_ranks = 65536;

/// Three and more that follow each other are told by the first and the last: "0-3,0-3".
std::string to_text(const std::vector<int>& ranks);

/// Error::invalid, naming `what`, if it is no list of ranks, or too long a one.
std::vector<int> parse_ranks(const std::string& text, const std::string& what);

/// Whether it is 0, 1, 2 ... up to, not including, `count`.
bool is_consecutive(const std::vector<int>& ranks, std::int64_t count);

}  // namespace weft
