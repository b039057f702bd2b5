// grid/cutting: what an exchange moves, cut into cells, so that some of it can be on its way while
// the rest is still, or already, computed.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/box.hpp"

namespace weft {

/// Every giver's boxes are cut into source_parts along source_axis: what can leave after a part of
/// its computing. Every taker's boxes are cut into target_parts along target_axis: what must be
/// there for a part of its computing. A cell is one of each. Where both axes are the same and the
/// boxes have the same range along it, only source_parts of the cells hold anything.
struct Cutting {
  int source_axis = 0, source_parts = 1;
  int target_axis = 0, target_parts = 1;

  int cells() const { return source_parts * target_parts; }
  /// What the first parts of takers need comes first.
  int cell(int source_part, int target_part) const {
    return target_part * source_parts + source_part;
  }
  int source_part(int cell) const { return cell % source_parts; }
  int target_part(int cell) const { return cell / source_parts; }
  /// The way back.
  Cutting reversed() const { return {target_axis, target_parts, source_axis, source_parts}; }

  friend bool operator==(const Cutting&, const Cutting&) = default;
};

/// Where `boxes` are cut into `parts` along `axis`: indices of the grid, ascending.
std::vector<std::int64_t> cut_positions(const std::vector<Box>& boxes, int axis, int parts);

/// A part of `box`, and which one.
struct BoxPart {
  int part;
  Box box;
};
/// The parts of `region`, which lies in `whole`, when `whole` is cut into `parts` along `axis`.
std::vector<BoxPart> parts_of_region(const Box& region, const Box& whole, int axis, int parts);

}  // namespace weft
