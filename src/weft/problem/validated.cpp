// problem/validated: checks a problem, and resolves distributions into decompositions.

#include "weft/problem/validated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/dims_text.hpp"
#include "weft/base/names.hpp"
#include "weft/problem/arrays.hpp"
#include "weft/problem/axis_transform.hpp"
#include "weft/problem/checked_cutoff.hpp"
#include "weft/problem/limits.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft {

namespace {

constexpr Names<Kind, 4> kinds{
    {{Kind::c2c, "c2c"}, {Kind::r2c, "r2c"}, {Kind::c2r, "c2r"}, {Kind::r2r, "r2r"}}};
constexpr Names<Norm, 4> norms{{{Norm::backward, "backward"},
                                {Norm::ortho, "ortho"},
                                {Norm::forward, "forward"},
                                {Norm::none, "none"}}};
constexpr Names<Distribution::Form, 6> forms{{{Distribution::free, "free"},
                                              {Distribution::same, "same"},
                                              {Distribution::slab, "slab"},
                                              {Distribution::pencil, "pencil"},
                                              {Distribution::brick, "brick"},
                                              {Distribution::boxes, "boxes"}}};
void check_extents(const Problem& problem) {
  const Extents& extents = problem.extents;
  if (extents.empty() || extents.size() > most_axes)
    throw Error(
        Error::invalid,
        fmt::format("the field has {} axes; weft transforms 1 to {}", extents.size(), most_axes),
        "merge axes that are not transformed, or use the batch for them");
  for (int a = 0; a < extents.size(); ++a)
    if (extents[a] < 1)
      throw Error(Error::invalid,
                  fmt::format("axis {} of {} has {} points", a, to_string(extents), extents[a]),
                  "every extent must be at least 1");
  if (problem.batch < 1)
    throw Error(Error::invalid, fmt::format("the batch is {}", problem.batch),
                "a plan transforms at least 1 field");
  Dims all = extents;
  all.push_back(problem.batch);
  constexpr std::int64_t most_points = std::numeric_limits<std::int64_t>::max() / 16;
  if (volume_exceeds(all, most_points))
    throw Error(Error::invalid,
                fmt::format("{} fields of {} have more than {} points, too many for 64-bit byte "
                            "counts",
                            problem.batch, to_string(extents), most_points),
                "check whether an extent was given in bytes instead of points");
}

void resolve_axes(Problem& problem) {
  const int count = problem.extents.size();
  std::vector<int> axes(static_cast<std::size_t>(problem.axes.is_all() ? count : 0));
  std::iota(axes.begin(), axes.end(), 0);
  if (!problem.axes.is_all()) axes = problem.axes.list();
  std::vector<bool> seen(static_cast<std::size_t>(count), false);
  for (int& axis : axes) {
    const int given = axis;
    if (axis < 0) axis += count;
    if (axis < 0 || axis >= count)
      throw Error(Error::invalid,
                  fmt::format("axis {} is out of range for {} with {} axes", given,
                              to_string(problem.extents), count),
                  fmt::format("axes are 0 to {}, or -{} to -1 from the end", count - 1, count));
    if (seen[static_cast<std::size_t>(axis)])
      throw Error(Error::invalid,
                  fmt::format("axis {} is named twice in {}", axis, fmt::join(axes, ",")),
                  "name every axis once");
    seen[static_cast<std::size_t>(axis)] = true;
  }
  if ((problem.kind == Kind::r2c || problem.kind == Kind::c2r) && axes.empty())
    throw Error(Error::invalid, fmt::format("{} has no axes to transform", to_string(problem.kind)),
                "name at least one axis to transform");
  problem.axes = std::move(axes);
}

bool is_fourier(const Problem& problem, int axis) {
  return basis_of(problem, axis) == Basis::fourier;
}

bool is_transformed(const Problem& problem, int axis) {
  return std::ranges::count(problem.axes, axis) > 0;
}

// What the transforms along the axes make of a field must be what its kind says: only Fourier's
// makes complex numbers of real ones.
void check_bases(Problem& problem) {
  const int count = problem.extents.size();
  if (std::ranges::all_of(problem.bases, [](Basis basis) { return basis == Basis::fourier; }))
    problem.bases.clear();
  if (!problem.bases.empty() && static_cast<int>(problem.bases.size()) != count)
    throw Error(Error::invalid,
                fmt::format("there are {} bases for {} with {} ax{}s", problem.bases.size(),
                            to_string(problem.extents), count, count == 1 ? "i" : "e"),
                "give one basis for every axis; 'fourier' for those that are not transformed");
  for (int axis = 0; axis < count; ++axis) {
    if (is_fourier(problem, axis)) {
      if (is_transformed(problem, axis) && problem.kind == Kind::r2r)
        throw Error(
            Error::invalid,
            fmt::format("axis {} of r2r is Fourier, which makes real numbers complex", axis),
            "use r2c, or a sine, cosine or Chebyshev basis along this axis");
      continue;
    }
    const Basis basis = basis_of(problem, axis);
    if (!is_transformed(problem, axis))
      throw Error(Error::invalid,
                  fmt::format("axis {} has the basis {}, but is not among the transformed axes {}",
                              axis, to_string(basis), fmt::join(problem.axes, ",")),
                  "name the axis in Problem::axes, or give it the basis fourier");
    if (problem.extents[axis] < least_points(basis))
      throw Error(Error::invalid,
                  fmt::format("axis {} has {} point, too few for {}", axis, problem.extents[axis],
                              to_string(basis)),
                  fmt::format("it needs at least {}", least_points(basis)));
  }
  const bool is_halved = problem.kind == Kind::r2c || problem.kind == Kind::c2r;
  if (is_halved && half_axis(problem) < 0)
    throw Error(Error::invalid,
                fmt::format("{} has no Fourier axis, so nothing makes real numbers complex",
                            to_string(problem.kind)),
                "use r2r, or the basis fourier along one of the transformed axes");
}

void check_modes(Problem& problem) {
  const Extents& modes = problem.modes;
  if (modes == problem.extents) problem.modes = {};
  if (modes.empty()) return;
  if (modes.size() != problem.extents.size())
    throw Error(Error::invalid,
                fmt::format("there are {} numbers of modes for {} with {} axes", modes.size(),
                            to_string(problem.extents), problem.extents.size()),
                "give one number for every axis; its extent where all modes are kept");
  for (int axis = 0; axis < modes.size(); ++axis) {
    const std::int64_t n = problem.extents[axis];
    if (modes[axis] < 1 || modes[axis] > n)
      throw Error(Error::invalid,
                  fmt::format("axis {} of {} cannot keep {} modes", axis,
                              to_string(problem.extents), modes[axis]),
                  fmt::format("give 1 to {}; more modes need a larger grid", n));
    if (modes[axis] != n && !is_transformed(problem, axis))
      throw Error(Error::invalid,
                  fmt::format("axis {} keeps {} of {} modes, but is not among the transformed axes "
                              "{}",
                              axis, modes[axis], n, fmt::join(problem.axes, ",")),
                  "name the axis in Problem::axes, or keep all of it");
  }
}

void check_support(Problem& problem) {
  const Box& support = problem.support;
  if (support == Box::whole(problem.extents)) problem.support = {};
  if (support.axes() == 0 && support.hi.empty()) return;
  const Extents& extents = problem.extents;
  if (support.axes() != extents.size() || support.hi.size() != extents.size())
    throw Error(Error::invalid,
                fmt::format("the support has {} axes, but {} has {}", support.axes(),
                            to_string(extents), extents.size()),
                "give the first index and one past the last for every axis");
  for (int axis = 0; axis < extents.size(); ++axis) {
    const Range range = support.range(axis);
    if (range.lo < 0 || range.hi > extents[axis] || range.empty())
      throw Error(
          Error::invalid,
          fmt::format("the support {} is not a part of {}", to_string(support), to_string(extents)),
          fmt::format("along axis {} it must lie within [0,{}) and have points", axis,
                      extents[axis]));
    if (range.size() != extents[axis] && !is_transformed(problem, axis))
      throw Error(Error::invalid,
                  fmt::format("the support {} is a part of axis {}, which is not among the "
                              "transformed axes {}",
                              to_string(support), axis, fmt::join(problem.axes, ",")),
                  "name the axis in Problem::axes, or make the field smaller");
  }
}

// " modes 64x64 support [0,32)x[0,32)"; nothing where all is kept.
std::string kept_text(const Problem& problem) {
  std::string text;
  if (!problem.modes.empty()) text += " modes " + to_string(problem.modes);
  if (problem.support.axes() > 0) text += " support " + to_string(problem.support);
  return text + to_string(problem.cutoff);
}

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

// " stored 2,1,0 ghosts 1x1x1 and 1x1x1 interleaved"; nothing for the usual storage.
std::string to_string(const Storage& storage) {
  std::string text;
  if (!storage.order.empty()) text += fmt::format(" stored {}", fmt::join(storage.order, ","));
  if (storage.has_ghosts())
    text += fmt::format(" ghosts {} and {}", to_string(storage.before), to_string(storage.after));
  if (storage.interleaves_batch) text += " interleaved";
  return text;
}

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

// " as fourier,dct2"; nothing where all are Fourier.
std::string to_string(const Bases& bases) {
  std::vector<const char*> names;
  for (const Basis basis : bases) names.push_back(to_string(basis));
  return names.empty() ? "" : fmt::format(" as {}", fmt::join(names, ","));
}

// Parts may be thousands: their number, and of the whole text a number that tells it from others
// (FNV-1a).
std::string short_text(const std::string& text, const Distribution& distribution) {
  std::uint64_t number = 0xcbf29ce484222325U;
  for (const char c : text) number = (number ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::size_t parts = 0;
  for (const auto& boxes : distribution.boxes_of_rank()) parts += boxes.size();
  return fmt::format("{} parts of {} ranks ({:x})", parts, distribution.boxes_of_rank().size(),
                     number);
}

std::string to_string(const Distribution& distribution) {
  std::string text = to_string(distribution.form) + to_string(distribution.storage);
  if (!distribution.grid.empty()) text += " " + to_string(distribution.grid);
  // What is gathered is compared afterwards.
  if (distribution.is_of_mine() && distribution.boxes_of_rank().empty())
    text += distribution.my_array() ? " of each rank in its array" : " of each rank";
  for (const UserArray& array : distribution.arrays_of_rank()) {
    text += fmt::format(" [{}", array.elements);
    for (std::size_t i = 0; i < array.layouts.size() && i < array.offsets.size(); ++i)
      text += fmt::format(";{}:{}", array.offsets[i], to_string(array.layouts[i].strides));
    text += "]";
  }
  for (const auto& boxes : distribution.boxes_of_rank()) {
    text += " {";
    for (const Box& box : boxes) text += to_string(box);
    text += "}";
  }
  return distribution.is_of_parts() ? short_text(text, distribution) : text;
}

}  // namespace

Problem validated(Problem problem) {
  check_extents(problem);
  resolve_axes(problem);
  check_bases(problem);
  check_modes(problem);
  check_support(problem);
  check_cutoff(problem);
  check_arrays(problem);
  check_distribution(problem.input, input_extents(problem), "input");
  check_distribution(problem.output, output_extents(problem), "output");
  drop_empty_boxes(problem);
  return problem;
}

int half_axis(const Problem& problem) {
  if (problem.kind == Kind::c2c || problem.kind == Kind::r2r) return -1;
  for (auto axis = problem.axes.rbegin(); axis != problem.axes.rend(); ++axis)
    if (basis_of(problem, *axis) == Basis::fourier) return *axis;
  return -1;
}

Extents halved(Extents extents, int axis) {
  if (axis >= 0) extents[axis] = extents[axis] / 2 + 1;
  return extents;
}

Extents input_extents(const Problem& problem) {
  return problem.kind == Kind::c2r ? spectral_extents(problem) : real_extents(problem);
}

Extents output_extents(const Problem& problem) {
  return problem.kind == Kind::c2r ? real_extents(problem) : spectral_extents(problem);
}

double norm_factor(Norm norm, double points, bool forward) {
  switch (norm) {
    case Norm::backward:
      return forward ? 1 : 1 / points;
    case Norm::forward:
      return forward ? 1 / points : 1;
    case Norm::ortho:
      return 1 / std::sqrt(points);
    case Norm::none:
      return 1;
  }
  return 1;
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

std::string kind_text(const Problem& problem) {
  const Bases& bases = problem.bases;
  if (bases.empty()) return to_string(problem.kind);
  const bool is_one = std::ranges::count(bases, bases.front()) == std::ssize(bases);
  if (is_one && problem.kind == Kind::r2r) return to_string(bases.front());
  std::vector<const char*> names;
  for (const Basis basis : bases) names.push_back(to_string(basis));
  return fmt::format("{} of {}", to_string(problem.kind), fmt::join(names, ","));
}

std::string to_string(const Problem& problem) {
  return fmt::format(
      "{} {} of {}{} axes {}{} norm {} batch {}{} input {} output {}", to_string(problem.precision),
      to_string(problem.kind), to_string(problem.extents), kept_text(problem),
      problem.axes.is_all() ? "all" : fmt::format("{}", fmt::join(problem.axes, ",")),
      to_string(problem.bases), to_string(problem.norm), problem.batch,
      problem.in_place ? " in place" : "", to_string(problem.input), to_string(problem.output));
}

void Axes::refuse() {
  throw Error(Error::invalid, "the axes are all axes of a field, not a list",
              "look at the problem() of a plan, which lists them");
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

void require_types(const Problem& problem, Scalar of_input, Scalar of_output) {
  const Scalar input = problem.input_scalar(), output = problem.output_scalar();
  if (input == of_input && output == of_output) return;
  throw Error(Error::invalid,
              fmt::format("the problem transforms {} to {}, but the plan is of {} and {}",
                          input.name(), output.name(), of_input.name(), of_output.name()),
              "say kind and precision by c2c<Real>, r2c<Real> or c2r<Real> only");
}

const char* to_string(Kind kind) { return name_in(kinds, kind); }
const char* to_string(Norm norm) { return name_in(norms, norm); }
const char* to_string(Distribution::Form form) { return name_in(forms, form); }
Kind parse_kind(const std::string& text) { return value_in(kinds, text, "kind"); }
Norm parse_norm(const std::string& text) { return value_in(norms, text, "norm"); }
Distribution::Form parse_form(const std::string& text) {
  return value_in(forms, text, "distribution");
}

}  // namespace weft
