// model/route: the decompositions a strategy passes through, and the check that it answers the
// problem.

#include <algorithm>

#include "weft/model/route.hpp"

namespace weft {

namespace {

// Blocks of a process grid of the inner grid, on the user's: a batch is never divided there.
Decomposition on_user_grid(ProcessGrid grid, const Extents& extents, bool batch_axis, int ranks) {
  if (batch_axis) grid.parts.erase(0);
  return Decomposition::on_grid(extents, grid, ranks);
}

struct Walker {
  const Strategy& strategy;
  const Problem& problem;
  int ranks;
  int half = -1;  // inner axis
  std::vector<int> done;

  [[noreturn]] void reject(const std::string& why) const {
    throw Error(Error::invalid,
                fmt::format("the strategy '{}' does not answer {} over {} ranks: {}",
                            to_string(strategy), to_string(problem), ranks, why),
                "let the planner choose, or see describe() for a strategy that works");
  }
  bool is_done(int axis) const { return std::find(done.begin(), done.end(), axis) != done.end(); }
  bool spectral() const { return half < 0 || is_done(half); }

  void check_grid(const ProcessGrid& grid, const Extents& inner) const {
    const std::string parts = to_string(grid.parts);
    if (grid.parts.size() != inner.size())
      reject(fmt::format("{} has {} axes, the grid {} has {}", parts, grid.parts.size(),
                         to_string(inner), inner.size()));
    for (auto part : grid.parts)
      if (part < 1) reject(fmt::format("{} has a part below 1", parts));
    if (grid.owners.empty()) {
      if (volume_exceeds(grid.parts, ranks))
        reject(fmt::format("{} has more places than ranks", parts));
      return;
    }
    const auto named = static_cast<std::int64_t>(grid.owners.size());
    if (volume_exceeds(grid.parts, named))
      reject(fmt::format("{} has more pieces than the {} ranks named for them", parts, named));
    if (grid.count() < named)
      reject(fmt::format("{} has {} pieces, but {} ranks are named for them", parts, grid.count(),
                         named));
    check_owners(grid.owners, parts);
  }

  void check_owners(const std::vector<int>& owners, const std::string& of) const {
    const int highest = *std::max_element(owners.begin(), owners.end());
    if (highest >= ranks)
      reject(fmt::format("a piece of {} is on rank {}, of {}", of, highest, ranks));
  }

  // Only what the problem leaves free can be put on some ranks.
  void check_free_end(const Place& place, const Distribution& said) const {
    if (place.grid.owners.empty()) return;
    const char* what = place.form == Place::input ? "input" : "output";
    if (said.form != Distribution::free)
      reject(fmt::format("the {} lies where the problem says", what));
    check_owners(place.grid.owners, std::string("the ") + what);
  }

  void transform(const PassStage& pass, const Decomposition& at, const View& view) {
    for (int axis : pass.axes) {
      if (axis < 0 || axis >= at.extents().size()) reject(fmt::format("there is no axis {}", axis));
      if (is_done(axis)) reject(fmt::format("axis {} is transformed twice", axis));
      if (!at.is_whole(axis))
        reject(fmt::format("axis {} is divided where it is transformed", axis));
      if (!spectral() && axis != half)
        reject(fmt::format("axis {} is transformed before the real axis {}", axis, half));
      if (view.split && axis == view.inner_axis(view.split->axis) + 1 && !is_done(axis - 1))
        reject(fmt::format("axis {} is transformed before axis {}", axis, axis - 1));
      done.push_back(axis);
    }
  }
};

}  // namespace

Decomposition unmoved(const Decomposition& real, const Extents& extents, int half) {
  if (real.grid()) return Decomposition::on_grid(extents, *real.grid(), real.owners());
  std::vector<std::vector<Box>> boxes;
  for (int owner = 0; owner < real.owners(); ++owner) {
    boxes.push_back(real.boxes(owner));
    if (half >= 0)
      for (Box& box : boxes.back()) box.hi[half] = extents[half];
  }
  return Decomposition::of_boxes(extents, std::move(boxes), "halved");
}

Route route_of(const Strategy& strategy, const Problem& problem, int ranks) {
  Route route;
  const int user_half = half_axis(problem);
  const Extents out_extents = halved(problem.extents, user_half);
  route.input_view = {problem.extents, problem.batch, strategy.split, SplitOrder::first_slow};
  route.output_view = {out_extents, problem.batch, strategy.split, SplitOrder::first_fast};
  Walker walker{strategy, problem, ranks, -1, {}};
  if (user_half >= 0) walker.half = route.input_view.inner_axis(user_half);
  if (strategy.split) {
    const AxisSplit& split = *strategy.split;
    if (split.axis < 0 || split.axis >= problem.extents.size() || split.first < 1 ||
        split.second < 1 || split.first * split.second != problem.extents[split.axis] ||
        split.axis == user_half ||
        std::find(problem.axes.begin(), problem.axes.end(), split.axis) == problem.axes.end())
      walker.reject(
          fmt::format("axis {} cannot be split as {}x{}", split.axis, split.first, split.second));
  }
  const Extents real = route.input_view.inner_extents();
  const Extents spectral = halved(real, walker.half);

  if (strategy.stages.empty()) walker.reject("it has no stages");
  if (strategy.from.form == Place::output) walker.reject("it starts at the output");
  const bool batch = route.input_view.has_batch_axis();
  const auto check_user_place = [&](const Place& at) {
    if (at.form != Place::on_grid) return;
    walker.check_grid(at.grid, real);
    if (batch && at.grid.parts[0] != 1) walker.reject("the batch is divided where the user is");
    if (strategy.split) walker.reject("the user's array is not on the grid of a split axis");
  };

  check_user_place(strategy.from);
  if (strategy.from.form == Place::on_grid) {
    route.user_input = on_user_grid(strategy.from.grid, problem.extents, batch, ranks);
  } else {
    walker.check_free_end(strategy.from, problem.input);
    route.user_input = starting_input(problem, ranks, strategy.from.grid.owners);
  }
  if (problem.input.form != Distribution::free &&
      resolve(problem.input, problem.extents, ranks, "input") != route.user_input)
    walker.reject("it starts elsewhere than the input lies");

  Place place = strategy.from;
  Decomposition at = route.input_view.inner(route.user_input);
  const auto user_output = [&] {
    return required_output(problem, route.user_input, ranks, place.grid.owners);
  };
  bool after_exchange = false;
  for (const Stage& stage : strategy.stages) {
    route.before.push_back(at);
    const bool is_exchange = std::holds_alternative<ExchangeStage>(stage);
    if (is_exchange && after_exchange) walker.reject("two exchanges follow each other");
    after_exchange = is_exchange;
    if (const auto* pass = std::get_if<PassStage>(&stage)) {
      const bool was_spectral = walker.spectral();
      walker.transform(*pass, at, route.input_view);
      if (walker.spectral() && !was_spectral) at = unmoved(at, spectral, walker.half);
    } else {
      place = std::get<ExchangeStage>(stage).to;
      if (place.form == Place::on_grid) {
        walker.check_grid(place.grid, real);
        at = Decomposition::on_grid(walker.spectral() ? spectral : real, place.grid, ranks);
      } else if (place.form == Place::output && walker.spectral()) {
        walker.check_free_end(place, problem.output);
        at = route.output_view.inner(user_output());
      } else {
        walker.reject(fmt::format("it moves real data to {}", to_string(place)));
      }
    }
    route.after.push_back(at);
  }

  std::vector<int> wanted;
  for (int axis : problem.axes) {
    wanted.push_back(route.input_view.inner_axis(axis));
    if (strategy.split && axis == strategy.split->axis) wanted.push_back(wanted.back() + 1);
  }
  std::sort(wanted.begin(), wanted.end());
  std::sort(walker.done.begin(), walker.done.end());
  if (wanted != walker.done)
    walker.reject(fmt::format("it transforms axes {} of {}", fmt::join(walker.done, ","),
                              fmt::join(wanted, ",")));

  check_user_place(place);
  if (place.form == Place::on_grid)
    route.user_output = on_user_grid(place.grid, out_extents, batch, ranks);
  else if (place.form == Place::output)
    route.user_output = user_output();
  else if (strategy.split)
    walker.reject("a split axis must be brought back to the output");
  else
    route.user_output = unmoved(route.user_input, out_extents, user_half);
  if (problem.output.form != Distribution::free && user_output() != route.user_output)
    walker.reject("it ends elsewhere than the output must lie");
  ensure(at == route.output_view.inner(route.user_output), to_string(strategy));
  return route;
}

namespace {

Decomposition slabs_if_free(Distribution distribution, const Extents& extents, int ranks,
                            const std::vector<int>& slab_owners, const std::string& name) {
  if (distribution.form != Distribution::free) return resolve(distribution, extents, ranks, name);
  distribution.form = Distribution::slab;
  if (slab_owners.empty()) return resolve(distribution, extents, ranks, name);
  const Decomposition slabs =
      resolve(distribution, extents, static_cast<int>(slab_owners.size()), name);
  return Decomposition::on_grid(extents, ProcessGrid::placed(slabs.grid()->parts, slab_owners),
                                ranks);
}

}  // namespace

Decomposition starting_input(const Problem& problem, int ranks,
                             const std::vector<int>& slab_owners) {
  return slabs_if_free(problem.input, problem.extents, ranks, slab_owners, "input");
}

Decomposition required_output(const Problem& problem, const Decomposition& user_input, int ranks,
                              const std::vector<int>& slab_owners) {
  const int half = half_axis(problem);
  const Extents extents = halved(problem.extents, half);
  if (problem.output.form != Distribution::same)
    return slabs_if_free(problem.output, extents, ranks, slab_owners, "output");
  if (user_input.grid()) return Decomposition::on_grid(extents, *user_input.grid(), ranks);
  // Any boxes: what of them lies in the halved grid.
  std::vector<std::vector<Box>> boxes;
  for (int rank = 0; rank < ranks; ++rank) {
    boxes.emplace_back();
    for (const Box& box : user_input.boxes(rank))
      boxes.back().push_back(intersect(box, Box::whole(extents)));
  }
  return Decomposition::of_boxes(extents, std::move(boxes), "output");
}

}  // namespace weft
