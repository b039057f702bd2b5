// model/pass_grouping: which of the axes that are transformed at one place share a pass.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "weft/model/layout_candidates.hpp"

namespace weft {

/// Groups the axes of a search into passes, and counts what these walk over memory.
class PassGrouping {
 public:
  /// `view` must outlive the grouping.
  explicit PassGrouping(const SearchView& view) : view_(&view) {}

  /// The passes over `axes`, in this order. Consecutive axes share a pass while a tile that spans
  /// them fits the cache of a core, or, if that saves a pass, a few times as much: a tile is
  /// transformed in groups of lines that fit. Of as many passes, those with the smallest tiles.
  const std::vector<PassStage>& passes(const std::vector<int>& axes) const;
  /// How many passes there would be if no tile exceeded the cache of a core.
  std::size_t passes_in_private_cache(const std::vector<int>& axes) const;
  /// Walks over memory that lines longer than a cache take beyond one for each pass.
  double walks_of_long_lines(const std::vector<int>& axes) const;

 private:
  std::int64_t element_bytes() const;
  std::int64_t first_bytes(int axis) const;
  bool has_many_tiles(std::int64_t bytes) const;
  std::vector<std::int64_t> rooms(const std::vector<int>& axes) const;
  std::vector<PassStage> passes_in(std::int64_t room, const std::vector<int>& axes) const;

  const SearchView* view_;
  mutable std::map<std::vector<int>, std::vector<PassStage>> known_;  // by axes
};

}  // namespace weft
