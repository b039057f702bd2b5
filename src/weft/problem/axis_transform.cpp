// problem/axis_transform: which points and coefficients of each axis are stored.

#include "weft/problem/axis_transform.hpp"

#include <algorithm>

#include "weft/problem/line_transform.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

namespace {

// The coefficients of a line of `points` points that a grid of `modes` points has, too: those of
// the lowest waves, in the order in which a spectrum of `modes` points has them.
KeptPoints lowest_waves(std::int64_t modes, const AxisTransform& axis) {
  if (axis.is_halved) return {modes / 2 + 1, 0, 0};
  if (axis.basis == Basis::fourier) return {modes, 0, modes / 2};
  return {modes, 0, 0};
}

// The order in which the axes lie in memory on both sides; else as they are numbered.
std::vector<int> memory_order(const Problem& problem) {
  const std::vector<int>& order = problem.input.storage.order;
  return order == problem.output.storage.order ? order : std::vector<int>();
}

}  // namespace

bool AxisTransform::is_pruned() const {
  return before.count != points || after.count != (is_halved ? points / 2 + 1 : points);
}

AxisTransform axis_transform(const Problem& problem, int axis) {
  AxisTransform made;
  made.basis = basis_of(problem, axis);
  made.is_transformed = std::ranges::count(problem.axes, axis) > 0;
  made.is_halved = axis == half_axis(problem);
  made.points = problem.extents[axis];
  made.before = KeptPoints::all(made.points);
  if (problem.support.axes() > 0)
    made.before = {problem.support.extent(axis), problem.support.lo[axis], 0};
  const std::int64_t modes = problem.modes.empty() ? made.points : problem.modes[axis];
  made.after = made.is_transformed ? lowest_waves(modes, made) : made.before;
  return made;
}

bool is_pruned(const Problem& problem) {
  return !problem.modes.empty() || problem.support.axes() > 0 || problem.cutoff.is_given();
}

Extents real_extents(const Problem& problem) {
  return problem.support.axes() > 0 ? problem.support.extents() : problem.extents;
}

Extents spectral_extents(const Problem& problem) {
  return halved(problem.modes.empty() ? problem.extents : problem.modes, half_axis(problem));
}

FieldStates::FieldStates(const Problem& problem, const std::optional<AxisSplit>& split)
    : input_view_{weft::real_extents(problem), problem.batch, split, SplitOrder::first_slow,
                  memory_order(problem)},
      output_view_{weft::spectral_extents(problem), problem.batch, split, SplitOrder::first_fast,
                   memory_order(problem)},
      before_(input_view_.inner_extents()),
      after_(output_view_.inner_extents()),
      kept_(static_cast<std::size_t>(before_.size())),
      input_scalar_(problem.input_scalar()),
      output_scalar_(problem.output_scalar()) {
  for (int axis = 0; axis < problem.extents.size(); ++axis) {
    const AxisTransform transform = axis_transform(problem, axis);
    const int inner = input_view_.inner_axis(axis);
    if (transform.is_halved) half_ = inner;
    if (transform.is_pruned())
      kept_[static_cast<std::size_t>(inner)] = {transform.points, transform.before,
                                                transform.after};
  }
  for (int axis = 0; axis < before_.size(); ++axis)
    if (before_[axis] != after_[axis] || axis == half_) changed_ |= bit(axis);
}

Extents FieldStates::extents(unsigned done) const {
  Extents extents = before_;
  for (int axis = 0; axis < extents.size(); ++axis)
    if ((done & bit(axis)) != 0) extents[axis] = after_[axis];
  return extents;
}

unsigned FieldStates::set_of(const std::vector<int>& axes) {
  unsigned set = 0;
  for (const int axis : axes) set |= bit(axis);
  return set;
}

}  // namespace weft
