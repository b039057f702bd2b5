// grid/decomposition: the boxes that each owner owns.
// Keeps: tiling - the boxes are disjoint and, except for of_parts, cover the grid.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weft/grid/box_index.hpp"
#include "weft/grid/factorizations.hpp"

namespace weft {

/// The boxes that each owner (a rank) owns. An owner has several boxes where the grid is divided
/// into more boxes than there are owners, and none where it has no part in the field.
class Decomposition {
 public:
  Decomposition() = default;

  /// The pieces of a process grid, each owned by its rank.
  static Decomposition on_grid(const Extents& extents, const ProcessGrid& grid, int owners);

  /// Any boxes, boxes[owner][i]. Empty boxes are dropped. `name` is what an error message calls
  /// this decomposition, for example "input".
  /// Errors: Error::invalid, with the owners and the region, if a box extends beyond the grid, if
  /// two boxes overlap, or if the boxes do not cover the grid.
  static Decomposition of_boxes(const Extents& extents, std::vector<std::vector<Box>> boxes,
                                const std::string& name);

  /// The same for boxes that need not cover the grid.
  static Decomposition of_parts(const Extents& extents, std::vector<std::vector<Box>> boxes,
                                const std::string& name);

  const Extents& extents() const { return extents_; }
  /// Whether of_parts made it.
  bool is_of_parts() const { return is_of_parts_; }
  int owners() const { return owners_; }
  /// The boxes of `owner`. On a process grid they are computed and not stored, because a planner
  /// compares hundreds of grids of thousands of ranks.
  std::vector<Box> boxes(int owner) const;
  /// The process grid, if the decomposition was made on one.
  const std::optional<ProcessGrid>& grid() const { return grid_; }
  /// Whether it was made on a process grid without a table: piece i is with owner i.
  bool is_natural() const { return grid_ && grid_->owners.empty(); }
  std::int64_t volume(int owner) const;
  std::int64_t largest_volume() const;
  /// The number of owners that own boxes, and the i-th of these owners in ascending order. On a
  /// process grid with one piece per rank, owners of pieces without points are included.
  std::int64_t holders() const;
  int holder(std::int64_t i) const;
  /// Whether every box spans all of `axis`.
  bool is_whole(int axis) const;

  /// Calls visit(owner, i, region) for every box i of an owner that intersects `box`, in ascending
  /// order of the owner, then of i.
  void for_each_overlap(const Box& box,
                        const std::function<void(int, int, const Box&)>& visit) const;

  /// Compares the boxes, not how they were given.
  friend bool operator==(const Decomposition& a, const Decomposition& b);

 private:
  // Copies share these tables: with many ranks they are long, and a plan has many decompositions.
  struct Tables {
    std::vector<std::int64_t> pieces;     // on a grid: pieces with points, by owner
    std::vector<std::vector<Box>> boxes;  // without a grid, by owner
    std::vector<int> holders;
    BoxIndex index;                           // without a grid: of all boxes, by owner
    std::vector<std::pair<int, int>> places;  // of the same boxes, their owner and number
  };

  static Tables tables_of(const ProcessGrid& grid, const Extents& extents, int owners);
  static Tables tables_of(std::vector<std::vector<Box>> boxes);
  static Decomposition checked(const Extents& extents, std::vector<std::vector<Box>> boxes,
                               const std::string& name, bool covers);
  const Tables& tables() const;
  std::span<const std::int64_t> pieces(int owner) const;

  Extents extents_;
  int owners_ = 0;
  bool is_of_parts_ = false;
  std::optional<ProcessGrid> grid_;
  std::shared_ptr<const Tables> tables_;  // null if is_natural(), and of no grid
};

/// "4x1x1" or "4x2x1 on 0-3,0-3" for a process grid, "boxes of 6 ranks" otherwise.
std::string to_string(const Decomposition& decomposition);

}  // namespace weft
