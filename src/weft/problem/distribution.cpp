// problem/distribution: checks how a field is distributed, and finds which rank owns what.

#include "weft/problem/distribution.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/dims_text.hpp"

namespace weft {

namespace {

// The axes that a distribution of this form divides.
std::vector<int> axes_divided_by(Distribution::Form form, int axes) {
  const int count = form == Distribution::slab     ? 1
                    : form == Distribution::pencil ? std::max(1, std::min(2, axes - 1))
                                                   : axes;
  std::vector<int> divided;
  divided.reserve(static_cast<std::size_t>(count));
  for (int a = 0; a < count; ++a) divided.push_back(a);
  return divided;
}

void check_storage(const Storage& storage, const Extents& extents, const std::string& name) {
  std::vector<int> sorted = storage.order, all(static_cast<std::size_t>(extents.size()));
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  if (!sorted.empty() && sorted != all)
    throw Error(Error::invalid,
                fmt::format("the storage order of the {} is {}, not all axes of {}, each once",
                            name, fmt::join(storage.order, ","), to_string(extents)),
                fmt::format("give the axes 0 to {}, the slowest first", extents.size() - 1));
  for (const Dims* ghosts : {&storage.before, &storage.after}) {
    if (ghosts->empty()) continue;
    if (ghosts->size() != extents.size())
      throw Error(Error::invalid,
                  fmt::format("the {} has ghost points for {} axes, but {} has {}", name,
                              ghosts->size(), to_string(extents), extents.size()),
                  "give one number for every axis");
    // How many elements an array may have, UserArray::of checks.
    constexpr std::int64_t most = 1 << 20;
    for (int axis = 0; axis < extents.size(); ++axis) {
      const std::int64_t points = (*ghosts)[axis];
      if (points < 0 || points > most)
        throw Error(Error::invalid,
                    fmt::format("the {} has {} ghost points along axis {}", name, points, axis),
                    fmt::format("give 0 to {}", most));
    }
  }
}

}  // namespace

// A grid that nothing reads, or boxes that nothing reads, are mistakes.
void check_distribution(const Distribution& distribution, const Extents& extents,
                        const std::string& name) {
  const Distribution::Form form = distribution.form;
  if (form == Distribution::same && name == "input")
    throw Error(Error::invalid, "the input cannot be distributed as 'same'",
                "one of: free, slab, pencil, brick, boxes");
  const bool has_boxes = distribution.is_of_mine() || !distribution.boxes_of_rank().empty();
  if (form == Distribution::boxes && !has_boxes)
    throw Error(Error::invalid, fmt::format("the {} has the form 'boxes', but no boxes", name),
                "make it with Distribution::of_boxes or Distribution::of_my_boxes");
  if (form != Distribution::boxes && has_boxes)
    throw Error(Error::invalid,
                fmt::format("the {} has boxes, but the form '{}'", name, to_string(form)),
                "leave the form as Distribution::of_boxes or of_my_boxes makes it");
  check_storage(distribution.storage, extents, name);
  if (distribution.grid.empty()) return;
  const bool has_grid = form == Distribution::pencil || form == Distribution::brick;
  const std::size_t divided = has_grid ? axes_divided_by(form, extents.size()).size() : 0;
  if (static_cast<std::size_t>(distribution.grid.size()) != divided)
    throw Error(
        Error::invalid,
        fmt::format("the {} has the grid {}, but as '{}' of {} it has {} divided axes", name,
                    to_string(distribution.grid), to_string(form), to_string(extents), divided),
        divided == 0 ? "give a grid for the forms pencil and brick only"
                     : fmt::format("give a grid of {} numbers", divided));
}

void check_grid(const Dims& grid, int count, const std::string& what) {
  for (auto part : grid)
    if (part < 1)
      throw Error(Error::invalid,
                  fmt::format("the grid {} has {} ranks along an axis", to_string(grid), part),
                  "every number must be at least 1");
  if (checked_volume(grid) != count)
    throw Error(Error::invalid,
                fmt::format("the grid {} has {} parts for {} {}{}", to_string(grid),
                            volume_text(grid), count, what, count == 1 ? "" : "s"),
                fmt::format("give numbers whose product is {}", count));
}

Decomposition resolve(const Distribution& distribution, const Extents& extents, int ranks,
                      const std::string& name) {
  if (distribution.form == Distribution::boxes) {
    const auto& of_rank = distribution.boxes_of_rank();
    if (static_cast<int>(of_rank.size()) != ranks)
      throw Error(Error::invalid,
                  fmt::format("the {} lists boxes for {} ranks, but there are {}", name,
                              of_rank.size(), ranks),
                  "give one list for every rank; the list may be empty");
    return distribution.is_of_parts() ? Decomposition::of_parts(extents, of_rank, name)
                                      : Decomposition::of_boxes(extents, of_rank, name);
  }
  const std::vector<int> divided = axes_divided_by(distribution.form, extents.size());
  ProcessGrid grid{balanced_factorization(ranks, extents, divided)};
  if (distribution.grid.size() == static_cast<int>(divided.size())) {
    check_grid(distribution.grid, ranks);
    for (std::size_t i = 0; i < divided.size(); ++i)
      grid.parts[divided[i]] = distribution.grid[static_cast<int>(i)];
  }
  return Decomposition::on_grid(extents, grid, ranks);
}

Distribution Distribution::of_boxes(std::vector<std::vector<Box>> of_rank) {
  Distribution made(boxes);
  made.of_rank_ = SharedList(std::move(of_rank));
  return made;
}

Distribution Distribution::of_parts(std::vector<std::vector<Box>> of_rank,
                                    std::vector<UserArray> arrays) {
  Distribution made = of_boxes(std::move(of_rank));
  made.arrays_of_rank_ = SharedList(std::move(arrays));
  made.is_of_parts_ = true;
  return made;
}

Distribution Distribution::of_my_boxes(std::vector<Box> mine, UserArray array) {
  Distribution made = of_my_boxes(std::move(mine));
  made.my_array_ = std::move(array);
  return made;
}

Distribution Distribution::gathered(std::vector<std::vector<Box>> of_rank,
                                    std::vector<UserArray> arrays) const {
  Distribution made = of_boxes(std::move(of_rank));
  made.storage = storage;
  made.arrays_of_rank_ = SharedList(std::move(arrays));
  made.is_of_parts_ = is_of_parts_;
  return made;
}

Distribution Distribution::of_my_boxes(std::vector<Box> mine) {
  Distribution made(boxes);
  made.mine_ = std::move(mine);
  made.is_of_mine_ = true;
  return made;
}

}  // namespace weft
