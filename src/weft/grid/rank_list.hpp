// grid/rank_list: lists of ranks as text, "0,2,4-7".
// Keeps: print-parse - parse_ranks(to_text(list)) == list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// The longest list that users may write: a mistyped range must not exhaust the memory.
constexpr std::int64_t most_listed_ranks = 65536;
/// The longest list of a strategy, which weft also writes for as many ranks as there are.
constexpr std::int64_t most_owners = std::int64_t{1} << 24;

/// Three or more consecutive ranks are written as a range: "0-3,0-3".
std::string to_text(const std::vector<int>& ranks);

/// Error::invalid, naming `what`, if `text` is not a list of ranks, or if it has more than `most`.
std::vector<int> parse_ranks(const std::string& text, const std::string& what,
                             std::int64_t most = most_listed_ranks);

/// Whether `ranks` is 0, 1, 2, ..., count - 1.
bool is_consecutive(const std::vector<int>& ranks, std::int64_t count);

}  // namespace weft
