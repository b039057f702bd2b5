// planning/pass_choice: how a pass is executed, where there is a choice, as a value.
// Keeps: print-parse - choice_of(words of to_string(c)) == c. A choice changes how long a pass
// takes and the last bits of results, not what is stored where.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// What a plan may measure, and a strategy may state, about a pass. What is not given is chosen by
/// rule.
///
/// As text: "by mkl,weft in columns streamed unprefetched direct-loads".
struct PassChoice {
  /// The engine of each axis of the pass, in the order of PassStage::axes, or one for all axes;
  /// empty: the strategy's engine.
  std::vector<std::string> engines;
  /// Whether lines of the last axis that are columns are transformed as columns ("in columns")
  /// instead of being made contiguous ("in rows"). By rule: as the engine of the axis prefers.
  std::optional<bool> keeps_columns;
  /// Whether stores bypass the cache ("streamed", else "cached"). By rule: if the data do not fit.
  std::optional<bool> streams;
  /// Whether the next tile is prefetched while a tile is transformed ("prefetched", else
  /// "unprefetched"). By rule: if the data do not fit.
  std::optional<bool> prefetches;
  /// Whether the transform of the first axis reads the array itself where a tile, or a group of its
  /// lines, lies in one piece ("direct-loads"), instead of a copy in the cache ("buffered-loads"),
  /// unless these are columns of data beyond the caches;
  /// and whether that of the last axis writes to the array ("direct-stores", "buffered-stores"),
  /// unless stores bypass the cache. Along a single axis, with both, tiles have no copy, or, where
  /// they do not lie in one piece on both sides, two. By rule: compute/direct_rule.
  std::optional<bool> loads_directly, stores_directly;
  /// Whether a library transforms all axes of all that a rank has in one call, with all threads of
  /// the rank ("whole", else "tiled"), instead of tile by tile (making/whole_pass says where it
  /// can). By rule: tile by tile.
  std::optional<bool> is_whole;

  friend bool operator==(const PassChoice&, const PassChoice&) = default;
};

/// Begins with a space, unless nothing is given.
std::string to_string(const PassChoice& choice);

/// Parses the words of a choice. Nothing if they are not such words, or one is there twice.
std::optional<PassChoice> parse_choice(std::span<const std::string> words);

}  // namespace weft
