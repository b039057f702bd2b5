// grid/rank_list: prints and parses ranges of consecutive ranks.

#include "weft/grid/rank_list.hpp"

#include <charconv>

#include "weft/base/ensure.hpp"

namespace weft {

std::string to_text(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (last < first + 2) last = first;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[first]);
    if (last > first) text += fmt::format("-{}", ranks[last]);
    first = last + 1;
  }
  return text;
}

std::vector<int> parse_ranks(const std::string& text, const std::string& what, std::int64_t most) {
  const auto reject = [&](const std::string& why) {
    throw Error(Error::invalid, fmt::format("{} is '{}', {}", what, text, why),
                "write ranks or ranges of ranks, joined by commas: 0,2,4-7");
  };
  std::vector<int> ranks;
  const char *at = text.data(), *const end = at + text.size();
  const auto number = [&] {
    int value = -1;
    const auto [next, status] = std::from_chars(at, end, value);
    if (status != std::errc{} || value < 0) reject("not a list of ranks");
    at = next;
    return value;
  };
  while (true) {
    const int first = number();
    int last = first;
    if (at != end && *at == '-') {
      ++at;
      last = number();
      if (last < first) reject(fmt::format("where {}-{} runs backwards", first, last));
    }
    if (static_cast<std::int64_t>(ranks.size()) + last - first >= most)
      reject(fmt::format("more than {} ranks", most));
    for (int rank = first; rank <= last; ++rank) ranks.push_back(rank);
    if (at == end) return ranks;
    if (*at++ != ',') reject("not a list of ranks");
  }
}

bool is_consecutive(const std::vector<int>& ranks, std::int64_t count) {
  if (static_cast<std::int64_t>(ranks.size()) != count) return false;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (ranks[i] != static_cast<int>(i)) return false;
  return true;
}

}  // namespace weft
