// compat/lammps/fft_plan: the two plans, and the lines of one rank.

#include "weft/compat/lammps/fft_plan.hpp"

#include <algorithm>

#include "weft/compat/fftmpi/bricks.hpp"

namespace weft::lammps {

namespace {

using namespace weft::bricks;

}  // namespace

FftPlan::FftPlan(MPI_Comm comm, const Asked& asked)
    : comm_(comm), precision_(asked.precision), scale_back_(1) {
  if (asked.permute < 0 || asked.permute > 2)
    throw Error(Error::invalid, "permute is " + std::to_string(asked.permute), "0, 1 or 2");
  for (const auto points : asked.extents)
    if (points < 1)
      throw Error(Error::invalid,
                  "the grid has " + std::to_string(points) + " points along an axis", "1 or more");
  if (asked.is_scaled) scale_back_ = 1 / static_cast<double>(volume(asked.extents));
  Problem problem;
  problem.extents = asked.extents;
  problem.precision = asked.precision;
  problem.norm = Norm::none;
  problem.in_place = true;
  problem.input = side_of(asked.in, 0);
  problem.output = side_of(asked.out, asked.permute);
  forward_ = shared_plan(comm, problem, usual_options());
  const Problem& gathered = forward_->problem();
  back_ = forward_;
  if (asked.permute == 0 && gathered.input.boxes_of_rank() == gathered.output.boxes_of_rank())
    return;
  std::swap(problem.input, problem.output);
  back_ = shared_plan(comm, problem, usual_options());
}

void FftPlan::transform(void* in, void* out, bool is_forward) {
  if (is_forward)
    forward_->forward(in, out);
  else
    back_->backward(in, out, scale(is_forward));
}

std::int64_t FftPlan::workspace_bytes() const {
  return forward_->workspace_bytes() + (back_ == forward_ ? 0 : back_->workspace_bytes());
}

std::vector<Lines::Kind> FftPlan::lines_in(std::int64_t points) const {
  const Extents& extents = forward_->problem().extents;
  int ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  std::vector<Lines::Kind> kinds;
  for (int axis = 2; axis >= 0; --axis) {
    const Box pencils = pencils_along(axis, extents, ranks).box(extents, forward_->rank());
    kinds.push_back({extents[axis], std::min(points, pencils.volume()) / extents[axis]});
  }
  return kinds;
}

void FftPlan::transform_lines(void* array, std::int64_t points, bool is_forward) {
  if (points_of_lines_ != points) {
    lines_ = std::make_unique<Lines>(lines_in(points), precision_, forward_->threads());
    points_of_lines_ = points;
  }
  lines_->transform(array, is_forward, scale(is_forward));
}

}  // namespace weft::lammps
