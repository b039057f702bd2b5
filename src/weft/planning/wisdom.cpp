// planning/wisdom: entries, and their JSON.

#include "weft/planning/wisdom.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/base/json_text.hpp"
#include "weft/planning/progress.hpp"

namespace weft {

namespace {

constexpr std::array<std::pair<const char*, std::string WisdomKey::*>, 5> key_members{
    {{"problem", &WisdomKey::problem},
     {"options", &WisdomKey::options},
     {"ranks", &WisdomKey::ranks},
     {"machine", &WisdomKey::machine},
     {"versions", &WisdomKey::versions}}};
constexpr std::array<std::pair<const char*, std::string WisdomEntry::*>, 2> text_members{
    {{"strategy", &WisdomEntry::strategy}, {"tuned_at", &WisdomEntry::tuned_at}}};
constexpr std::array<std::pair<const char*, int WisdomEntry::*>, 2> count_members{
    {{"threads", &WisdomEntry::threads}, {"tried", &WisdomEntry::tried}}};
constexpr std::array<std::pair<const char*, std::int64_t WisdomEntry::*>, 2> byte_members{
    {{"cache_bytes", &WisdomEntry::cache_bytes},
     {"shared_cache_bytes", &WisdomEntry::shared_cache_bytes}}};
// Since version 2.
constexpr std::array<std::pair<const char*, std::int64_t WisdomEntry::*>, 2> message_members{
    {{"segment_bytes", &WisdomEntry::segment_bytes},
     {"eager_message_bytes", &WisdomEntry::eager_message_bytes}}};
constexpr std::array<std::pair<const char*, double WisdomEntry::*>, 2> time_members{
    {{"seconds", &WisdomEntry::seconds}, {"untuned_seconds", &WisdomEntry::untuned_seconds}}};

Json json_of(const WisdomEntry& entry) {
  Json json = Json::object();
  for (const auto& [name, member] : key_members) json[name] = entry.key.*member;
  for (const auto& [name, member] : text_members) json[name] = entry.*member;
  for (const auto& [name, member] : count_members) json[name] = entry.*member;
  for (const auto& [name, member] : byte_members) json[name] = entry.*member;
  for (const auto& [name, member] : message_members) json[name] = entry.*member;
  json["progress"] = to_string(entry.progress);
  for (const auto& [name, member] : time_members) json[name] = entry.*member;
  return json;
}

[[noreturn]] void refuse(std::size_t entry, const std::string& what) {
  throw Error(Error::invalid, fmt::format("entry {} of the wisdom {}", entry, what));
}

// The member `name` of an entry, as what `get` makes of it; it takes null for what is not right.
class Members {
 public:
  Members(const Json& json, std::size_t entry) : json_(json), entry_(entry) {
    if (!json.is_object()) refuse(entry, "is not an object");
  }
  const Json& at(const char* name) {
    ++read_;
    if (!json_.contains(name)) refuse(entry_, fmt::format("has no '{}'", name));
    return json_.at(name);
  }
  std::string text(const char* name) {
    const Json& value = at(name);
    if (!value.is_string()) refuse(entry_, fmt::format("has a '{}' that is not a text", name));
    return value.get<std::string>();
  }
  std::int64_t count(const char* name, std::int64_t most) {
    const Json& value = at(name);
    if (!value.is_number_integer() || value.get<double>() < 0 ||
        value.get<double>() > static_cast<double>(most))
      refuse(entry_, fmt::format("has a '{}' that is not an integer from 0 to {}", name, most));
    return value.get<std::int64_t>();
  }
  Progress progress(const char* name) {
    const std::string word = text(name);
    try {
      return parse_progress(word);
    } catch (const Error& error) {
      refuse(entry_, fmt::format("has a '{}' that is wrong: {}", name, error.message()));
    }
  }
  double time(const char* name) {
    const Json& value = at(name);
    const double seconds = value.is_number() ? value.get<double>() : -1;
    if (!(seconds > 0) || !std::isfinite(seconds))
      refuse(entry_, fmt::format("has a '{}' that is not a positive number", name));
    return seconds;
  }
  void require_all_read() const {
    if (json_.size() != read_)
      refuse(entry_, fmt::format("has {} members instead of {}", json_.size(), read_));
  }

 private:
  const Json& json_;
  std::size_t entry_, read_ = 0;
};

WisdomEntry entry_of(const Json& json, std::int64_t version, std::size_t number) {
  constexpr std::int64_t most_count = 1 << 20, most_bytes = std::int64_t{1} << 50;
  Members members(json, number);
  WisdomEntry entry;
  for (const auto& [name, member] : key_members) entry.key.*member = members.text(name);
  for (const auto& [name, member] : text_members) entry.*member = members.text(name);
  for (const auto& [name, member] : count_members)
    entry.*member = static_cast<int>(members.count(name, most_count));
  for (const auto& [name, member] : byte_members) entry.*member = members.count(name, most_bytes);
  if (version > 1) {
    for (const auto& [name, member] : message_members)
      entry.*member = members.count(name, most_bytes);
    entry.progress = members.progress("progress");
  }
  for (const auto& [name, member] : time_members) entry.*member = members.time(name);
  members.require_all_read();
  return entry;
}

}  // namespace

std::size_t Wisdom::KeyHash::operator()(const WisdomKey& key) const {
  std::size_t hash = 0;
  for (const auto& [name, member] : key_members)
    hash = 31 * hash + std::hash<std::string>()(key.*member);
  return hash;
}

std::string gain_text(const WisdomEntry& entry) {
  const auto text = [](double seconds) { return fmt::format("{:.3f} ms", 1e3 * seconds); };
  const std::string tuned = text(entry.seconds), untuned = text(entry.untuned_seconds);
  return fmt::format("there and back {}{}", tuned,
                     tuned == untuned ? ", as without tuning" : " instead of " + untuned);
}

const WisdomEntry* Wisdom::find(const WisdomKey& key) const {
  const auto found = place_of_.find(key);
  return found == place_of_.end() ? nullptr : &entries_[found->second];
}

void Wisdom::learn(WisdomEntry entry) {
  if (place_of_.contains(entry.key)) {
    remove_if([&](const WisdomEntry& each) { return each.key == entry.key; });
  }
  place_of_.emplace(entry.key, entries_.size());
  entries_.push_back(std::move(entry));
}

int Wisdom::learn_newer(const Wisdom& other) {
  Wisdom newer;
  for (const WisdomEntry& entry : other.entries()) {
    const WisdomEntry* mine = find(entry.key);
    if (mine == nullptr || mine->tuned_at < entry.tuned_at) newer.learn(entry);
  }
  remove_if([&](const WisdomEntry& each) { return newer.find(each.key) != nullptr; });
  for (const WisdomEntry& entry : newer.entries()) learn(entry);
  return static_cast<int>(newer.entries().size());
}

int Wisdom::forget(const std::string& text) {
  return remove_if([&](const WisdomEntry& each) {
    return std::any_of(key_members.begin(), key_members.end(), [&](const auto& member) {
      return (each.key.*member.second).find(text) != std::string::npos;
    });
  });
}

int Wisdom::remove_if(const std::function<bool(const WisdomEntry&)>& is_removed) {
  const auto removed = static_cast<int>(std::erase_if(entries_, is_removed));
  place_of_.clear();
  for (const WisdomEntry& entry : entries_) place_of_.emplace(entry.key, place_of_.size());
  return removed;
}

std::string to_text(const Wisdom& wisdom) {
  Json json = {{"weft_wisdom", wisdom_version}, {"entries", Json::array()}};
  for (const WisdomEntry& entry : wisdom.entries()) json["entries"].push_back(json_of(entry));
  return json_text(json, 2) + "\n";
}

Wisdom parse_wisdom(const std::string& text) {
  const Json json = parse_json(text, "");
  if (!json.is_object() || !json.contains("weft_wisdom") ||
      !json.at("weft_wisdom").is_number_integer())
    throw Error(Error::invalid,
                "there is no 'weft_wisdom' with a version, so this is no wisdom of weft");
  const auto version = json.at("weft_wisdom").get<std::int64_t>();
  if (version < 1 || version > wisdom_version)
    throw Error(
        version > wisdom_version ? Error::unsupported : Error::invalid,
        version > wisdom_version
            ? fmt::format("the wisdom is of a newer weft: version {}, and this weft knows {}",
                          version, wisdom_version)
            : fmt::format("there is no version {} of wisdom", version));
  if (json.size() != 2 || !json.contains("entries") || !json.at("entries").is_array())
    throw Error(Error::invalid, "the wisdom does not have just a list of 'entries'");
  Wisdom wisdom;
  for (const Json& entry : json.at("entries")) {
    WisdomEntry known = entry_of(entry, version, wisdom.entries().size());
    if (wisdom.find(known.key) != nullptr)
      refuse(wisdom.entries().size(), "is for the same problem and machine as one before");
    wisdom.learn(std::move(known));
  }
  return wisdom;
}

}  // namespace weft
