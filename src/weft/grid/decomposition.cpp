// grid/decomposition: builds decompositions, and checks that boxes tile the grid.

#include "weft/grid/decomposition.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "weft/base/checked.hpp"
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
        "give every box one range for each axis of the grid");
  if (!owned.box.empty() && intersect(owned.box, whole) != owned.box)
    throw Error(Error::invalid,
                fmt::format("the {} box {} of rank {} extends beyond the grid {}", name,
                            to_string(owned.box), owned.owner, to_string(extents)),
                "boxes are 0-based and half-open: hi is at most the extent");
}

// Two of these boxes that overlap, if any do.
std::optional<std::pair<Owned, Owned>> first_overlap(const std::vector<Owned>& all) {
  std::vector<Box> boxes;
  boxes.reserve(all.size());
  for (const Owned& owned : all) boxes.push_back(owned.box);
  const BoxIndex index(std::move(boxes));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const std::size_t j : index.overlapping(all[i].box))
      if (j > i) return std::pair(all[i], all[j]);
  return std::nullopt;
}

void require_disjoint(const std::vector<Owned>& all, const std::string& name) {
  const auto overlap = first_overlap(all);
  if (!overlap) return;
  const auto& [one, other] = *overlap;
  const auto [low, high] = std::minmax(one.owner, other.owner);
  throw Error(Error::invalid,
              fmt::format("the {} boxes overlap: ranks {} and {} both own {}", name, low, high,
                          to_string(intersect(one.box, other.box))),
              "boxes are half-open, so one rank's hi is the next one's lo");
}

// The points of `boxes` that are not in `removed`, as boxes.
std::vector<Box> subtract(const std::vector<Box>& boxes, const Box& removed) {
  std::vector<Box> remaining;
  for (Box box : boxes) {
    const Box both = intersect(box, removed);
    if (both.empty()) {
      remaining.push_back(box);
      continue;
    }
    for (int a = 0; a < box.axes(); ++a) {
      Box below = box, above = box;
      below.hi[a] = both.lo[a];
      above.lo[a] = both.hi[a];
      if (!below.empty()) remaining.push_back(below);
      if (!above.empty()) remaining.push_back(above);
      box.set(a, both.range(a));
    }
  }
  return remaining;
}

// Whether boxes that lie inside of the grid and do not overlap have all of its points.
bool have_all_points(const Extents& extents, const std::vector<Owned>& all) {
  std::int64_t points = 0;
  for (const Owned& owned : all) points += owned.box.volume();
  return points == volume(extents);
}

// Whether the boxes would tile the grid if the bounds that are given were the last points, and not
// one past them.
bool tile_as_inclusive(const Extents& extents, const std::vector<std::vector<Box>>& boxes) {
  std::vector<Owned> all;
  for (std::size_t owner = 0; owner < boxes.size(); ++owner)
    for (Box box : boxes[owner]) {
      for (auto& bound : box.hi) bound = bounded_sum(bound, 1);
      if (!box.empty()) all.push_back({static_cast<int>(owner), box});
    }
  const Box whole = Box::whole(extents);
  const auto is_inside = [&](const Owned& owned) {
    return intersect(owned.box, whole) == owned.box;
  };
  return std::ranges::all_of(all, is_inside) && !first_overlap(all) &&
         have_all_points(extents, all);
}

void require_no_hole(const Extents& extents, const std::vector<Owned>& all,
                     const std::vector<std::vector<Box>>& given, const std::string& name) {
  if (have_all_points(extents, all)) return;
  std::vector<Box> holes{Box::whole(extents)};
  for (const auto& owned : all) holes = subtract(holes, owned.box);
  throw Error(Error::invalid,
              fmt::format("the {} boxes do not cover the grid: none of the {} ranks owns {}", name,
                          given.size(), to_string(holes.front())),
              tile_as_inclusive(extents, given)
                  ? "add 1 to every hi: hi is one past the last point, and not the last point"
                  : "the boxes of all ranks must cover every point of the grid exactly once");
}

// Calls visit(coordinates, intersection of the piece with `box`) for every piece that intersects
// `box`. Along each axis these pieces have consecutive coordinates.
template <class Visit>
void for_each_piece(const ProcessGrid& grid, const Extents& extents, const Box& box,
                    const Visit& visit) {
  const int axes = extents.size();
  Dims first = Dims::filled(axes, 0), last = first;
  for (int a = 0; a < axes; ++a) {
    first[a] = part_of(extents[a], grid.parts[a], box.lo[a]);
    last[a] = part_of(extents[a], grid.parts[a], box.hi[a] - 1);
  }
  Dims at = first;
  Box both = box;
  const auto cut = [&](int a) {
    const Range part = split(extents[a], grid.parts[a], at[a]);
    both.set(a, {std::max(box.lo[a], part.lo), std::min(box.hi[a], part.hi)});
  };
  for (int a = 0; a < axes; ++a) cut(a);
  while (true) {
    visit(at, both);
    int a = axes - 1;
    for (; a >= 0; --a) {
      const bool is_end = at[a] == last[a];
      at[a] = is_end ? first[a] : at[a] + 1;
      cut(a);
      if (!is_end) break;
    }
    if (a < 0) return;
  }
}

}  // namespace

Decomposition Decomposition::on_grid(const Extents& extents, const ProcessGrid& grid, int owners) {
  const bool is_natural = grid.owners.empty();
  ensure(grid.parts.size() == extents.size() &&
             (is_natural ? grid.count() <= owners
                         : grid.count() == static_cast<std::int64_t>(grid.owners.size())),
         to_string(grid), to_string(extents), owners);
  Decomposition decomposition;
  decomposition.extents_ = extents;
  decomposition.grid_ = grid;
  decomposition.owners_ = owners;
  if (!is_natural)
    decomposition.tables_ = std::make_shared<const Tables>(tables_of(grid, extents, owners));
  return decomposition;
}

Decomposition::Tables Decomposition::tables_of(const ProcessGrid& grid, const Extents& extents,
                                               int owners) {
  Tables tables;
  for (std::int64_t piece = 0; piece < grid.count(); ++piece) {
    const int owner = grid.owner(piece);
    ensure(owner >= 0 && owner < owners, owner, owners);
    if (!grid.box(extents, piece).empty()) tables.pieces.push_back(piece);
  }
  std::ranges::stable_sort(tables.pieces, {},
                           [&](std::int64_t piece) { return grid.owner(piece); });
  for (const std::int64_t piece : tables.pieces)
    if (tables.holders.empty() || tables.holders.back() != grid.owner(piece))
      tables.holders.push_back(grid.owner(piece));
  return tables;
}

Decomposition::Tables Decomposition::tables_of(std::vector<std::vector<Box>> boxes) {
  Tables tables;
  std::vector<Box> all;
  for (std::size_t owner = 0; owner < boxes.size(); ++owner) {
    const std::vector<Box>& mine = boxes[owner];
    if (!mine.empty()) tables.holders.push_back(static_cast<int>(owner));
    for (std::size_t i = 0; i < mine.size(); ++i) {
      all.push_back(mine[i]);
      tables.places.emplace_back(static_cast<int>(owner), static_cast<int>(i));
    }
  }
  tables.index = BoxIndex(std::move(all));
  tables.boxes = std::move(boxes);
  return tables;
}

const Decomposition::Tables& Decomposition::tables() const {
  static const Tables none;
  return tables_ ? *tables_ : none;
}

std::span<const std::int64_t> Decomposition::pieces(int owner) const {
  const auto range = std::ranges::equal_range(
      tables().pieces, owner, {}, [this](std::int64_t piece) { return grid_->owner(piece); });
  return {range.begin(), range.end()};
}

std::vector<Box> Decomposition::boxes(int owner) const {
  if (!grid_) return tables().boxes[static_cast<std::size_t>(owner)];
  std::vector<Box> boxes;
  if (!is_natural()) {
    for (const std::int64_t piece : pieces(owner)) boxes.push_back(grid_->box(extents_, piece));
  } else if (const Box box = grid_->box(extents_, owner); !box.empty()) {
    boxes.push_back(box);
  }
  return boxes;
}

std::int64_t Decomposition::holders() const {
  return is_natural() ? grid_->count() : std::ssize(tables().holders);
}

int Decomposition::holder(std::int64_t i) const {
  return is_natural() ? static_cast<int>(i) : tables().holders[static_cast<std::size_t>(i)];
}

bool operator==(const Decomposition& a, const Decomposition& b) {
  if (a.extents_ != b.extents_ || a.owners_ != b.owners_) return false;
  if (a.tables_ && a.tables_ == b.tables_) return true;
  if (a.grid_ && a.grid_ == b.grid_) return true;
  for (int owner = 0; owner < a.owners_; ++owner)
    if (a.boxes(owner) != b.boxes(owner)) return false;
  return true;
}

Decomposition Decomposition::of_boxes(const Extents& extents, std::vector<std::vector<Box>> boxes,
                                      const std::string& name) {
  return checked(extents, std::move(boxes), name, true);
}

Decomposition Decomposition::of_parts(const Extents& extents, std::vector<std::vector<Box>> boxes,
                                      const std::string& name) {
  return checked(extents, std::move(boxes), name, false);
}

Decomposition Decomposition::checked(const Extents& extents, std::vector<std::vector<Box>> boxes,
                                     const std::string& name, bool covers) {
  const int owners = static_cast<int>(boxes.size());
  return with_context(
      [&] {
        return fmt::format("checking the {} decomposition of {} over {} rank{}", name,
                           to_string(extents), owners, owners == 1 ? "" : "s");
      },
      [&] {
        std::vector<Owned> all;
        for (int owner = 0; owner < owners; ++owner) {
          for (const Box& box : boxes[static_cast<std::size_t>(owner)]) {
            require_inside(extents, {owner, box}, name);
            if (!box.empty()) all.push_back({owner, box});
          }
        }
        require_disjoint(all, name);
        if (covers) require_no_hole(extents, all, boxes, name);
        for (auto& mine : boxes) std::erase_if(mine, [](const Box& box) { return box.empty(); });
        Decomposition decomposition;
        decomposition.is_of_parts_ = !covers;
        decomposition.extents_ = extents;
        decomposition.owners_ = owners;
        decomposition.tables_ = std::make_shared<const Tables>(tables_of(std::move(boxes)));
        return decomposition;
      });
}

std::int64_t Decomposition::volume(int owner) const {
  std::int64_t points = 0;
  for (const Box& box : boxes(owner)) points += box.volume();
  return points;
}

std::int64_t Decomposition::largest_volume() const {
  if (is_natural()) return volume(0);  // the remainder goes to the lowest ranks
  std::int64_t most = 0;
  for (const int owner : tables().holders) most = std::max(most, volume(owner));
  return most;
}

bool Decomposition::is_whole(int axis) const {
  if (grid_) return grid_->parts[axis] == 1 || extents_[axis] == 1;
  for (const auto& mine : tables().boxes)
    for (const Box& box : mine)
      if (box.extent(axis) != extents_[axis]) return false;
  return true;
}

void Decomposition::for_each_overlap(const Box& box,
                                     const std::function<void(int, int, const Box&)>& visit) const {
  if (box.empty()) return;
  if (!grid_) {
    for (const std::size_t i : tables().index.overlapping(box)) {
      const auto [owner, number] = tables().places[i];
      const Box& theirs =
          tables().boxes[static_cast<std::size_t>(owner)][static_cast<std::size_t>(number)];
      visit(owner, number, intersect(box, theirs));
    }
    return;
  }
  struct Found {
    int owner, number;
    Box box;
  };
  std::vector<Found> all;
  for_each_piece(*grid_, extents_, box, [&](const Dims& at, const Box& both) {
    const std::int64_t piece = grid_->piece(at);
    const int owner = grid_->owner(piece);
    if (is_natural()) {
      visit(owner, 0, both);
      return;
    }
    const auto theirs = pieces(owner);
    const auto number = std::lower_bound(theirs.begin(), theirs.end(), piece) - theirs.begin();
    all.push_back({owner, static_cast<int>(number), both});
  });
  std::sort(all.begin(), all.end(), [](const Found& a, const Found& b) {
    return std::tie(a.owner, a.number) < std::tie(b.owner, b.number);
  });
  for (const Found& found : all) visit(found.owner, found.number, found.box);
}

std::string to_string(const Decomposition& decomposition) {
  if (decomposition.grid()) return to_string(*decomposition.grid());
  return fmt::format("boxes of {} ranks", decomposition.owners());
}

}  // namespace weft
