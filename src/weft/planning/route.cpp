// planning/route: follows a strategy from decomposition to decomposition, and checks that it solves
// the problem.

#include "weft/planning/route.hpp"

#include <algorithm>
#include <optional>

#include "weft/base/checked.hpp"
#include "weft/base/dims_text.hpp"
#include "weft/problem/distribution.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft {

namespace {

// Follows a strategy stage by stage.
const char* const planners_choice =
    "let the planner choose; describe() prints a strategy that works";
const char* const ends_of_a_split = "begin with 'from input', and end with an exchange 'to output'";

class RouteBuilder {
 public:
  RouteBuilder(const Strategy& strategy, const Problem& problem, int ranks);
  Route build();

 private:
  [[noreturn]] void reject(const std::string& why, const char* hint = planners_choice) const;
  bool is_done(int axis) const {
    return std::find(done_.begin(), done_.end(), axis) != done_.end();
  }
  const FieldStates& states() const { return route_.states; }
  unsigned done_set() const { return FieldStates::set_of(done_); }
  bool is_spectral() const { return states().is_spectral(done_set()); }
  Extents extents() const { return states().extents(done_set()); }
  Decomposition required_output() const {
    return weft::required_output(problem_, route_.user_input, ranks_, place_.grid.owners);
  }

  void check_split() const;
  void check_grid(const ProcessGrid& grid) const;
  void check_owners(const std::vector<int>& owners, const std::string& of) const;
  void check_free_end(const Place& place, const Distribution& distribution) const;
  void check_user_place(const Place& place) const;
  void check_axes() const;

  Decomposition start() const;
  void follow(const Stage& stage);
  void transform(const PassStage& pass);
  void exchange(const ExchangeStage& exchange);
  std::optional<Decomposition> output_now() const;
  Decomposition end() const;

  const Strategy& strategy_;
  const Problem& problem_;
  int ranks_;
  Route route_;
  std::vector<int> done_;  // axes transformed so far
  Place place_;            // where the data are after the stages so far
  Decomposition at_;       // the same as a decomposition of the inner grid
  bool after_exchange_ = false;
};

RouteBuilder::RouteBuilder(const Strategy& strategy, const Problem& problem, int ranks)
    : strategy_(strategy), problem_(problem), ranks_(ranks) {
  if (strategy.split) check_split();
  route_.states = FieldStates(problem, strategy.split);
}

Route RouteBuilder::build() {
  if (strategy_.stages.empty()) reject("it has no stages");
  if (strategy_.from.form == Place::output) reject("it starts at the output");
  check_user_place(strategy_.from);
  route_.user_input = start();
  if (problem_.input.form != Distribution::free &&
      resolve(problem_.input, real_extents(problem_), ranks_, "input") != route_.user_input)
    reject("it does not start where the problem says that the input is");
  place_ = strategy_.from;
  at_ = route_.input_view().inner(route_.user_input);
  for (const Stage& stage : strategy_.stages) follow(stage);
  check_axes();
  check_user_place(place_);
  route_.user_output = end();
  if (problem_.output.form != Distribution::free && required_output() != route_.user_output)
    reject("it does not end where the problem says that the output must be");
  if (at_ != route_.output_view().inner(route_.user_output))
    reject("its last pass leaves the output on other ranks than the grid before it says");
  return std::move(route_);
}

void RouteBuilder::reject(const std::string& why, const char* hint) const {
  throw Error(
      Error::invalid,
      fmt::format("the strategy '{}' does not solve the problem {} over {} rank{}: {}",
                  to_string(strategy_), to_string(problem_), ranks_, ranks_ == 1 ? "" : "s", why),
      hint);
}

void RouteBuilder::check_split() const {
  const AxisSplit& split = *strategy_.split;
  const bool is_axis = split.axis >= 0 && split.axis < problem_.extents.size();
  const bool is_product =
      is_axis && split.first >= 1 && split.second >= 1 &&
      checked_product(split.first, split.second) == problem_.extents[split.axis];
  const auto& axes = problem_.axes;
  if (!is_product || problem_.cutoff.is_given() || split.axis == half_axis(problem_) ||
      basis_of(problem_, split.axis) != Basis::fourier ||
      axis_transform(problem_, split.axis).is_pruned() ||
      std::find(axes.begin(), axes.end(), split.axis) == axes.end())
    reject(fmt::format("axis {} cannot be split as {}x{}", split.axis, split.first, split.second));
}

void RouteBuilder::check_grid(const ProcessGrid& grid) const {
  if (problem_.input.is_of_parts()) reject("parts of a grid cannot be moved to a process grid");
  const std::string parts = to_string(grid.parts);
  const Extents inner = states().extents(0);
  if (grid.parts.size() != inner.size())
    reject(fmt::format("{} has {} axes, but the grid {} has {}", parts, grid.parts.size(),
                       to_string(inner), inner.size()));
  for (auto part : grid.parts)
    if (part < 1) reject(fmt::format("{} has a number below 1", parts));
  if (grid.owners.empty()) {
    if (volume_exceeds(grid.parts, ranks_))
      reject(fmt::format("{} has more pieces than there are ranks", parts));
    return;
  }
  const auto listed = static_cast<std::int64_t>(grid.owners.size());
  if (volume_exceeds(grid.parts, listed))
    reject(fmt::format("{} has more pieces than the {} ranks listed for them", parts, listed));
  if (grid.count() < listed)
    reject(fmt::format("{} has {} pieces, but {} ranks are listed for them", parts, grid.count(),
                       listed));
  check_owners(grid.owners, parts);
}

void RouteBuilder::check_owners(const std::vector<int>& owners, const std::string& of) const {
  const int highest = *std::max_element(owners.begin(), owners.end());
  if (highest >= ranks_)
    reject(fmt::format("a piece of {} is on rank {}, but there {} {} rank{}", of, highest,
                       ranks_ == 1 ? "is" : "are", ranks_, ranks_ == 1 ? "" : "s"));
}

// A table of ranks may be given only for an end that the problem leaves free.
void RouteBuilder::check_free_end(const Place& place, const Distribution& distribution) const {
  if (place.grid.owners.empty()) return;
  const char* what = place.form == Place::input ? "input" : "output";
  if (distribution.form != Distribution::free)
    reject(fmt::format("it lists ranks for the {}, whose distribution the problem fixes", what));
  check_owners(place.grid.owners, std::string("the ") + what);
}

// Checks a process grid on which the user's input or output is.
void RouteBuilder::check_user_place(const Place& place) const {
  if (place.form != Place::on_grid) return;
  check_grid(place.grid);
  if (route_.input_view().has_batch_axis() && place.grid.parts[0] != 1)
    reject("it divides the batch at the input or the output");
  if (strategy_.split)
    reject(
        fmt::format("the grid {} counts axis {} as two, since it is split, but the input and the "
                    "output of a plan have it as one axis, so that they cannot lie on this grid",
                    to_string(place.grid.parts), strategy_.split->axis),
        ends_of_a_split);
}

void RouteBuilder::check_axes() const {
  const std::vector<int> wanted = route_.input_view().inner_axes(problem_.axes.list());
  std::vector<int> done = done_;
  std::sort(done.begin(), done.end());
  if (wanted != done)
    reject(
        fmt::format("it transforms axes {}, not {}", fmt::join(done, ","), fmt::join(wanted, ",")));
}

Decomposition RouteBuilder::start() const {
  if (strategy_.from.form == Place::on_grid)
    return route_.input_view().on_user_grid(strategy_.from.grid, ranks_);
  check_free_end(strategy_.from, problem_.input);
  return starting_input(problem_, ranks_, strategy_.from.grid.owners);
}

void RouteBuilder::follow(const Stage& stage) {
  route_.before.push_back(at_);
  const auto* pass = std::get_if<PassStage>(&stage);
  if (pass == nullptr && after_exchange_)
    reject("it has two exchanges without a pass between them");
  after_exchange_ = pass == nullptr;
  if (pass != nullptr)
    transform(*pass);
  else
    exchange(std::get<ExchangeStage>(stage));
  route_.after.push_back(at_);
}

void RouteBuilder::transform(const PassStage& pass) {
  const View& view = route_.input_view();
  for (int axis : pass.axes) {
    if (axis < 0 || axis >= at_.extents().size()) reject(fmt::format("there is no axis {}", axis));
    if (is_done(axis)) reject(fmt::format("axis {} is transformed twice", axis));
    if (!at_.is_whole(axis))
      reject(fmt::format("axis {} is divided where it is transformed", axis));
    if (!is_spectral() && axis != states().half())
      reject(fmt::format("axis {} is transformed before the real axis {}", axis, states().half()));
    if (view.split && axis == view.inner_axis(view.split->axis) + 1 && !is_done(axis - 1))
      reject(fmt::format("axis {} is transformed before axis {}", axis, axis - 1));
    done_.push_back(axis);
  }
  if (const Extents after = extents(); after != at_.extents()) at_ = unmoved(at_, after);
}

void RouteBuilder::exchange(const ExchangeStage& exchange) {
  place_ = exchange.to;
  if (place_.form == Place::on_grid) {
    check_grid(place_.grid);
    at_ = Decomposition::on_grid(extents(), place_.grid, ranks_);
  } else if (const auto output = place_.form == Place::output ? output_now() : std::nullopt) {
    check_free_end(place_, problem_.output);
    at_ = *output;
  } else {
    reject(fmt::format("it moves to {} what is not the output yet", to_string(place_)));
  }
}

// The output's decomposition of the field as it is now: axes may still be transformed there that no
// box of it divides. Parts of the output have only what the transforms along the axes that they
// divide have left, so those must be done. None if the field cannot be there yet.
std::optional<Decomposition> RouteBuilder::output_now() const {
  const Decomposition output = route_.output_view().inner(required_output());
  for (const int axis : route_.input_view().inner_axes(problem_.axes.list()))
    if (!is_done(axis) && !output.is_whole(axis) &&
        (output.is_of_parts() || extents()[axis] != output.extents()[axis]))
      return std::nullopt;
  return unmoved(output, extents());
}

Decomposition RouteBuilder::end() const {
  if (place_.form == Place::on_grid) return route_.output_view().on_user_grid(place_.grid, ranks_);
  if (place_.form == Place::output) return required_output();
  if (strategy_.split) reject("it does not bring a split axis back to the output", ends_of_a_split);
  return unmoved(route_.user_input, route_.output_view().extents);
}

}  // namespace

Decomposition unmoved(const Decomposition& before, const Extents& extents) {
  if (extents == before.extents()) return before;
  // A grid that divides such an axis would give its points to other owners.
  bool on_same_grid = before.grid().has_value();
  for (int axis = 0; axis < extents.size(); ++axis)
    if (extents[axis] != before.extents()[axis] && on_same_grid)
      on_same_grid = before.grid()->parts[axis] == 1;
  if (on_same_grid) return Decomposition::on_grid(extents, *before.grid(), before.owners());
  std::vector<std::vector<Box>> boxes;
  for (int owner = 0; owner < before.owners(); ++owner) {
    boxes.push_back(before.boxes(owner));
    for (Box& box : boxes.back())
      for (int axis = 0; axis < extents.size(); ++axis)
        if (extents[axis] != before.extents()[axis]) box.hi[axis] = extents[axis];
  }
  return before.is_of_parts() ? Decomposition::of_parts(extents, std::move(boxes), "unmoved")
                              : Decomposition::of_boxes(extents, std::move(boxes), "unmoved");
}

Route route_of(const Strategy& strategy, const Problem& problem, int ranks) {
  return RouteBuilder(strategy, problem, ranks).build();
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
  return slabs_if_free(problem.input, real_extents(problem), ranks, slab_owners, "input");
}

Decomposition required_output(const Problem& problem, const Decomposition& user_input, int ranks,
                              const std::vector<int>& slab_owners) {
  const Extents extents = spectral_extents(problem);
  if (problem.output.form != Distribution::same)
    return slabs_if_free(problem.output, extents, ranks, slab_owners, "output");
  if (user_input.grid()) return Decomposition::on_grid(extents, *user_input.grid(), ranks);
  for (int axis = 0; axis < extents.size(); ++axis)
    if (extents[axis] > user_input.extents()[axis])
      throw Error(Error::invalid,
                  fmt::format("the output, {}, is larger than the input, {}, along axis {}, so it "
                              "cannot be distributed in the input's boxes",
                              to_string(extents), to_string(user_input.extents()), axis),
                  "give the output boxes of its own, or leave it free");
  // For any boxes, their intersections with the output's grid.
  std::vector<std::vector<Box>> boxes;
  for (int rank = 0; rank < ranks; ++rank) {
    boxes.emplace_back();
    for (const Box& box : user_input.boxes(rank))
      boxes.back().push_back(intersect(box, Box::whole(extents)));
  }
  return Decomposition::of_boxes(extents, std::move(boxes), "output");
}

}  // namespace weft
