// problem/validated: checks a problem, and what follows from it.

#include "weft/problem/validated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/dims_text.hpp"
#include "weft/problem/arrays.hpp"
#include "weft/problem/axis_transform.hpp"
#include "weft/problem/checked_cutoff.hpp"
#include "weft/problem/distribution.hpp"
#include "weft/problem/limits.hpp"
#include "weft/problem/line_transform.hpp"
#include "weft/problem/problem_text.hpp"

namespace weft {

namespace {

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

void Axes::refuse() {
  throw Error(Error::invalid, "the axes are all axes of a field, not a list",
              "look at the problem() of a plan, which lists them");
}

void require_types(const Problem& problem, Scalar of_input, Scalar of_output) {
  const Scalar input = problem.input_scalar(), output = problem.output_scalar();
  if (input == of_input && output == of_output) return;
  throw Error(Error::invalid,
              fmt::format("the problem transforms {} to {}, but the plan is of {} and {}",
                          input.name(), output.name(), of_input.name(), of_output.name()),
              "say kind and precision by c2c<Real>, r2c<Real> or c2r<Real> only");
}

}  // namespace weft
