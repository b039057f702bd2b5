// planning/strategy: prints and parses strategies.

#include "weft/planning/strategy.hpp"

#include <algorithm>
#include <span>
#include <sstream>

#include "weft/base/printable.hpp"
#include "weft/grid/rank_list.hpp"

namespace weft {

namespace {

constexpr const char* separator = " | ";
constexpr std::size_t most_stages = 100;  // of which fields of 8 axes need some 20

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (true) {
    const std::size_t next = text.find(separator, at);
    parts.push_back(text.substr(at, next - at));
    if (next == std::string::npos) return parts;
    at = next + 3;
  }
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

[[noreturn]] void reject(const std::string& part, const std::string& text) {
  constexpr std::size_t most_shown = 200;
  throw Error(
      Error::invalid, fmt::format("'{}' is not a part of a strategy", printable(part, most_shown)),
      fmt::format("correct it in '{}'; an example of a strategy is 'fftw | from 2x1x1 | fft "
                  "2,1 | p2p to 1x2x1 | fft 0'",
                  printable(text, most_shown)));
}

// A longer text of a strategy is refused: it would take all memory.
[[noreturn]] void reject_size(const std::string& most) {
  throw Error(Error::invalid, fmt::format("a strategy has more than {}", most),
              "give one that weft has printed");
}

// "4x2x1", "input" or "output", optionally with the ranks of the pieces. Removes the words that it
// reads from `words`.
Place parse_place(std::span<const std::string>& words) {
  const std::string word = words.front();
  words = words.subspan(1);
  std::vector<int> owners;
  if (words.size() >= 2 && words[0] == "on") {
    owners =
        parse_ranks(words[1], fmt::format("the ranks of '{}' in a strategy", word), most_owners);
    words = words.subspan(2);
  }
  if (word == "input") return {Place::input, {{}, owners}};
  if (word == "output") return {Place::output, {{}, owners}};
  return {Place::on_grid,
          ProcessGrid::placed(parse_dims(word, "the process grid of a strategy"), owners)};
}

int axis_number(std::int64_t axis) {
  if (axis < 0 || axis >= Dims::capacity)
    throw Error(Error::invalid, fmt::format("a strategy names axis {}", axis),
                fmt::format("axes are 0 to {}; a batch counts as axis 0, a split axis as two axes",
                            Dims::capacity - 1));
  return static_cast<int>(axis);
}

std::vector<int> parse_axes(std::string word) {
  std::vector<int> axes;
  for (char& c : word)
    if (c == ',') c = 'x';
  for (auto axis : parse_dims(word, "the axes of a pass")) axes.push_back(axis_number(axis));
  return axes;
}

int parse_chunks(const std::string& word) {
  const Dims chunks = parse_dims(word, "the chunks of an exchange");
  if (chunks.size() != 1 || chunks[0] < 1 || chunks[0] > most_chunks)
    throw Error(Error::invalid, fmt::format("a strategy divides an exchange into {} chunks", word),
                fmt::format("give 1 to {} chunks", most_chunks));
  return static_cast<int>(chunks[0]);
}

// A pass has one engine for each of its axes, or one for all, or none is named.
std::optional<Stage> parse_pass(std::vector<int> axes, std::span<const std::string> words) {
  auto choice = parse_choice(words);
  if (!choice || (choice->engines.size() > 1 && choice->engines.size() != axes.size()))
    return std::nullopt;
  return PassStage{std::move(axes), *std::move(choice)};
}

std::optional<Stage> parse_stage(const std::vector<std::string>& words) {
  if (words.empty()) return std::nullopt;
  if (words[0] == "copy") return parse_pass({}, std::span(words).subspan(1));
  if (words.size() >= 2 && words[0] == "fft")
    return parse_pass(parse_axes(words[1]), std::span(words).subspan(2));
  if (words.size() < 3 || words[1] != "to") return std::nullopt;
  ExchangeStage exchange{words[0], {}, 1};
  std::span<const std::string> remaining = std::span(words).subspan(2);
  exchange.to = parse_place(remaining);
  if (remaining.size() == 2 && remaining[0] == "in")
    exchange.chunks = parse_chunks(remaining[1]);
  else if (!remaining.empty())
    return std::nullopt;
  return exchange;
}

// "split 0 as 32x64"
std::optional<AxisSplit> parse_split(const std::vector<std::string>& words) {
  if (words.size() != 4 || words[0] != "split" || words[2] != "as") return std::nullopt;
  const Dims axis = parse_dims(words[1], "the axis of a split");
  const Dims factors = parse_dims(words[3], "the factors of a split");
  if (axis.size() != 1 || factors.size() != 2) return std::nullopt;
  return AxisSplit{axis_number(axis[0]), factors[0], factors[1]};
}

}  // namespace

std::string to_string(const Place& place) {
  if (place.form == Place::on_grid) return to_string(place.grid);
  const std::string word = place.form == Place::input ? "input" : "output";
  return word + (place.grid.owners.empty() ? "" : " on " + to_text(place.grid.owners));
}

std::string to_string(const Stage& stage) {
  if (const auto* pass = std::get_if<PassStage>(&stage))
    return (pass->axes.empty() ? "copy" : fmt::format("fft {}", fmt::join(pass->axes, ","))) +
           to_string(pass->choice);
  const auto& exchange = std::get<ExchangeStage>(stage);
  const std::string chunks = exchange.chunks > 1 ? fmt::format(" in {}", exchange.chunks) : "";
  return exchange.exchange + " to " + to_string(exchange.to) + chunks;
}

std::string to_string(const Strategy& strategy) {
  std::string text = strategy.engine;
  if (strategy.split)
    text += fmt::format("{}split {} as {}x{}", separator, strategy.split->axis,
                        strategy.split->first, strategy.split->second);
  text += separator + ("from " + to_string(strategy.from));
  for (const Stage& stage : strategy.stages) text += separator + to_string(stage);
  return text;
}

Strategy parse_strategy(const std::string& text) {
  const auto parts = parts_of(text);
  Strategy strategy;
  std::size_t at = 0;
  const auto words = [&] { return words_of(parts[at]); };
  if (words().size() != 1) reject(parts[at], text);
  strategy.engine = words()[0];
  if (++at < parts.size())
    if (const auto split = parse_split(words())) {
      strategy.split = split;
      ++at;
    }
  if (at >= parts.size()) reject(parts.back(), text);
  const std::vector<std::string> from = words();
  if (from.size() < 2 || from[0] != "from") reject(parts[at], text);
  std::span<const std::string> remaining = std::span(from).subspan(1);
  strategy.from = parse_place(remaining);
  if (!remaining.empty()) reject(parts[at], text);
  if (parts.size() - at - 1 > most_stages) reject_size(fmt::format("{} stages", most_stages));
  std::size_t listed = strategy.from.grid.owners.size();
  for (++at; at < parts.size(); ++at) {
    const auto stage = parse_stage(words());
    if (!stage) reject(parts[at], text);
    strategy.stages.push_back(*stage);
    if (const auto* exchange = std::get_if<ExchangeStage>(&*stage))
      listed += exchange->to.grid.owners.size();
    if (listed > most_owners) reject_size(fmt::format("{} ranks in its lists", most_owners));
  }
  return strategy;
}

Strategy without_choices(Strategy strategy) {
  for (Stage& stage : strategy.stages)
    if (auto* pass = std::get_if<PassStage>(&stage)) pass->choice = {};
  return strategy;
}

bool names_engines(const Strategy& strategy) {
  return std::ranges::any_of(strategy.stages, [](const Stage& stage) {
    const auto* const pass = std::get_if<PassStage>(&stage);
    return pass != nullptr && !pass->choice.engines.empty();
  });
}

namespace {

// For all axes together, or for each.
bool names_only(const PassChoice& choice, const std::string& engine) {
  return !choice.engines.empty() &&
         std::ranges::all_of(choice.engines, [&](const auto& each) { return each == engine; });
}

}  // namespace

Strategy one_axis_a_pass(const Strategy& strategy, const std::string& library) {
  Strategy parted = strategy;
  parted.stages.clear();
  for (const Stage& stage : strategy.stages) {
    const auto* const pass = std::get_if<PassStage>(&stage);
    if (pass == nullptr) {
      parted.stages.push_back(stage);
    } else if (pass->axes.empty()) {
      parted.stages.emplace_back(PassStage{});
    } else if (names_only(pass->choice, library)) {
      PassStage one{pass->axes};
      one.choice.engines = {library};
      one.choice.is_whole = pass->choice.is_whole;
      parted.stages.emplace_back(std::move(one));
    } else {
      for (const int axis : pass->axes) parted.stages.emplace_back(PassStage{{axis}});
    }
  }
  return parted;
}

}  // namespace weft
