// planning/wisdom: what was measured to be fastest, for which problems on which machines, as a
// value. Pure. Keeps: print-parse - parse_wisdom(to_text(w)) == w.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/options.hpp"

namespace weft {

/// What a measurement holds for; each is a text that a person can read.
struct WisdomKey {
  std::string problem;   ///< as to_string(Problem) has it
  std::string options;   ///< what the user has fixed; empty: nothing
  std::string ranks;     ///< how many on which nodes, with how many threads
  std::string machine;   ///< the processors and their caches
  std::string versions;  ///< of weft and MPI, and the engines

  friend bool operator==(const WisdomKey&, const WisdomKey&) = default;
};

/// What is fastest for it.
struct WisdomEntry {
  WisdomKey key;
  std::string strategy;
  int threads = 0;  ///< of each rank; 0: as many as a plan takes that is not tuned
  std::int64_t cache_bytes = 1, shared_cache_bytes = 1;  ///< that tiles are made for
  /// Options::segment_bytes and eager_message_bytes; 0: those of a plan that is not tuned.
  std::int64_t segment_bytes = 0, eager_message_bytes = 0;
  Progress progress = Progress::automatic;  ///< automatic: that of a plan that is not tuned
  double seconds = 1, untuned_seconds = 1;  ///< there and back; and of a plan that is not tuned
  int tried = 1;                            ///< the number of plans that were raced
  std::string tuned_at;                     ///< 2026-01-31T12:00:00Z

  friend bool operator==(const WisdomEntry&, const WisdomEntry&) = default;
};

/// What tuning gained: "there and back 12.000 ms instead of 20.000 ms", or "there and back 20.000
/// ms, as without tuning".
std::string gain_text(const WisdomEntry& entry);

/// Entries, at most one for a key, in the order in which they were learned.
class Wisdom {
 public:
  const std::vector<WisdomEntry>& entries() const { return entries_; }
  /// Null if nothing is known for the key.
  const WisdomEntry* find(const WisdomKey& key) const;
  /// Adds the entry as the last, in place of what was known for its key.
  void learn(WisdomEntry entry);
  /// Learns what is newer in `other` than what is known for the same key, or not known. Returns how
  /// many entries these were.
  int learn_newer(const Wisdom& other);
  /// Forgets all entries of which a part of the key contains `text`; an empty text is in all of
  /// them. Returns how many these were.
  int forget(const std::string& text);

  friend bool operator==(const Wisdom& a, const Wisdom& b) { return a.entries_ == b.entries_; }

 private:
  struct KeyHash {
    std::size_t operator()(const WisdomKey& key) const;
  };

  int remove_if(const std::function<bool(const WisdomEntry&)>& is_removed);

  std::vector<WisdomEntry> entries_;
  std::unordered_map<WisdomKey, std::size_t, KeyHash> place_of_;  // in entries_
};

/// The version of the format below. Entries of version 1 have no progress and no sizes of segments
/// and eager messages; they are read as those of plans that are not tuned.
constexpr int wisdom_version = 2;

/// As JSON: {"weft_wisdom": 2, "entries": [...]}, with the members of the structures above.
std::string to_text(const Wisdom& wisdom);

/// Also of version 1. Error::invalid for anything else that to_text does not write, with what is
/// wrong; Error::unsupported if a newer version of weft wrote it.
Wisdom parse_wisdom(const std::string& text);

}  // namespace weft
