// problem/columns: lists the columns of a sphere, checks those of users' lists, and finds the place
// of each wave.

#include "weft/problem/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "weft/base/dims_text.hpp"
#include "weft/base/ensure.hpp"
#include "weft/problem/checked_cutoff.hpp"

namespace weft {

namespace {

std::string text_of(const Wave& wave) { return fmt::format("({})", fmt::join(wave, ",")); }

// The largest number of a wave along an axis of n points. For an even n, -n/2 does not count: it is
// its own negative, so no coefficient tells the two apart.
std::int64_t largest_wave(std::int64_t points) { return (points - 1) / 2; }

// A sphere may reach beyond the grid and hold no wave there: so many numbers are tried.
constexpr std::int64_t tried_beyond = 1000;

// The waves in a sphere, as |k0 b0 + k1 b1 + k2 b2| <= radius.
class Ball {
 public:
  explicit Ball(const Cutoff& cutoff) : vectors_(cutoff.vectors()), radius_(cutoff.radius()) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const ScaledVector vector(vectors_[axis]);
      directions_[axis] = vector.direction;
      steps_[axis] = radius_ / vector.scale / vector.length;
      // In units of the radius, so that squares do not overflow; of a vector beyond all squares
      // the direction counts, as no multiple of it is in the sphere.
      constexpr double longest = 1e100;
      if (radius_ == 0 || steps_[axis] * longest < 1)
        for (std::size_t i = 0; i < 3; ++i)
          vectors_[axis][i] = directions_[axis][i] * (radius_ == 0 ? 1 : longest);
      else
        for (double& number : vectors_[axis]) number /= radius_;
    }
  }

  // No wave in the sphere has larger numbers along the axis: the sphere touches the planes of
  // constant number at the vectors of the dual basis. Of directions, whose products are near 1.
  double bound(std::size_t axis) const {
    const auto &b = directions_[axis], &u = directions_[(axis + 1) % 3],
               &v = directions_[(axis + 2) % 3];
    const std::array<double, 3> normal{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                                       u[0] * v[1] - u[1] * v[0]};
    return steps_[axis] * std::sqrt(square * dot(normal, normal)) / std::abs(dot(b, normal));
  }

  bool has(const Wave& wave) const {
    if (radius_ == 0) return wave == Wave{};
    const auto at = point(wave);
    return dot(at, at) <= square;
  }

  // The numbers along `axis` of the waves with the other two numbers of `wave`, as a range.
  std::pair<std::int32_t, std::int32_t> column(Wave wave, std::size_t axis) const {
    wave[axis] = 0;
    const auto foot = point(wave);
    const auto& step = vectors_[axis];
    const double middle = -dot(foot, step) / dot(step, step);
    const double distance = middle * middle - (dot(foot, foot) - square) / dot(step, step);
    // Rounding may move the ends by one.
    const double reach = std::sqrt(std::max(0.0, distance)) + 1;
    auto first = static_cast<std::int32_t>(std::ceil(middle - reach));
    auto last = static_cast<std::int32_t>(std::floor(middle + reach));
    const auto is_outside = [&](std::int32_t number) {
      wave[axis] = number;
      return !has(wave);
    };
    while (first <= last && is_outside(first)) ++first;
    while (first <= last && is_outside(last)) --last;
    return {first, last};
  }

 private:
  static double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  std::array<double, 3> point(const Wave& wave) const {
    std::array<double, 3> at{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < 3; ++i) at[i] += wave[axis] * vectors_[axis][i];
    return at;
  }

  static constexpr double square = 1 + 2e-12;  // of the radius

  ReciprocalVectors vectors_;
  double radius_;
  ReciprocalVectors directions_{};
  std::array<double, 3> steps_{};  // of each vector, as many as the radius has
};

// Error::invalid for a sphere that reaches far beyond the grid; of one that reaches a little beyond
// it, a wave is told.
void require_near_grid(const Cutoff& cutoff, double bound, int axis, std::int64_t points) {
  if (bound <= static_cast<double>(2 * points + tried_beyond)) return;
  constexpr double most_told = 1e12;
  throw Error(
      Error::invalid,
      fmt::format("the cut-off of radius {} reaches {} along axis {}, but a grid of {} points has "
                  "the numbers {} to {}",
                  cutoff.radius(),
                  bound <= most_told ? fmt::format("to wave {:.0f}", bound)
                                     : "far beyond any wave of a grid",
                  axis, points, -largest_wave(points), largest_wave(points)),
      bound <= most_told ? "take a larger grid, or a smaller radius"
                         : "give the radius and the vectors in one unit: without vectors, the "
                           "radius is counted in waves");
}

}  // namespace

ColumnAxes column_axes(const Problem& problem) {
  const Storage& storage =
      problem.kind == Kind::c2r ? problem.output.storage : problem.input.storage;
  const std::vector<int> order = storage.order.empty() ? std::vector{0, 1, 2} : storage.order;
  ColumnAxes axes{};
  axes.half = half_axis(problem);
  const int asked = problem.cutoff.column_axis();
  axes.column = asked != Cutoff::slowest     ? (asked + 3) % 3
                : order.front() == axes.half ? order[1]
                                             : order.front();
  std::vector<int> others;
  for (const int axis : order)
    if (axis != axes.column) others.push_back(axis);
  axes.slow = others[0];
  axes.fast = others[1];
  return axes;
}

Columns::Columns(const Problem& problem, int ranks)
    : cutoff_(problem.cutoff), extents_(problem.extents), axes_(column_axes(problem)) {
  if (cutoff_.form() == Cutoff::Form::sphere)
    list_sphere(ranks);
  else
    check_lists(ranks);
  find_modes();
}

Wave Columns::wave_of(const Column& column, std::int32_t along) const {
  Wave wave{};
  wave[static_cast<std::size_t>(axes_.slow)] = column.slow;
  wave[static_cast<std::size_t>(axes_.fast)] = column.fast;
  wave[static_cast<std::size_t>(axes_.column)] = along;
  return wave;
}

void Columns::require_on_grid(const Wave& wave) const {
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t most = largest_wave(extents_[axis]);
    const std::int64_t number = wave[static_cast<std::size_t>(axis)];
    if (number >= -most && number <= most) continue;
    throw Error(Error::invalid,
                fmt::format("the cut-off has the wave {}, but a grid of {} points along axis {} "
                            "has the numbers {} to {}",
                            text_of(wave), extents_[axis], axis, -most, most),
                fmt::format("take at least {} points along axis {}, or a smaller cut-off",
                            2 * std::abs(number) + 1, axis));
  }
}

// Columns in the order of the slower number, then of the faster one, and an equal share of the
// waves to each rank.
void Columns::list_sphere(int ranks) {
  const Ball ball(cutoff_);
  Wave most{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t points = extents_[static_cast<int>(axis)];
    const double bound = ball.bound(axis);
    require_near_grid(cutoff_, bound, static_cast<int>(axis), points);
    most[axis] = static_cast<std::int32_t>(std::floor(bound * (1 + 1e-12)));
  }
  std::vector<Column> all;
  std::int64_t waves = 0;
  const auto most_of = [&](int axis) { return most[static_cast<std::size_t>(axis)]; };
  for (std::int32_t slow = -most_of(axes_.slow); slow <= most_of(axes_.slow); ++slow)
    for (std::int32_t fast = -most_of(axes_.fast); fast <= most_of(axes_.fast); ++fast) {
      const std::int32_t half = axes_.half < 0 ? 1 : axes_.half == axes_.slow ? slow : fast;
      const std::int32_t outer = axes_.half == axes_.slow ? fast : slow;
      if (half < 0 || (half == 0 && outer < 0)) continue;
      Column column{slow, fast, 0, 0};
      auto [first, last] = ball.column(wave_of(column, 0), static_cast<std::size_t>(axes_.column));
      if (half == 0 && outer == 0) first = std::max(first, 0);
      if (first > last) continue;
      column.first = first;
      column.count = last - first + 1;
      require_on_grid(wave_of(column, first));
      require_on_grid(wave_of(column, last));
      waves += column.count;
      all.push_back(column);
    }
  columns_.resize(static_cast<std::size_t>(ranks));
  const std::vector<int>& owners = cutoff_.owners();
  const auto shares = owners.empty() ? std::int64_t{ranks} : std::ssize(owners);
  std::int64_t before = 0;
  for (const Column& column : all) {
    ensure(waves > 0);  // there is a column, and columns have waves
    const std::int64_t share = (2 * before + column.count) * shares / (2 * waves);
    const auto owner =
        static_cast<std::size_t>(owners.empty() ? share : owners[static_cast<std::size_t>(share)]);
    columns_[owner].push_back(column);
    before += column.count;
  }
}

// In r2c, of a wave and its negative one is kept.
void Columns::require_kept(const Wave& wave, int rank) const {
  if (axes_.half < 0) return;
  const auto number = [&](int axis) { return wave[static_cast<std::size_t>(axis)]; };
  if (std::tuple(number(axes_.half), number(axes_.outer()), number(axes_.column)) >=
      std::tuple(0, 0, 0))
    return;
  throw Error(Error::invalid,
              fmt::format("rank {} lists the wave {}, whose negative stands for both in a real "
                          "field",
                          rank, text_of(wave)),
              fmt::format("list waves whose first number other than 0 is positive, along the axes "
                          "{}, {}, {} in this order",
                          axes_.half, axes_.outer(), axes_.column));
}

// All waves, column by column.
std::vector<Columns::Listed> Columns::sorted_lists(int ranks) const {
  const std::vector<Waves>& lists = cutoff_.waves_of_rank();
  if (static_cast<int>(lists.size()) != ranks)
    throw Error(Error::invalid,
                fmt::format("the cut-off lists the waves of {} ranks, but there are {}",
                            lists.size(), ranks),
                "give one list for every rank; the list may be empty");
  std::vector<Listed> all;
  for (int rank = 0; rank < ranks; ++rank)
    for (const Wave& wave : lists[static_cast<std::size_t>(rank)]) {
      require_on_grid(wave);
      require_kept(wave, rank);
      all.push_back({wave[static_cast<std::size_t>(axes_.slow)],
                     wave[static_cast<std::size_t>(axes_.fast)],
                     wave[static_cast<std::size_t>(axes_.column)], rank});
    }
  if (all.empty())
    throw Error(Error::invalid, "no rank lists a wave for the cut-off",
                "list at least one wave on one rank");
  std::sort(all.begin(), all.end());
  return all;
}

void Columns::check_lists(int ranks) {
  const std::vector<Listed> all = sorted_lists(ranks);
  columns_.resize(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Listed& here = all[i];
    auto& mine = columns_[static_cast<std::size_t>(here.rank)];
    const bool begins = i == 0 || all[i - 1].slow != here.slow || all[i - 1].fast != here.fast;
    if (begins) {
      mine.push_back({here.slow, here.fast, here.along, 1});
      continue;
    }
    const Listed& before = all[i - 1];
    const auto text = [&](const Listed& listed) {
      return text_of(wave_of({listed.slow, listed.fast, 0, 0}, listed.along));
    };
    if (before.along == here.along)
      throw Error(Error::invalid,
                  fmt::format("the wave {} is listed twice, on ranks {} and {}", text(here),
                              before.rank, here.rank),
                  "list every wave once, on one rank");
    if (before.rank != here.rank)
      throw Error(
          Error::invalid,
          fmt::format("the waves {} and {} are of one column along axis {}, but on ranks {} "
                      "and {}",
                      text(before), text(here), axes_.column, before.rank, here.rank),
          "let one rank list all waves of a column, or name another axis for the columns");
    ++mine.back().count;
  }
}

void Columns::find_modes() {
  Wave most{};
  const auto see = [&](const Wave& wave) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      most[axis] = std::max(most[axis], std::abs(wave[axis]));
  };
  for (std::size_t rank = 0; rank < columns_.size(); ++rank) {
    if (cutoff_.form() == Cutoff::Form::waves)
      for (const Wave& wave : cutoff_.waves_of_rank()[rank]) see(wave);
    else
      for (const Column& column : columns_[rank]) {
        see(wave_of(column, column.first));
        see(wave_of(column, column.first + column.count - 1));
      }
  }
  modes_ = {2 * most[0] + 1, 2 * most[1] + 1, 2 * most[2] + 1};
}

std::int64_t Columns::index(int axis, std::int32_t wave) const {
  return wave >= 0 ? wave : wave + modes_[axis];
}

// The places of the columns of a rank, and of the columns that hold their negatives, ascending.
std::vector<std::pair<std::int64_t, std::int64_t>> Columns::places(int rank) const {
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  for (const Column& column : columns_[static_cast<std::size_t>(rank)]) {
    places.emplace_back(index(axes_.slow, column.slow), index(axes_.fast, column.fast));
    const bool has_negative =
        axes_.half >= 0 && (axes_.half == axes_.slow ? column.slow : column.fast) == 0;
    if (has_negative)
      places.emplace_back(index(axes_.slow, -column.slow), index(axes_.fast, -column.fast));
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::vector<Box> Columns::boxes(int rank) const {
  std::vector<Box> boxes;
  for (const auto& [slow, fast] : places(rank)) {
    if (!boxes.empty() && boxes.back().lo[axes_.slow] == slow &&
        boxes.back().hi[axes_.fast] == fast) {
      ++boxes.back().hi[axes_.fast];
      continue;
    }
    Box box = Box::whole(modes_);
    box.set(axes_.slow, {slow, slow + 1});
    box.set(axes_.fast, {fast, fast + 1});
    boxes.push_back(box);
  }
  return boxes;
}

std::vector<std::vector<Box>> Columns::boxes_of_rank() const {
  std::vector<std::vector<Box>> all;
  for (std::size_t rank = 0; rank < columns_.size(); ++rank)
    all.push_back(boxes(static_cast<int>(rank)));
  return all;
}

std::int64_t Columns::count(int rank) const {
  std::int64_t waves = 0;
  for (const Column& column : columns_[static_cast<std::size_t>(rank)]) waves += column.count;
  return waves;
}

Waves Columns::waves(int rank) const {
  if (cutoff_.form() == Cutoff::Form::waves)
    return cutoff_.waves_of_rank()[static_cast<std::size_t>(rank)];
  std::vector<Wave> list;
  list.reserve(static_cast<std::size_t>(count(rank)));
  for (const Column& column : columns_[static_cast<std::size_t>(rank)])
    for (std::int32_t i = 0; i < column.count; ++i)
      list.push_back(wave_of(column, column.first + i));
  return Waves(std::move(list));
}

PointMap Columns::map(int rank, const UserArray& whole) const {
  const std::int64_t waves_here = count(rank), points = whole.field_stride;
  if (points > std::numeric_limits<std::int32_t>::max())
    throw Error(Error::unsupported,
                fmt::format("the columns of rank {} have {} points, more than 2^31", rank, points),
                "use more ranks");
  PointMap map;
  map.field_stride = waves_here;
  map.elements.assign(static_cast<std::size_t>(points), PointMap::absent);
  // For every column of this rank, the number of its first point, and the distance to the next
  // point.
  std::vector<std::pair<std::int64_t, std::int64_t>> lines(
      static_cast<std::size_t>(modes_[axes_.slow] * modes_[axes_.fast]));
  const auto line = [&](std::int64_t slow, std::int64_t fast) -> auto& {
    return lines[static_cast<std::size_t>(slow * modes_[axes_.fast] + fast)];
  };
  const std::vector<Box> boxes = this->boxes(rank);
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const Dims& strides = whole.layouts[b].strides;
    for (std::int64_t i = 0; i < boxes[b].extent(axes_.fast); ++i)
      line(boxes[b].lo[axes_.slow], boxes[b].lo[axes_.fast] + i) = {
          whole.offsets[b] + i * strides[axes_.fast], strides[axes_.column]};
  }
  const auto point = [&](const Wave& wave, int sign) -> std::int32_t& {
    const auto at = [&](int axis) {
      return index(axis, sign * wave[static_cast<std::size_t>(axis)]);
    };
    const auto [first, stride] = line(at(axes_.slow), at(axes_.fast));
    return map.elements[static_cast<std::size_t>(first + at(axes_.column) * stride)];
  };
  std::int32_t element = 0;
  for (const Wave& wave : waves(rank)) {
    if (axes_.half >= 0 && wave[static_cast<std::size_t>(axes_.half)] == 0 && wave != Wave{})
      point(wave, -1) = ~element;
    point(wave, 1) = element++;
  }
  return map;
}

Problem with_columns(Problem problem, int ranks) {
  if (!problem.cutoff.is_given()) return problem;
  const Columns columns(problem, ranks);
  problem.modes = columns.modes();
  Storage storage;
  storage.order = problem.input.storage.order;
  auto boxes = columns.boxes_of_rank();
  std::vector<UserArray> arrays;
  arrays.reserve(boxes.size());
  for (const auto& mine : boxes) arrays.push_back(UserArray::of(mine, storage, problem.batch));
  problem.output = Distribution::of_parts(std::move(boxes), std::move(arrays));
  problem.output.storage = storage;
  return problem;
}

}  // namespace weft
