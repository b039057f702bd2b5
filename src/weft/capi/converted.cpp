// capi/converted: reads the structures of C.

#include "weft/capi/converted.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "weft/base/checked.hpp"
#include "weft/capi/sized.hpp"
#include "weft/faces/settings.hpp"

namespace weft::capi {

namespace {

// What the numbers of C stand for, in their order.
constexpr std::array kinds{Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2r};
constexpr std::array precisions{Precision::double_precision, Precision::single_precision};
constexpr std::array norms{Norm::backward, Norm::ortho, Norm::forward, Norm::none};
constexpr std::array forms{Distribution::free,   Distribution::same,  Distribution::slab,
                           Distribution::pencil, Distribution::brick, Distribution::boxes,
                           Distribution::boxes};
constexpr std::array policies{EnsemblePolicy::automatic, EnsemblePolicy::all_ranks,
                              EnsemblePolicy::subsets, EnsemblePolicy::mixed,
                              EnsemblePolicy::chosen};
constexpr int basis_count = 11;
static_assert(kinds.size() == WEFT_R2R + 1 && norms.size() == WEFT_NORM_NONE + 1 &&
              forms.size() == WEFT_PARTS + 1 && policies.size() == WEFT_CHOSEN + 1 &&
              basis_count == WEFT_CHEBYSHEV_GAUSS + 1 &&
              static_cast<int>(Basis::chebyshev_gauss) == WEFT_CHEBYSHEV_GAUSS);

template <class Value, std::size_t n>
Value value_of(const std::array<Value, n>& values, int number, const char* what) {
  return values[static_cast<std::size_t>(checked_value(number, static_cast<int>(n), what))];
}

template <class Number>
bool all_zero(std::span<const Number> numbers) {
  return std::ranges::all_of(numbers, [](auto number) { return number == Number{}; });
}

// The first numbers of an array of C; none if all are zero.
Dims dims_of(const std::int64_t* numbers, int count) {
  Dims dims;
  if (all_zero(std::span(numbers, static_cast<std::size_t>(count)))) return dims;
  for (int a = 0; a < count; ++a) dims.push_back(numbers[a]);
  return dims;
}

int checked_axes(int axes) {
  if (axes >= 1 && axes <= WEFT_MOST_AXES) return axes;
  throw Error(Error::invalid, fmt::format("a grid of {} axes", axes),
              fmt::format("set `axes` to 1 to {}", WEFT_MOST_AXES));
}

Extents extents_of(const std::int64_t* numbers, int axes) {
  Extents extents;
  for (int a = 0; a < checked_axes(axes); ++a) extents.push_back(numbers[a]);
  return extents;
}

Box box_of(const weft_box& from, int axes) {
  Box box;
  for (int a = 0; a < axes; ++a) {
    box.lo.push_back(from.lo[a]);
    box.hi.push_back(from.hi[a]);
  }
  return box;
}

// `count` elements of C at `first`. Error::invalid, naming `what`, if they are not there.
template <class T>
std::span<const T> list_of(const T* first, std::int64_t count, const char* what) {
  if (count < 0)
    throw Error(Error::invalid, fmt::format("{} {}", count, what), "a number is 0 or more");
  if (count > 0) given(first, what);
  return {first, static_cast<std::size_t>(count)};
}

// Where the parts of this rank lie.
UserArray array_of(const weft_distribution& from, std::span<const weft_part> parts, int axes,
                   std::int64_t batch) {
  UserArray array;
  std::int64_t end = 0;  // of the first field; what 64 bits cannot count is refused by plans
  for (const weft_part& part : parts) {
    Dims strides;
    for (int a = 0; a < axes; ++a) strides.push_back(part.strides[a]);
    const UserArray alone = UserArray::strided(box_of(part.box, axes), strides);
    array.layouts.push_back(alone.layouts.front());
    array.offsets.push_back(part.offset);
    const auto own = checked_sum(part.offset, alone.elements);
    end = alone.elements < 0 || !own ? -1 : end < 0 ? end : std::max(end, *own);
  }
  array.field_stride = from.field_stride != 0 ? from.field_stride : end;
  array.elements = from.array_elements;
  if (array.elements != 0) return array;
  const auto others = checked_product(std::max<std::int64_t>(batch, 1) - 1, array.field_stride);
  const auto all = others && end >= 0 ? checked_sum(*others, end) : std::nullopt;
  array.elements = all ? *all : -1;
  return array;
}

Storage storage_of(const weft_distribution& from, int axes) {
  Storage storage;
  const std::span<const int> order(from.order, static_cast<std::size_t>(axes));
  if (!all_zero(order) && from.column_major != 0)
    throw Error(Error::invalid, "a distribution has column_major and an order of axes",
                "give one of them");
  if (from.column_major != 0) storage = Storage::column_major(axes);
  if (!all_zero(order)) storage.order.assign(order.begin(), order.end());
  storage.before = dims_of(from.ghosts_before, axes);
  storage.after = dims_of(from.ghosts_after, axes);
  for (Dims* ghosts : {&storage.before, &storage.after})
    if (ghosts->empty() && !(storage.before.empty() && storage.after.empty()))
      *ghosts = Dims::filled(axes, 0);
  storage.interleaves_batch = from.interleaves_batch != 0;
  return storage;
}

Cutoff cutoff_of(const weft_cutoff* given_cutoff) {
  if (given_cutoff == nullptr) return {};
  const weft_cutoff from = read(given_cutoff, "weft_cutoff");
  Cutoff cutoff;
  if (from.is_list != 0) {
    std::vector<Wave> waves;
    for (const weft_wave& wave : list_of(from.waves, from.wave_count, "waves"))
      waves.push_back({wave.k[0], wave.k[1], wave.k[2]});
    cutoff = Cutoff::of_my_waves(std::move(waves));
  } else if (all_zero(std::span<const double>(&from.vectors[0][0], 9))) {
    cutoff = Cutoff::sphere(from.radius);
  } else {
    ReciprocalVectors vectors{};
    for (std::size_t v = 0; v < 3; ++v) std::ranges::copy(from.vectors[v], vectors[v].begin());
    cutoff = Cutoff::sphere(from.radius, vectors);
  }
  return from.has_column_axis != 0 ? cutoff.along(from.column_axis) : cutoff;
}

Distribution side_of(const weft_distribution* side, const Problem& problem) {
  if (side == nullptr) return {};
  return distribution_of(side, problem.extents.size(), problem.batch);
}

Problem problem_of_struct(const weft_problem& from) {
  Problem problem;
  const int axes = checked_axes(from.axes);
  problem.extents = extents_of(from.extents, axes);
  problem.kind = value_of(kinds, from.kind, "kind");
  problem.precision = value_of(precisions, from.precision, "precision");
  problem.norm = value_of(norms, from.norm, "norm");
  problem.in_place = from.in_place != 0;
  problem.batch = from.batch != 0 ? from.batch : 1;
  const std::span<const weft_basis> bases(from.bases, static_cast<std::size_t>(axes));
  if (!all_zero(bases))
    for (const weft_basis basis : bases)
      problem.bases.push_back(static_cast<Basis>(checked_value(basis, basis_count, "basis")));
  if (from.transformed != nullptr) {
    const auto list = list_of(from.transformed, from.transformed_count, "transformed axes");
    problem.axes = std::vector<int>(list.begin(), list.end());
  }
  problem.modes = dims_of(from.modes, axes);
  problem.cutoff = cutoff_of(from.cutoff);
  if (from.support != nullptr) problem.support = box_of(*from.support, axes);
  problem.input = side_of(from.input, problem);
  problem.output = side_of(from.output, problem);
  return problem;
}

Placement placement_of(const weft_problem& from) {
  Placement placement;
  placement.pieces = from.pieces;
  if (from.rank_of != nullptr)
    placement.rank_of = [rank_of = from.rank_of, data = from.rank_data](const Dims& grid,
                                                                        const Dims& piece) {
      return rank_of(grid.size(), grid.begin(), piece.begin(), data);
    };
  return placement;
}

}  // namespace

int checked_value(int value, int count, const char* what) {
  if (value >= 0 && value < count) return value;
  throw Error(Error::invalid, fmt::format("there is no {} {}", what, value),
              fmt::format("weft.h has names for 0 to {}", count - 1));
}

Options options_of_text(const char* settings) {
  const SettingTexts texts = parse_settings(settings != nullptr ? settings : "");
  for (const auto& [name, text] : texts)
    if (is_of_problem(name))
      throw Error(Error::invalid, fmt::format("the setting {} = {} is one of problems", name, text),
                  "say it in the structure; texts say problems where there is no structure");
  return options_of(texts);
}

Asked asked_of(const weft_problem* problem, const char* settings) {
  Asked asked;
  if (problem == nullptr) {
    const SettingTexts texts = parse_settings(settings != nullptr ? settings : "");
    asked.options = options_of(texts);
    asked.problem = problem_of(texts);
    return asked;
  }
  asked.options = options_of_text(settings);
  const weft_problem from = read(problem, "weft_problem");
  asked.problem = problem_of_struct(from);
  asked.options.placement = placement_of(from);
  asked.options.stream = from.stream;
  return asked;
}

Distribution distribution_of(const weft_distribution* given_one, int axes, std::int64_t batch) {
  const weft_distribution from = read(given_one, "weft_distribution");
  if (from.form == WEFT_PARTS) {
    const auto parts = list_of(from.parts, from.count, "parts");
    std::vector<Box> boxes;
    for (const weft_part& part : parts) boxes.push_back(box_of(part.box, axes));
    return Distribution::of_my_boxes(std::move(boxes), array_of(from, parts, axes, batch));
  }
  Distribution distribution(value_of(forms, from.form, "form of a distribution"));
  if (from.form == WEFT_BOXES) {
    std::vector<Box> boxes;
    for (const weft_box& box : list_of(from.boxes, from.count, "boxes"))
      boxes.push_back(box_of(box, axes));
    distribution = Distribution::of_my_boxes(std::move(boxes));
  }
  for (int a = 0; a < axes && from.grid[a] != 0; ++a) distribution.grid.push_back(from.grid[a]);
  distribution.storage = storage_of(from, axes);
  return distribution;
}

EnsemblePolicy policy_of(const weft_policy* given_one, int instances) {
  if (given_one == nullptr) return {};
  const weft_policy from = read(given_one, "weft_policy");
  EnsemblePolicy policy(value_of(policies, from.form, "policy"));
  if (policy.form != EnsemblePolicy::chosen) return policy;
  const int* next = from.ranks;
  for (const int count : list_of(from.rank_counts, instances, "numbers of ranks")) {
    const auto ranks = list_of(next, count, "ranks of an instance");
    policy.ranks.emplace_back(ranks.begin(), ranks.end());
    next += count;
  }
  return policy;
}

AskedGrid grid_of(const weft_grid* given_one) {
  const weft_grid from = read(given_one, "weft_grid");
  std::vector<int> periodic;
  for (int a = 0; a < checked_axes(from.axes); ++a)
    if (from.is_bounded[a] == 0) periodic.push_back(a);
  return {extents_of(from.extents, from.axes),
          {from.element_bytes, from.alignment != 0 ? from.alignment : 8},
          Periodic(std::move(periodic)),
          from.is_in_place != 0};
}

}  // namespace weft::capi

using namespace weft::capi;

weft_status weft_problem_init(weft_problem* problem, size_t size) {
  return init(problem, size, "weft_problem");
}
weft_status weft_distribution_init(weft_distribution* distribution, size_t size) {
  return init(distribution, size, "weft_distribution");
}
weft_status weft_cutoff_init(weft_cutoff* cutoff, size_t size) {
  return init(cutoff, size, "weft_cutoff");
}
weft_status weft_policy_init(weft_policy* policy, size_t size) {
  return init(policy, size, "weft_policy");
}
weft_status weft_grid_init(weft_grid* grid, size_t size) { return init(grid, size, "weft_grid"); }

weft_status weft_next_fast_length(int64_t at_least, weft_basis basis, int64_t* points) {
  return status_of([&] {
    const auto of = static_cast<weft::Basis>(checked_value(basis, basis_count, "basis"));
    given(points, "the place for the number of points") = weft::next_fast_length(at_least, of);
  });
}
