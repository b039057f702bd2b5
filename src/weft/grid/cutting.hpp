// grid/cutting: divides the data of an exchange into cells, so that one cell is transferred while
// others are computed.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/grid/box_algebra.hpp"

namespace weft {

/// The boxes of every sender are cut into source_parts along source_axis: a part can be sent as
/// soon as the sender has computed it. The boxes of every receiver are cut into target_parts along
/// target_axis: the receiver can compute a part as soon as that part has arrived. A cell is the
/// intersection of one source part and one target part. Where both axes are the same and the boxes
/// have the same range along it, only source_parts of the cells contain points.
struct Cutting {
  int source_axis = 0, source_parts = 1;
  int target_axis = 0, target_parts = 1;

  int cells() const { return source_parts * target_parts; }
  /// Cells are numbered by target part first: receivers need the lowest numbers first.
  int cell(int source_part, int target_part) const {
    return target_part * source_parts + source_part;
  }
  int source_part(int cell) const { return cell % source_parts; }
  int target_part(int cell) const { return cell / source_parts; }
  /// The cutting of the reversed exchange.
  Cutting reversed() const { return {target_axis, target_parts, source_axis, source_parts}; }

  friend bool operator==(const Cutting&, const Cutting&) = default;
};

/// The indices of the grid at which `boxes` are cut when each is divided into `parts` along `axis`;
/// ascending, without duplicates.
std::vector<std::int64_t> cut_positions(const std::vector<Box>& boxes, int axis, int parts);

/// One part of a box that is cut, and its number.
struct BoxPart {
  int part;
  Box box;
};
/// Divides `region` at the cuts of `whole`, which contains it and is cut into `parts` along `axis`.
std::vector<BoxPart> parts_of_region(const Box& region, const Box& whole, int axis, int parts);

}  // namespace weft
