// planning/strategy_search: finds the shortest path, and writes it down as a strategy.

#include "weft/planning/strategy_search.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <queue>
#include <utility>

#include "weft/planning/constants.hpp"
#include "weft/planning/route.hpp"

namespace weft {

namespace {
constexpr double never = std::numeric_limits<double>::infinity();
}

// The fastest known way to a vertex of the graph.
struct StrategySearch::Way {
  double seconds = never;
  int parent = -1;        // the vertex before this one; -1 at the start
  std::size_t start = 0;  // the place where the way starts
  std::vector<int> axes;  // axes transformed at the parent's place
  double copy = 0;        // of the copy that is needed if the way ends here
};

// What one search has found so far.
struct StrategySearch::Exploration {
  using Entry = std::pair<double, std::size_t>;  // seconds, vertex

  std::size_t first_start = 0;
  std::vector<Way> ways;  // by vertex
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  Way end;  // the best complete way
};

StrategySearch::StrategySearch(const Problem& problem, const CostPredictor& predictor,
                               const Choices& choices, std::optional<AxisSplit> split)
    : view_(problem, predictor.ranks(), choices, split),
      layouts_(view_),
      costs_(view_, layouts_, predictor) {}

std::optional<Planned> StrategySearch::best() const {
  // Where the end does not depend on the start, one search covers all starts.
  if (layouts_.output || view_.problem.output.form != Distribution::same)
    return best_from(layouts_.starts, never);
  std::optional<Planned> best;
  double least = never;
  for (const std::size_t start : layouts_.starts)
    if (auto found = best_from({start}, least)) {
      least = found->seconds;
      best = std::move(found);
    }
  return best;
}

double StrategySearch::imbalance(const Strategy& strategy) const {
  const Route route = route_of(strategy, view_.problem, view_.machine.ranks);
  double worst = 1;
  for (std::size_t i = 0; i < route.before.size(); ++i) {
    const auto* pass = std::get_if<PassStage>(&strategy.stages[i]);
    if (pass == nullptr || pass->axes.empty()) continue;
    worst =
        std::max(worst, static_cast<double>(route.before[i].largest_volume()) * view_.workers() /
                            static_cast<double>(volume(route.before[i].extents())));
  }
  return worst;
}

// The axes that can be transformed at `place`, in the order in which passes transform them: the
// axis that r2c halves first, then the contiguous axis before strided ones.
std::vector<int> StrategySearch::available(std::size_t place, unsigned done) const {
  std::vector<int> axes;
  if (!at(place, done)) return axes;
  const unsigned whole = layouts_.candidates[place].whole;
  for (auto axis = view_.axes.rbegin(); axis != view_.axes.rend(); ++axis) {
    if ((done & view_.bit(*axis)) != 0 || (whole & view_.bit(*axis)) == 0) continue;
    // The second axis of a split is transformed after the first.
    if (view_.split && *axis == view_.view().inner_axis(view_.split->axis) + 1 &&
        (done & view_.bit(*axis - 1)) == 0)
      continue;
    if (*axis == view_.states.half())
      axes.insert(axes.begin(), *axis);
    else
      axes.push_back(*axis);
  }
  if (!view_.is_spectral(done) && (axes.empty() || axes.front() != view_.states.half()))
    axes.clear();
  return axes;
}

// The subsets of the available axes that may be transformed here: of many, only the first ones. An
// axis that is left for later gives a later pass something to transform while it unpacks.
std::vector<std::vector<int>> StrategySearch::selections(const std::vector<int>& available,
                                                         unsigned done) const {
  const bool needs_first = !view_.is_spectral(done);
  std::vector<std::vector<int>> some;
  if (available.size() > constants::most_axes_with_all_subsets) {
    for (std::size_t count = available.size(); count > 0; --count)
      some.emplace_back(available.begin(), available.begin() + static_cast<std::ptrdiff_t>(count));
    return some;
  }
  for (unsigned set = (1U << available.size()) - 1; set > 0; --set) {
    if (needs_first && (set & 1U) == 0) continue;
    some.emplace_back();
    for (std::size_t i = 0; i < available.size(); ++i)
      if ((set >> i) & 1U) some.back().push_back(available[i]);
  }
  return some;
}

// Parts have only what the transforms along the axes that they divide have left.
bool StrategySearch::may_become_parts(std::size_t place, unsigned done) const {
  return !at(place, done)->is_of_parts() ||
         (layouts_.candidates[place].whole | done) == view_.all();
}

bool StrategySearch::may_end(std::size_t place, std::size_t start) const {
  if (layouts_.output) return place == *layouts_.output;
  if (view_.problem.output.form == Distribution::same) return place == start;
  const Place& at = layouts_.candidates[place].place;
  return !(view_.view().has_batch_axis() && at.form == Place::on_grid && at.grid.parts[0] > 1);
}

// Whether a way may go on at `next`: an axis can be transformed there, or the way can end there.
bool StrategySearch::is_useful(std::size_t next, unsigned done, std::size_t first_start) const {
  const bool can_go_on = done == view_.all() ? may_end(next, first_start)
                                             : (layouts_.candidates[next].whole & ~done) != 0;
  const bool is_input_only =
      layouts_.candidates[next].place.form == Place::input && next != layouts_.output;
  return can_go_on && !is_input_only;
}

// The fastest strategy from one of these places; none if all take `limit` or more.
std::optional<Planned> StrategySearch::best_from(const std::vector<std::size_t>& starts,
                                                 double limit) const {
  Exploration found;
  found.end.seconds = limit;
  found.first_start = starts.front();
  found.ways.resize(layouts_.candidates.size() * masks());
  // Of equal ways, the one is taken that starts on the grid with the lower number (slabs).
  double first = 0;
  for (const std::size_t start : starts) {
    reach(found, vertex(start, 0), {first, -1, start, {}});
    first += costs_.late_start();
  }
  while (!found.open.empty()) {
    const auto [seconds, here] = found.open.top();
    found.open.pop();
    if (seconds > found.end.seconds) break;
    if (seconds > found.ways[here].seconds) continue;  // a faster way was found later
    extend(found, here);
  }
  if (found.end.parent < 0) return std::nullopt;
  return Planned{strategy_to(found), found.end.seconds};
}

void StrategySearch::reach(Exploration& found, std::size_t vertex, const Way& way) const {
  found.ways[vertex] = way;
  found.open.emplace(way.seconds, vertex);
}

// Tries everything that can follow at the vertex `here`.
void StrategySearch::extend(Exploration& found, std::size_t here) const {
  const std::size_t place = place_of(here);
  const unsigned done = done_at(here);
  auto options = selections(available(place, done), done);
  const bool at_start = found.ways[here].parent < 0;
  // Only at the ends may a place transform nothing.
  if (at_start || done == view_.all()) options.emplace_back();
  for (const auto& axes : options) {
    unsigned now_done = done;
    for (const int axis : axes) now_done |= view_.bit(axis);
    if (now_done == view_.all() && may_end(place, found.first_start)) finish(found, here, axes);
    if (!axes.empty() || at_start) exchange_from(found, here, axes, now_done);
  }
}

// What the way to `here` and transforming `axes` there take.
double StrategySearch::seconds_after(const Exploration& found, std::size_t here,
                                     const std::vector<int>& axes) const {
  const double passes = axes.empty() ? 0 : costs_.passes(place_of(here), done_at(here), axes);
  return found.ways[here].seconds + passes;
}

// Ends the way at `here`, after transforming `axes`, if that is the best end so far.
void StrategySearch::finish(Exploration& found, std::size_t here,
                            const std::vector<int>& axes) const {
  const Way& way = found.ways[here];
  const std::size_t place = place_of(here);
  double seconds = seconds_after(found, here, axes) + (axes.empty() ? way.copy : 0);
  if (view_.problem.in_place && place != way.start && !view_.axes.empty())
    seconds += costs_.extra_field(place, view_.all());
  if (seconds < found.end.seconds) found.end = {seconds, static_cast<int>(here), way.start, axes};
}

// Transforms `axes` at `here` and exchanges from there to every other place.
void StrategySearch::exchange_from(Exploration& found, std::size_t here,
                                   const std::vector<int>& axes, unsigned done) const {
  const std::size_t place = place_of(here);
  const double transformed = seconds_after(found, here, axes);
  if (transformed > found.end.seconds || !at(place, done)) return;
  if (at(place, done)->is_of_parts()) return;  // no way out of parts is shorter
  const double charge = costs_.charge(std::popcount(view_.all() & ~done));
  for (std::size_t next = 0; next < layouts_.candidates.size(); ++next) {
    if (next == place || !at(next, done) || !may_become_parts(next, done)) continue;
    // Before the costs of the exchange, which take longest to compute.
    if (transformed >= found.ways[vertex(next, done)].seconds) continue;
    if (!is_useful(next, done, found.first_start)) continue;
    const SearchCosts::Exchange exchange = costs_.exchange(place, next, done);
    const double copied = exchange.takes_arrays ? 0 : costs_.passes(place, done, {});
    const double seconds = transformed + (axes.empty() ? copied : 0) + exchange.seconds + charge;
    if (seconds >= found.ways[vertex(next, done)].seconds) continue;
    reach(found, vertex(next, done),
          {seconds, static_cast<int>(here), found.ways[here].start, axes, copied});
  }
}

Strategy StrategySearch::strategy_to(const Exploration& found) const {
  Strategy strategy;
  strategy.engine = view_.choices.engine;
  strategy.split = view_.split;
  std::vector<Stage> backwards;
  std::vector<bool> takes_arrays_backwards;
  const auto transform = [&](const std::vector<int>& axes) {
    const auto& stages = costs_.grouping().passes(axes);
    backwards.insert(backwards.end(), stages.rbegin(), stages.rend());
    takes_arrays_backwards.resize(backwards.size(), true);
  };
  transform(found.end.axes);
  auto here = static_cast<std::size_t>(found.end.parent);
  while (found.ways[here].parent >= 0) {
    const auto before = static_cast<std::size_t>(found.ways[here].parent);
    const std::size_t to = place_of(here);
    Place place = layouts_.candidates[to].place;
    if (place.form == Place::input) place.form = Place::output;  // an output at the input
    const auto exchange = costs_.exchange(place_of(before), to, done_at(here));
    backwards.emplace_back(ExchangeStage{exchange.traits->name, place});
    takes_arrays_backwards.push_back(exchange.takes_arrays);
    transform(found.ways[here].axes);
    here = before;
  }
  strategy.from = layouts_.candidates[place_of(here)].place;
  strategy.stages.assign(backwards.rbegin(), backwards.rend());
  takes_arrays_backwards.resize(std::max<std::size_t>(1, backwards.size()), true);
  add_copies(strategy.stages, takes_arrays_backwards.back(), takes_arrays_backwards.front());
  return strategy;
}

// Adds copies where the first or the last stage cannot load from or store to a user's array.
void StrategySearch::add_copies(std::vector<Stage>& stages, bool first_takes_arrays,
                                bool last_takes_arrays) const {
  if (stages.empty()) stages.emplace_back(PassStage{});
  if (!first_takes_arrays) stages.insert(stages.begin(), PassStage{});
  if (!last_takes_arrays) stages.emplace_back(PassStage{});
  // An exchange in shared memory moves nothing without a pass that loads.
  const auto* alone = stages.size() == 1 ? std::get_if<ExchangeStage>(&stages.front()) : nullptr;
  if (alone != nullptr && costs_.shares_memory(alone->exchange)) stages.emplace_back(PassStage{});
}

}  // namespace weft
