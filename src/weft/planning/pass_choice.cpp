// planning/pass_choice: prints and parses choices.

#include "weft/planning/pass_choice.hpp"

#include <array>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

// A choice between two, and the words for them.
struct Switch {
  std::optional<bool> PassChoice::*value;
  const char *yes, *no;
};
constexpr std::array<Switch, 6> switches{{
    {&PassChoice::keeps_columns, "in columns", "in rows"},
    {&PassChoice::streams, "streamed", "cached"},
    {&PassChoice::prefetches, "prefetched", "unprefetched"},
    {&PassChoice::loads_directly, "direct-loads", "buffered-loads"},
    {&PassChoice::stores_directly, "direct-stores", "buffered-stores"},
    {&PassChoice::is_whole, "whole", "tiled"},
}};

std::vector<std::string> names_of(const std::string& list) {
  std::vector<std::string> names(1);
  for (const char c : list) {
    if (c == ',')
      names.emplace_back();
    else
      names.back() += c;
  }
  return names;
}

bool has_empty_name(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name.empty()) return true;
  return false;
}

// Sets the switch that `word` names. False if there is none, or it is set already.
bool set_switch(PassChoice& choice, const std::string& word) {
  for (const Switch& one : switches)
    for (const bool yes : {true, false})
      if (word == (yes ? one.yes : one.no) && !(choice.*one.value)) {
        choice.*one.value = yes;
        return true;
      }
  return false;
}

}  // namespace

std::string to_string(const PassChoice& choice) {
  std::string text;
  if (!choice.engines.empty()) text += fmt::format(" by {}", fmt::join(choice.engines, ","));
  for (const Switch& one : switches)
    if (const auto value = choice.*one.value) text += fmt::format(" {}", *value ? one.yes : one.no);
  return text;
}

std::optional<PassChoice> parse_choice(std::span<const std::string> words) {
  PassChoice choice;
  for (std::size_t i = 0; i < words.size(); ++i) {
    // These two begin what takes two words.
    const bool is_first = words[i] == "by" || words[i] == "in";
    if (is_first && i + 1 == words.size()) return std::nullopt;
    if (words[i] == "by") {
      if (!choice.engines.empty()) return std::nullopt;
      choice.engines = names_of(words[++i]);
      if (has_empty_name(choice.engines)) return std::nullopt;
      continue;
    }
    const std::string word = is_first ? words[i] + " " + words[i + 1] : words[i];
    if (is_first) ++i;
    if (!set_switch(choice, word)) return std::nullopt;
  }
  return choice;
}

}  // namespace weft
