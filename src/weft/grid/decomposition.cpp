// grid/decomposition: building decompositions, and the check that boxes tile the grid.

#include "weft/grid/decomposition.hpp"

#include <algorithm>

#include "weft/grid/split.hpp"

namespace weft {

namespace {

struct Owned {
  int owner;
  Box box;
};

void require_inside(const Extents& extents, const Owned& owned, const std::string& name) {
  const Box whole = Box::whole(extents);
  if (owned.box.axes() != extents.size())
    throw Error(
        Error::invalid,
        fmt::format("rank {} has an {} box with {} axes, but the grid {} has {}", owned.owner, name,
                    owned.box.axes(), to_string(extents), extents.size()),
        "give every box one range per axis of the grid");
  if (!owned.box.empty() && intersect(owned.box, whole) != owned.box)
    throw Error(Error::invalid,
                fmt::format("the {} box {} of rank {} leaves the grid {}", name,
                            to_string(owned.box), owned.owner, to_string(extents)),
                "boxes are 0-based and half-open: hi is at most the extent");
}

// Sorted by their first index, boxes that overlap are found by looking ahead until a box starts
// beyond the end of the current one.
void require_disjoint(std::vector<Owned>& all, const std::string& name) {
  std::sort(all.begin(), all.end(),
            [](const Owned& a, const Owned& b) { return a.box.lo[0] < b.box.lo[0]; });
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size() && all[j].box.lo[0] < all[i].box.hi[0]; ++j) {
      const Box both = intersect(all[i].box, all[j].box);
      if (both.empty()) continue;
      const auto [low, high] = std::minmax(all[i].owner, all[j].owner);
      throw Error(Error::invalid,
                  fmt::format("the {} boxes overlap: ranks {} and {} both own {}", name, low, high,
                              to_string(both)),
                  "boxes are half-open, so one rank's hi is the next one's lo");
    }
}

// What is left of `pieces` without `cut`.
std::vector<Box> subtract(const std::vector<Box>& pieces, const Box& cut) {
  std::vector<Box> rest;
  for (Box piece : pieces) {
    const Box both = intersect(piece, cut);
    if (both.empty()) {
      rest.push_back(piece);
      continue;
    }
    for (int a = 0; a < piece.axes(); ++a) {
      Box below = piece, above = piece;
      below.hi[a] = both.lo[a];
      above.lo[a] = both.hi[a];
      if (!below.empty()) rest.push_back(below);
      if (!above.empty()) rest.push_back(above);
      piece.set(a, both.range(a));
    }
  }
  return rest;
}

void require_no_hole(const Extents& extents, const std::vector<Owned>& all, int owners,
                     const std::string& name) {
  std::int64_t covered = 0;
  for (const auto& owned : all) covered += owned.box.volume();
  if (covered == volume(extents)) return;
  std::vector<Box> holes{Box::whole(extents)};
  for (const auto& owned : all) holes = subtract(holes, owned.box);
  throw Error(Error::invalid,
              fmt::format("the {} boxes leave a hole: none of the {} ranks owns {}", name, owners,
                          to_string(holes.front())),
              "together the boxes of all ranks must cover every point of the grid once");
}

}  // namespace

Decomposition Decomposition::on_grid(const Extents& extents, const ProcessGrid& grid, int owners) {
  ensure(grid.count() <= owners && grid.parts.size() == extents.size(), to_string(grid.parts),
         to_string(extents), owners);
  Decomposition decomposition;
  decomposition.extents_ = extents;
  decomposition.grid_ = grid;
  decomposition.owners_ = owners;
  return decomposition;
}

std::vector<Box> Decomposition::boxes(int owner) const {
  if (!grid_) return boxes_[static_cast<std::size_t>(owner)];
  const Box box = grid_->box(extents_, owner);
  return box.empty() ? std::vector<Box>{} : std::vector<Box>{box};
}

bool operator==(const Decomposition& a, const Decomposition& b) {
  if (a.extents_ != b.extents_ || a.owners_ != b.owners_) return false;
  if (a.grid_ && a.grid_ == b.grid_) return true;
  for (int owner = 0; owner < a.owners_; ++owner)
    if (a.boxes(owner) != b.boxes(owner)) return false;
  return true;
}

Decomposition Decomposition::of_boxes(const Extents& extents, std::vector<std::vector<Box>> boxes,
                                      const std::string& name) {
  const int owners = static_cast<int>(boxes.size());
  return with_context(
      [&] {
        return fmt::format("checking the {} decomposition of {} over {} rank{}", name,
                           to_string(extents), owners, owners == 1 ? "" : "s");
      },
      [&] {
        std::vector<Owned> all;
        for (int owner = 0; owner < owners; ++owner) {
          auto& mine = boxes[static_cast<std::size_t>(owner)];
          for (const Box& box : mine) require_inside(extents, {owner, box}, name);
          std::erase_if(mine, [](const Box& box) { return box.empty(); });
          for (const Box& box : mine) all.push_back({owner, box});
        }
        require_disjoint(all, name);
        require_no_hole(extents, all, owners, name);
        Decomposition decomposition;
        decomposition.extents_ = extents;
        decomposition.owners_ = owners;
        decomposition.boxes_ = std::move(boxes);
        return decomposition;
      });
}

std::int64_t Decomposition::volume(int owner) const {
  if (grid_) return grid_->box(extents_, owner).volume();
  std::int64_t points = 0;
  for (const Box& box : boxes_[static_cast<std::size_t>(owner)]) points += box.volume();
  return points;
}

std::int64_t Decomposition::largest_volume() const {
  if (grid_) return volume(0);  // the remainder goes to the lowest ranks
  std::int64_t most = 0;
  for (int owner = 0; owner < owners(); ++owner) most = std::max(most, volume(owner));
  return most;
}

bool Decomposition::is_whole(int axis) const {
  if (grid_) return grid_->parts[axis] == 1 || extents_[axis] == 1;
  for (const auto& mine : boxes_)
    for (const Box& box : mine)
      if (box.extent(axis) != extents_[axis]) return false;
  return true;
}

void Decomposition::for_each_overlap(const Box& box,
                                     const std::function<void(int, int, const Box&)>& visit) const {
  if (box.empty()) return;
  if (!grid_) {
    for (int owner = 0; owner < owners(); ++owner) {
      const auto& mine = boxes_[static_cast<std::size_t>(owner)];
      for (std::size_t i = 0; i < mine.size(); ++i) {
        const Box both = intersect(box, mine[i]);
        if (!both.empty()) visit(owner, static_cast<int>(i), both);
      }
    }
    return;
  }
  // On a process grid the owners of a region are a range of coordinates per axis.
  const int axes = extents_.size();
  Dims first = Dims::filled(axes, 0), last = first;
  for (int a = 0; a < axes; ++a) {
    first[a] = part_of(extents_[a], grid_->parts[a], box.lo[a]);
    last[a] = part_of(extents_[a], grid_->parts[a], box.hi[a] - 1);
  }
  Dims at = first;
  while (true) {
    Box both = box;
    for (int a = 0; a < axes; ++a) {
      const Range part = split(extents_[a], grid_->parts[a], at[a]);
      both.set(a, {std::max(box.lo[a], part.lo), std::min(box.hi[a], part.hi)});
    }
    visit(static_cast<int>(grid_->rank(at)), 0, both);
    int a = axes - 1;
    for (; a >= 0; --a) {
      if (++at[a] <= last[a]) break;
      at[a] = first[a];
    }
    if (a < 0) return;
  }
}

std::string to_string(const Decomposition& decomposition) {
  if (decomposition.grid()) return to_string(decomposition.grid()->parts);
  return fmt::format("boxes of {} ranks", decomposition.owners());
}

}  // namespace weft
