// problem/ghosts: intersects boxes and their ghost points with the boxes of all ranks.

#include "weft/problem/ghosts.hpp"

#include <algorithm>
#include <utility>

namespace weft {

namespace {

Dims plus(Dims a, const Dims& b, std::int64_t times = 1) {
  for (int axis = 0; axis < a.size(); ++axis) a[axis] += times * b[axis];
  return a;
}

Dims or_zeros(const Dims& ghosts, int axes) {
  return ghosts.empty() ? Dims::filled(axes, 0) : ghosts;
}

// Some boxes of one rank, and where they lie in its array.
struct Parts {
  std::vector<std::vector<Box>> boxes;
  std::vector<UserArray> arrays;
};

class Builder {
 public:
  Builder(const Decomposition& at, const Storage& storage, const std::vector<bool>& periodic)
      : at_(at),
        periodic_(periodic),
        before_(or_zeros(storage.before, at.extents().size())),
        after_(or_zeros(storage.after, at.extents().size())) {
    for (int rank = 0; rank < at.owners(); ++rank) {
      boxes_.push_back(at.boxes(rank));
      arrays_.push_back(UserArray::of(boxes_.back(), storage, 1));
    }
    for (Parts* const side : {&from_, &to_}) {
      side->boxes.resize(boxes_.size());
      for (const UserArray& array : arrays_) {
        UserArray& empty = side->arrays.emplace_back();
        empty.elements = empty.field_stride = array.elements;
      }
    }
  }

  GhostParts build() {
    for (std::size_t rank = 0; rank < boxes_.size(); ++rank)
      for (std::size_t i = 0; i < boxes_[rank].size(); ++i, ++number_) add_ghosts_of(rank, i);
    GhostParts parts;
    parts.extents = plus(plus(at_.extents(), before_), after_);
    parts.extents.insert(0, std::max<std::int64_t>(1, number_));
    parts.from = Distribution::of_parts(std::move(from_.boxes), std::move(from_.arrays));
    parts.to = Distribution::of_parts(std::move(to_.boxes), std::move(to_.arrays));
    return parts;
  }

 private:
  void add_ghosts_of(std::size_t rank, std::size_t i) {
    const Box& box = boxes_[rank][i];
    const Box whole{plus(box.lo, before_, -1), plus(box.hi, after_)};
    add_periods(rank, i, whole, 0, Dims::filled(whole.axes(), 0));
  }

  // For every number of periods by which ghost points may lie beyond the grid.
  void add_periods(std::size_t rank, std::size_t i, const Box& whole, int axis, Dims periods) {
    if (axis == whole.axes()) {
      add_overlaps(rank, i, whole, periods);
      return;
    }
    const bool wraps = periodic_[static_cast<std::size_t>(axis)];
    for (std::int64_t period = wraps ? -1 : 0; period <= (wraps ? 1 : 0); ++period) {
      periods[axis] = period * at_.extents()[axis];
      add_periods(rank, i, whole, axis + 1, periods);
    }
  }

  void add_overlaps(std::size_t rank, std::size_t i, const Box& whole, const Dims& moved) {
    const Box seen{plus(whole.lo, moved, -1), plus(whole.hi, moved, -1)};
    const bool is_here = moved == Dims::filled(moved.size(), 0);
    at_.for_each_overlap(
        intersect(seen, Box::whole(at_.extents())), [&](int owner, int j, const Box& region) {
          const auto source = static_cast<std::size_t>(owner), number = static_cast<std::size_t>(j);
          if (is_here && source == rank && number == i) return;  // its own points
          const Box ghosts{plus(region.lo, moved), plus(region.hi, moved)};
          add(from_, source, number, region, ghosts);
          add(to_, rank, i, ghosts, ghosts);
        });
  }

  // Adds the points `region` of a box, or around it, as the part `ghosts` of the box at hand.
  void add(Parts& side, std::size_t rank, std::size_t i, const Box& region, const Box& ghosts) {
    Box part{plus(ghosts.lo, before_), plus(ghosts.hi, before_)};
    part.lo.insert(0, number_);
    part.hi.insert(0, number_ + 1);
    Layout layout = arrays_[rank].layouts[i];
    const std::int64_t offset =
        arrays_[rank].offsets[i] + layout.at(plus(region.lo, boxes_[rank][i].lo, -1));
    layout.extents = part.extents();
    layout.strides.insert(0, std::max<std::int64_t>(1, arrays_[rank].elements));
    side.boxes[rank].push_back(part);
    side.arrays[rank].layouts.push_back(layout);
    side.arrays[rank].offsets.push_back(offset);
  }

  const Decomposition& at_;
  const std::vector<bool>& periodic_;
  Dims before_, after_;
  std::vector<std::vector<Box>> boxes_;  // by rank
  std::vector<UserArray> arrays_;
  Parts from_, to_;
  std::int64_t number_ = 0;  // of the box at hand
};

}  // namespace

GhostParts ghost_parts(const Decomposition& at, const Storage& storage,
                       const std::vector<bool>& periodic) {
  return Builder(at, storage, periodic).build();
}

}  // namespace weft
