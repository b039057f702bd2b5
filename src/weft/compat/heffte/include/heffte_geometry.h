// heffte_geometry: boxes of indices, and how a grid is divided into them.
#ifndef HEFFTE_GEOMETRY_H
#define HEFFTE_GEOMETRY_H

#include "heffte_utils.h"

namespace heffte {

/// The points from `low` to `high` along three axes, both included, which lie in memory in `order`:
/// the axis order[0] is contiguous, then comes order[1]. A box may have no points.
template <typename index = int>
struct box3d {
  /// Where axis 0 is contiguous, or in the order that is given.
  box3d(std::array<index, 3> clow, std::array<index, 3> chigh)
      : box3d(clow, chigh, std::array<int, 3>{{0, 1, 2}}) {}
  box3d(std::array<index, 3> clow, std::array<index, 3> chigh, std::array<int, 3> corder)
      : low(clow),
        high(chigh),
        size{{static_cast<index>(chigh[0] - clow[0] + 1),
              static_cast<index>(chigh[1] - clow[1] + 1),
              static_cast<index>(chigh[2] - clow[2] + 1)}},
        order(corder) {}
  /// A box of a plane: axis 2 has the index 0 only.
  box3d(std::array<index, 2> clow, std::array<index, 2> chigh)
      : box3d(clow, chigh, std::array<int, 2>{{0, 1}}) {}
  box3d(std::array<index, 2> clow, std::array<index, 2> chigh, std::array<int, 2> corder)
      : box3d(std::array<index, 3>{{clow[0], clow[1], 0}},
              std::array<index, 3>{{chigh[0], chigh[1], 0}},
              std::array<int, 3>{{corder[0], corder[1], 2}}) {}

  /// Whether there are no points, and their number.
  bool empty() const { return size[0] <= 0 || size[1] <= 0 || size[2] <= 0; }
  long long count() const {
    if (empty()) return 0;
    return static_cast<long long>(size[0]) * static_cast<long long>(size[1]) *
           static_cast<long long>(size[2]);
  }
  /// The points that are also in `other`, in the order of this box.
  box3d collide(box3d const other) const {
    if (empty() || other.empty()) return none();
    return box3d(
        std::array<index, 3>{{std::max(low[0], other.low[0]), std::max(low[1], other.low[1]),
                              std::max(low[2], other.low[2])}},
        std::array<index, 3>{{std::min(high[0], other.high[0]), std::min(high[1], other.high[1]),
                              std::min(high[2], other.high[2])}},
        order);
  }
  /// What is left of a box whose `dimension` a transform of real numbers halves: n/2 + 1 points.
  box3d r2c(int dimension) const {
    if (empty()) return none();
    std::array<index, 3> last = high;
    const std::size_t axis = dimension == 0 || dimension == 1 ? dimension : 2;
    last[axis] = static_cast<index>(low[axis] + size[axis] / 2);
    return box3d(low, last, order);
  }
  /// Whether an axis has one point only.
  bool is2d() const { return size[0] == 1 || size[1] == 1 || size[2] == 1; }
  /// Whether both have the same first and last indices, in any order.
  bool operator==(box3d const& other) const { return low == other.low && high == other.high; }
  bool operator!=(box3d const& other) const { return !(*this == other); }
  /// Whether both lie in memory in the same order.
  bool ordered_same_as(box3d const& other) const { return order == other.order; }
  /// The place of an axis in the order: 0 for the contiguous one.
  int find_order(int dir) const { return dir == order[0] ? 0 : dir == order[1] ? 1 : 2; }
  /// The points along the axis at this place of the order.
  index osize(int dimension) const { return size[static_cast<std::size_t>(order[dimension])]; }

  std::array<index, 3> const low, high, size;  ///< per axis: first and last index, and their number
  std::array<int, 3> const order;              ///< the axes, the contiguous one first

 private:
  static box3d none() {
    return box3d(std::array<index, 3>{{0, 0, 0}}, std::array<index, 3>{{-1, -1, -1}});
  }
};

/// A box for transforms of planes.
template <typename index = int>
using box2d = box3d<index>;

/// Prints first and last indices, numbers of points, and the order.
template <typename index>
inline std::ostream& operator<<(std::ostream& stream, box3d<index> const box) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    stream << box.low[axis] << "  " << box.high[axis] << "  (" << box.size[axis] << ")\n";
  return stream << "(" << box.order[0] << "," << box.order[1] << "," << box.order[2] << ")\n\n";
}

/// The number of lines along `dimension`, and the elements between neighbours of a line.
template <typename index>
inline int fft1d_get_howmany(box3d<index> const box, int const dimension) {
  if (dimension == box.order[0]) return static_cast<int>(box.osize(1) * box.osize(2));
  if (dimension == box.order[1]) return static_cast<int>(box.osize(0));
  return static_cast<int>(box.osize(0) * box.osize(1));
}
template <typename index>
inline int fft1d_get_stride(box3d<index> const box, int const dimension) {
  if (dimension == box.order[0]) return 1;
  if (dimension == box.order[1]) return static_cast<int>(box.osize(0));
  return static_cast<int>(box.osize(0) * box.osize(1));
}

/// The smallest box that has all of the boxes in it. Boxes without points are left out.
template <typename index>
inline box3d<index> find_world(std::vector<box3d<index>> const& boxes) {
  std::array<index, 3> low{{0, 0, 0}}, high{{-1, -1, -1}};
  bool is_first = true;
  for (auto const& box : boxes) {
    if (box.empty()) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = is_first ? box.low[axis] : std::min(low[axis], box.low[axis]);
      high[axis] = is_first ? box.high[axis] : std::max(high[axis], box.high[axis]);
    }
    is_first = false;
  }
  return box3d<index>(low, high);
}

/// Whether two lists have the same boxes.
template <typename index>
inline bool match(std::vector<box3d<index>> const& shape0,
                  std::vector<box3d<index>> const& shape1) {
  return shape0 == shape1;
}

/// True if the boxes cover `world`, whose indices begin at 0, and do not overlap; else
/// std::invalid_argument says what is wrong.
template <typename index>
inline bool world_complete(std::vector<box3d<index>> const& boxes, box3d<index> const world) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (world.low[axis] != 0)
      throw std::invalid_argument("heffte: the indices of the whole grid must begin at 0");
  long long points = 0;
  for (auto const& box : boxes) points += box.count();
  if (points < world.count())
    throw std::invalid_argument("heffte: the boxes do not cover the whole grid: they have " +
                                std::to_string(points) + " of " + std::to_string(world.count()) +
                                " points");
  for (std::size_t one = 0; one < boxes.size(); ++one)
    for (std::size_t other = one + 1; other < boxes.size(); ++other)
      if (!boxes[one].collide(boxes[other]).empty())
        throw std::invalid_argument("heffte: the boxes " + std::to_string(one) + " and " +
                                    std::to_string(other) + " overlap");
  return true;
}

/// All pairs of numbers whose product is `n`, the first ascending.
inline std::vector<std::array<int, 2>> get_factors(int const n) {
  std::vector<std::array<int, 2>> pairs;
  for (int first = 1; first <= n; ++first)
    if (n % first == 0) pairs.push_back(std::array<int, 2>{{first, n / first}});
  return pairs;
}

/// Half the surface of a brick of dims[0] x dims[1] x 1.
inline int get_area(std::array<int, 2> const& dims) {
  return dims[0] * dims[1] + dims[0] + dims[1];
}

/// The two numbers whose product is `num_procs` that differ least, the smaller first.
inline std::array<int, 2> make_procgrid(int const num_procs) {
  int smaller = 1;
  for (int factor = 1; factor <= num_procs / factor; ++factor)
    if (num_procs % factor == 0) smaller = factor;
  return std::array<int, 2>{{smaller, num_procs / smaller}};
}

/// A grid of as many processes as `candidate_grid` with one along `direction_1d`, and along no axis
/// more than `world` has points: the candidate if it is one, else the one with the least surface;
/// std::runtime_error if there is none.
template <typename index>
inline std::array<int, 3> make_procgrid2d(box3d<index> const world, int direction_1d,
                                          std::array<int, 2> const candidate_grid) {
  const std::size_t first = direction_1d == 0 ? 1 : 0, second = direction_1d == 2 ? 1 : 2;
  const auto fits = [&](std::array<int, 2> const& grid) {
    return grid[0] <= world.size[first] && grid[1] <= world.size[second];
  };
  std::array<int, 2> chosen = candidate_grid;
  if (!fits(chosen)) {
    bool is_found = false;
    for (auto const& pair : get_factors(candidate_grid[0] * candidate_grid[1]))
      if (fits(pair) && (!is_found || get_area(pair) <= get_area(chosen))) {
        chosen = pair;
        is_found = true;
      }
    if (!is_found)
      throw std::runtime_error("heffte: " + std::to_string(candidate_grid[0] * candidate_grid[1]) +
                               " processes are too many for a grid of pencils along axis " +
                               std::to_string(direction_1d));
  }
  std::array<int, 3> grid{{1, 1, 1}};
  grid[first] = chosen[0];
  grid[second] = chosen[1];
  return grid;
}

/// The boxes of `world` for a grid of processes, axis 0 of the grid fastest. Where points do not
/// divide evenly, the first boxes have one more. All have the order of `world`.
template <typename index>
inline std::vector<box3d<index>> split_world(box3d<index> const world,
                                             std::array<int, 3> const proc_grid) {
  const auto begin = [&](std::size_t axis, int part) {
    const index whole = static_cast<index>(world.size[axis] / proc_grid[axis]);
    const index rest = static_cast<index>(world.size[axis] % proc_grid[axis]);
    return static_cast<index>(world.low[axis] + part * whole +
                              std::min(static_cast<index>(part), rest));
  };
  std::vector<box3d<index>> boxes;
  for (int k = 0; k < proc_grid[2]; ++k)
    for (int j = 0; j < proc_grid[1]; ++j)
      for (int i = 0; i < proc_grid[0]; ++i)
        boxes.push_back(
            box3d<index>(std::array<index, 3>{{begin(0, i), begin(1, j), begin(2, k)}},
                         std::array<index, 3>{{static_cast<index>(begin(0, i + 1) - 1),
                                               static_cast<index>(begin(1, j + 1) - 1),
                                               static_cast<index>(begin(2, k + 1) - 1)}},
                         world.order));
  return boxes;
}

/// Whether all boxes are as long as `world` along one axis, or along two.
template <typename index>
inline bool is_pencils(box3d<index> const world, std::vector<box3d<index>> const& shape,
                       int direction) {
  for (auto const& box : shape)
    if (box.size[direction] != world.size[direction]) return false;
  return true;
}
template <typename index>
inline bool is_slab(box3d<index> const world, std::vector<box3d<index>> const& shape,
                    int direction1, int direction2) {
  return is_pencils(world, shape, direction1) && is_pencils(world, shape, direction2);
}

/// The same boxes in another order of axes.
template <typename index>
inline std::vector<box3d<index>> reorder(std::vector<box3d<index>> const& shape,
                                         std::array<int, 3> order) {
  std::vector<box3d<index>> boxes;
  for (auto const& box : shape) boxes.push_back(box3d<index>(box.low, box.high, order));
  return boxes;
}

/// The number of pairs of boxes, one of each list, that have points in common.
template <typename index>
inline long long count_connections(std::vector<box3d<index>> const& new_boxes,
                                   std::vector<box3d<index>> const& old_boxes) {
  long long pairs = 0;
  for (auto const& one : new_boxes)
    for (auto const& other : old_boxes)
      if (!one.collide(other).empty()) ++pairs;
  return pairs;
}

/// The grid of `num_procs` processes whose boxes of `world` have the least surface. No axis is
/// divided among more processes than it has points, unless no grid is so.
template <typename index>
inline std::array<int, 3> proc_setup_min_surface(box3d<index> const world, int num_procs) {
  std::array<int, 3> best{{num_procs, 1, 1}};
  double least = std::numeric_limits<double>::max();
  bool is_found = false;
  for (const bool fits_only : {true, false}) {
    if (is_found) break;
    for (int i = 1; i <= num_procs; ++i) {
      if (num_procs % i != 0) continue;
      for (auto const& pair : get_factors(num_procs / i)) {
        const std::array<int, 3> grid{{i, pair[0], pair[1]}};
        std::array<double, 3> points{{0, 0, 0}};
        bool fits = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          fits = fits && grid[axis] <= world.size[axis];
          points[axis] =
              static_cast<double>(fits_only ? world.size[axis] / grid[axis]
                                            : (world.size[axis] + grid[axis] - 1) / grid[axis]);
        }
        const double surface =
            points[0] * points[1] + points[1] * points[2] + points[2] * points[0];
        if ((fits_only && !fits) || surface >= least) continue;
        least = surface;
        best = grid;
        is_found = true;
      }
    }
  }
  return best;
}

}  // namespace heffte

#endif
