// compat/fftmpi/fft_body: plans, and what runs them.

#include "weft/compat/fftmpi/fft_body.hpp"

#include <algorithm>

#include "weft/compat/fftmpi/bricks.hpp"

namespace FFTMPI_NS {

namespace {

using namespace weft::bricks;

void run(weft::AnyPlan& plan, void* from, void* to, int flag, double scale = 1) {
  if (flag == 1)
    plan.forward(from, to, scale);
  else
    plan.backward(from, to, scale);
}

/// The process grid in which the plan transforms `axis`; empty where it does so in bricks of the
/// program's own.
weft::Dims grid_of_axis(const weft::AnyPlan& plan, int axis, int ranks) {
  weft::Dims grid;
  for (const weft::StageReport& stage : plan.report().forward.stages) {
    const bool has_axis = std::find(stage.axes.begin(), stage.axes.end(), axis) != stage.axes.end();
    if (has_axis && !stage.grid.empty() && stage.grid[axis] == 1 && volume(stage.grid) <= ranks)
      grid = stage.grid;
  }
  return grid;
}

/// Where lines of `axis`, which is the number `nth` from the fastest on, are transformed: where the
/// plan does so, or in a side of the program's in which they are whole, or else in pencils.
Place place_of_lines(const weft::AnyPlan& plan, int axis, int nth) {
  const weft::Problem& problem = plan.problem();
  const weft::Extents& extents = problem.extents;
  int ranks = 1;
  MPI_Comm_size(plan.comm(), &ranks);
  const weft::Dims planned = grid_of_axis(plan, axis, ranks);
  const auto grid =
      planned.empty() ? pencils_along(axis, extents, ranks) : weft::ProcessGrid{planned};
  Place place{grid.box(extents, plan.rank()), nth, grid.parts};
  if (!planned.empty()) return place;
  if (are_whole(problem.input.boxes_of_rank(), axis, extents))
    place.brick = plan.local_input();
  else if (are_whole(problem.output.boxes_of_rank(), axis, extents))
    place.brick = plan.local_output();
  return place;
}

}  // namespace

void WeftFftBody::plan_with(const weft::Options& options) {
  problem.precision = precision;
  problem.norm = weft::Norm::none;
  problem.in_place = true;
  problem.input = side_of(in, 0);
  problem.output = side_of(out, permute);
  plan = weft::shared_plan(comm, problem, options);
  engine = plan->engine();
  movement.reset();
  moves.clear();
  lines.reset();

  places = {{in, 0, {}}};
  for (int nth = 0; nth < axes; ++nth) places.push_back(place_of_lines(*plan, axes - 1 - nth, nth));
  places.push_back({out, permute, {}});
  moves.resize(places.size() - 1);
}

std::int64_t WeftFftBody::most_points() const {
  std::int64_t most = std::max(plan->input().elements, plan->output().elements);
  for (const Place& place : places) most = std::max(most, place.brick.volume());
  return most;
}

void WeftFftBody::transform(void* from, void* to, int flag, bool is_scaled) {
  const bool divides = flag == -1 && is_scaled;
  run(*plan, from, to, flag, divides ? 1 / static_cast<double>(volume(problem.extents)) : 1);
}

void WeftFftBody::transform_lines(void* array, int flag) {
  if (!lines) {
    std::vector<Lines::Kind> kinds;
    for (int nth = 0; nth < axes; ++nth) {
      const std::int64_t length = problem.extents[axes - 1 - nth];
      kinds.push_back({length, places[static_cast<std::size_t>(nth + 1)].brick.volume() / length});
    }
    lines = std::make_unique<Lines>(kinds, precision, plan->threads());
  }
  lines->transform(array, flag == 1);
}

void WeftFftBody::move(void* from, void* to, int flag) {
  if (!movement)
    movement = weft::shared_plan(comm, movement_of(problem, problem.input, problem.output),
                                 usual_options());
  run(*movement, from, to, flag);
}

void WeftFftBody::move_once(void* from, void* to, int flag, int which) {
  auto& step = moves[static_cast<std::size_t>(which - 1)];
  if (!step) {
    const auto side = [&](int at) {
      const Place& place = places[static_cast<std::size_t>(at)];
      return side_of(place.brick, place.permute);
    };
    step = weft::shared_plan(comm, movement_of(problem, side(which - 1), side(which)),
                             usual_options());
  }
  run(*step, from, to, flag);
}

}  // namespace FFTMPI_NS
