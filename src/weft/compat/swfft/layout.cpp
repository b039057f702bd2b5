// compat/swfft/layout: the rules by which SWFFT finds process grids that fit into each other.
#include "layout.hpp"

#include <mpi.h>

#include <algorithm>
#include <string>
#include <utility>

#include <weft/error.hpp>

namespace weft::swfft {

namespace {

std::string text(const Triple& numbers) {
  return std::to_string(numbers[0]) + "x" + std::to_string(numbers[1]) + "x" +
         std::to_string(numbers[2]);
}

Grid grid_of(const Triple& ranks, const Triple& points) {
  Grid grid;
  grid.ranks = ranks;
  for (std::size_t a = 0; a < 3; ++a) grid.points[a] = points[a] / ranks[a];
  return grid;
}

Triple divided(int ranks, Triple fixed) {
  MPI_Dims_create(ranks, 3, fixed.data());
  return fixed;
}

// The pencils along one axis, which are divided along two others, `low` before `high`.
struct Pencils {
  std::size_t axis, low, high;
};

constexpr std::array<Pencils, 3> along{{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}}};

bool has_points(const Grid& grid) {
  return *std::min_element(grid.points.begin(), grid.points.end()) > 0;
}

// Whether each cube consists of whole pencils' parts, and points divide. The number of points along
// x is the one that SWFFT looks at.
bool fits(const Grid& pencils, const Pencils& of, const Grid& cubes, const Triple& points) {
  if (!has_points(pencils)) return false;
  for (const std::size_t a : {of.low, of.high})
    if (cubes.points[a] % pencils.points[a] != 0 || points[0] % pencils.ranks[a] != 0) return false;
  return true;
}

// Cubes of p0 x p1 x p2 ranks in pencils that take the ranks of one axis along one of the others.
Grid made_to_fit(const Pencils& of, const Grid& cubes, const Triple& points) {
  const Triple& p = cubes.ranks;
  Triple to_low{1, 1, 1}, to_high{1, 1, 1};
  to_low[of.low] = p[of.low] * p[of.axis];
  to_low[of.high] = p[of.high];
  to_high[of.low] = p[of.low];
  to_high[of.high] = p[of.high] * p[of.axis];
  // Where both are equal, x and y pencils put them on the higher axis, and z pencils on the lower
  // one.
  const bool is_low_first = of.axis == 2 ? cubes.points[0] <= cubes.points[1] : p[2] > p[of.low];
  const Triple& first = is_low_first ? to_low : to_high;
  const Triple& second = is_low_first ? to_high : to_low;
  const std::size_t other = of.axis == 2 ? 1 : 2;
  return grid_of(points[0] % first[0] == 0 && points[0] % first[other] == 0 ? first : second,
                 points);
}

Grid choose_pencils(int ranks, const Pencils& of, const Grid& cubes, const Triple& points) {
  Triple fixed{};
  fixed[of.axis] = 1;
  const Grid found = grid_of(divided(ranks, fixed), points);
  if (fits(found, of, cubes, points)) return found;
  if (has_points(found) && cubes.points[of.low] % found.points[of.high] == 0 &&
      cubes.points[of.high] % found.points[of.low] == 0) {
    Triple turned = found.ranks;
    std::swap(turned[of.low], turned[of.high]);
    const Grid grid = grid_of(turned, points);
    if (fits(grid, of, cubes, points)) return grid;
  }
  return made_to_fit(of, cubes, points);
}

void check(const Grid& grid, const Triple& points, const char* what) {
  for (std::size_t a = 0; a < 3; ++a)
    if (grid.ranks[a] < 1 || points[a] < 1 || points[a] % grid.ranks[a] != 0)
      throw Error(Error::invalid,
                  "a grid of " + text(points) + " points does not divide among " +
                      text(grid.ranks) + " ranks, as " + what,
                  "numbers of points that have the prime factors of the number of ranks");
}

void check(const Layout& layout, const Triple& points) {
  check(layout.cubes, points, "cubes");
  for (const Pencils& of : along) {
    const Grid& pencils = layout.pencils[of.axis];
    check(pencils, points, "pencils");
    for (const std::size_t a : {of.low, of.high})
      if (layout.cubes.points[a] % pencils.points[a] != 0)
        throw Error(Error::invalid,
                    "pencils on " + text(pencils.ranks) + " ranks do not fit into cubes on " +
                        text(layout.cubes.ranks),
                    "another number of points or of ranks");
  }
}

}  // namespace

Layout choose_layout(int ranks, const Triple& points) {
  Layout layout;
  layout.slabs = grid_of({ranks, 1, 1}, points);
  layout.cubes = grid_of(divided(ranks, {}), points);
  check(layout.cubes, points, "cubes");
  for (const Pencils& of : along)
    layout.pencils[of.axis] = choose_pencils(ranks, of, layout.cubes, points);
  check(layout, points);
  return layout;
}

Layout explicit_layout(const Triple& points, const Triple& slabs, const Triple& cubes,
                       const std::array<Triple, 3>& pencils) {
  Layout layout;
  layout.slabs = grid_of(slabs, points);
  layout.cubes = grid_of(cubes, points);
  for (std::size_t a = 0; a < 3; ++a) layout.pencils[a] = grid_of(pencils[a], points);
  check(layout, points);
  return layout;
}

Triple place_in_order(const Triple& ranks, int rank) {
  return {rank / (ranks[1] * ranks[2]), rank / ranks[2] % ranks[1], rank % ranks[2]};
}

int rank_in_pencils(const Layout& layout, int axis, const Triple& place) {
  const Triple& cubes = layout.cubes.ranks;
  const Triple& ranks = layout.pencils[static_cast<std::size_t>(axis)].ranks;
  if (axis == 0) {  // a rank in each cube of a face, then the next one in each
    const int columns = ranks[1] / cubes[1], rows = ranks[2] / cubes[2];
    const int turn = place[1] % columns + place[2] % rows * columns;
    return turn * cubes[1] * cubes[2] + place[1] / columns * cubes[2] + place[2] / rows;
  }
  if (axis == 1) {
    const int rows = ranks[2] / cubes[2];
    return place[0] * ranks[2] + place[2] % rows * cubes[2] + place[2] / rows;
  }
  const int columns = ranks[1] / cubes[1],
            rows = ranks[0] / cubes[0];  // all ranks of a cube column, then those of the next
  return place[0] / rows * ranks[1] * rows + place[1] / columns * cubes[2] +
         place[0] % rows * columns + place[1] % columns;
}

Triple place_in_pencils(const Layout& layout, int axis, int rank) {
  const Triple& ranks = layout.pencils[static_cast<std::size_t>(axis)].ranks;
  const int count = ranks[0] * ranks[1] * ranks[2];
  for (int i = 0; i < count; ++i)
    if (const Triple place = place_in_order(ranks, i); rank_in_pencils(layout, axis, place) == rank)
      return place;
  throw Error(Error::invalid,
              "there is no rank " + std::to_string(rank) + " among " + std::to_string(count));
}

}  // namespace weft::swfft
