// grid/decomposition: for every owner, the boxes it owns.
// Keeps: tiling - the boxes are disjoint and cover the grid.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/grid/box.hpp"
#include "weft/grid/process_grid.hpp"

namespace weft {

/// For every owner (a rank, or later a node), the boxes it owns; several per owner when the grid
/// is cut finer than the owners, none for owners that have nothing to do.
class Decomposition {
 public:
  Decomposition() = default;

  /// The pieces of a process grid, each with its rank; owners of none stay empty.
  static Decomposition on_grid(const Extents& extents, const ProcessGrid& grid, int owners);

  /// Any boxes, boxes[owner][i]; empty boxes are dropped.
  /// Error::invalid, naming owners and region, if a box leaves the grid, two overlap, or there is
  /// a hole. `name` is what the message calls this decomposition ("input").
  static Decomposition of_boxes(const Extents& extents, std::vector<std::vector<Box>> boxes,
                                const std::string& name);

  const Extents& extents() const { return extents_; }
  int owners() const { return owners_; }
  /// The boxes of `owner`. Those of a process grid are computed, not kept: a planner looks at
  /// hundreds of grids of thousands of ranks.
  std::vector<Box> boxes(int owner) const;
  /// The process grid it was made on, if it was.
  const std::optional<ProcessGrid>& grid() const { return grid_; }
  std::int64_t volume(int owner) const;
  std::int64_t largest_volume() const;
  /// How many own something, and the i-th of them, ascending. On a grid of one piece a rank, those
  /// whose piece has no points count.
  std::int64_t holders() const;
  int holder(std::int64_t i) const;
  /// Whether every box spans all of `axis`.
  bool is_whole(int axis) const;

  /// Calls visit(owner, i, region) for every box i of an owner that has points of `box`, owners
  /// ascending, then i ascending.
  void for_each_overlap(const Box& box,
                        const std::function<void(int, int, const Box&)>& visit) const;

  /// The same boxes, however they were made.
  friend bool operator==(const Decomposition& a, const Decomposition& b);

 private:
  bool is_natural() const { return grid_ && grid_->owners.empty(); }
  void list_pieces();
  std::span<const std::int64_t> pieces(int owner) const;

  Extents extents_;
  int owners_ = 0;
  std::optional<ProcessGrid> grid_;
  std::vector<std::int64_t> pieces_;     // of a grid with a table: those with points, by owner
  std::vector<std::vector<Box>> boxes_;  // without a grid
  std::vector<int> holders_;             // without a grid, or with a table
};

/// "4x1x1" or "4x2x1 on 0-3,0-3" for a process grid, "boxes of 6 ranks" otherwise.
std::string to_string(const Decomposition& decomposition);

}  // namespace weft
