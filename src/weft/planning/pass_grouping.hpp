// planning/pass_grouping: which of the axes that are transformed at one place share a pass.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "weft/machine/machine.hpp"
#include "weft/planning/strategy.hpp"
#include "weft/problem/axis_transform.hpp"

namespace weft {

/// Groups the axes of a field into passes, and counts what these walk over memory.
class PassGrouping {
 public:
  /// Both must outlive the grouping.
  PassGrouping(const FieldStates& states, const Machine& machine)
      : states_(&states), machine_(&machine) {}

  /// The passes over `axes`. Axes share a pass while a tile that spans them fits the cache of a
  /// core, or, if that saves a pass, a few times as much: a tile is transformed in groups of lines
  /// that fit. On devices, each axis has a pass of its own, unless tiles stream through them: then
  /// axes share a pass while a tile fits the device. Of as many passes, those with the
  /// smallest tiles are taken, in the order of `axes` unless fewer tiles exceed the cache in
  /// another one.
  const std::vector<PassStage>& passes(const std::vector<int>& axes) const;
  /// Walks over memory that lines longer than a cache, and columns longer than a part of one, take
  /// beyond one for each pass.
  double walks_of_long_lines(const std::vector<int>& axes) const;
  double walks_of_long_lines(int axis) const;
  /// Walks over memory of one pass, however large its tiles are.
  double walks_of(const PassStage& pass) const;
  /// Walks within the shared cache of a pass beside these: one for each axis with which a tile
  /// exceeds the cache of a core, while it takes no more walks over memory.
  int walks_in_shared_cache(const PassStage& pass) const;

 private:
  std::int64_t element_bytes() const;
  std::int64_t first_bytes(int axis) const;
  bool has_rows(int axis) const;
  std::int64_t largest_room() const;
  bool has_many_tiles(std::int64_t bytes) const;
  std::vector<std::int64_t> tiles_of(const PassStage& pass) const;
  std::vector<std::int64_t> rooms(const std::vector<int>& axes) const;
  std::vector<PassStage> fewest_passes(const std::vector<int>& axes) const;
  std::vector<PassStage> passes_in(std::int64_t room, const std::vector<int>& axes) const;

  const FieldStates* states_;
  const Machine* machine_;
  mutable std::map<std::vector<int>, std::vector<PassStage>> known_;  // by axes
};

}  // namespace weft
