// planning/planner: a shortest path in a graph whose vertices are pairs of (place of the data, axes
// transformed so far).

#include "weft/planning/planner.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>

#include "weft/planning/layout_candidates.hpp"
#include "weft/planning/pass_grouping.hpp"
#include "weft/planning/route.hpp"
#include "weft/planning/split_candidates.hpp"
#include "weft/planning/traffic.hpp"

namespace weft {

namespace {

// The number of available axes of which all subsets are tried. Of more axes, only all and all but
// the last one are tried. A choice: n axes have 2^n subsets.
constexpr std::size_t most_axes_with_all_subsets = 3;
// The share of the busiest rank, relative to an even one, above which the longest axis may be split
// in two. A choice: a split costs up to three exchanges.
constexpr double least_imbalance_for_split = 1.5;

// The search for one problem on one inner grid, with or without a split axis.
class Search {
 public:
  Search(const Problem& problem, const Machine& machine, const Choices& choices,
         std::optional<AxisSplit> split)
      : view_(problem, machine, choices, split), layouts_(view_), grouping_(view_.states, machine) {
    traffic_.resize(view_.extents.size() * layouts_.candidates.size() * layouts_.candidates.size());
    for (const auto& [member, name] : {std::pair{&Exchanges::chosen, &choices.exchange},
                                       {&Exchanges::in_nodes, &choices.exchange_in_nodes},
                                       {&Exchanges::between_nodes, &choices.exchange_between_nodes},
                                       {&Exchanges::small, &choices.small_exchange},
                                       {&Exchanges::large, &choices.large_exchange}})
      if (!name->empty()) exchanges_.*member = &traits(*name);
  }

  /// The best strategy among all places where the input may start.
  std::optional<Planned> best() const {
    // Where the end does not depend on the start, one search covers all starts.
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (layouts_.output || view_.problem.output.form != Distribution::same)
      return best_from(layouts_.starts, infinity);
    std::optional<Planned> best;
    double least = infinity;
    for (std::size_t start : layouts_.starts)
      if (auto found = best_from({start}, least)) {
        least = found->cost;
        best = std::move(found);
      }
    return best;
  }

  /// The busiest rank's share of the points relative to an even share, in the most uneven pass that
  /// transforms.
  double imbalance(const Planned& planned) const {
    const Route route = route_of(planned.strategy, view_.problem, view_.machine.ranks);
    double worst = 1;
    for (std::size_t i = 0; i < route.before.size(); ++i) {
      const auto* pass = std::get_if<PassStage>(&planned.strategy.stages[i]);
      if (pass == nullptr || pass->axes.empty()) continue;
      worst = std::max(worst, static_cast<double>(route.before[i].largest_volume()) * workers() /
                                  static_cast<double>(volume(route.before[i].extents())));
    }
    return worst;
  }

 private:
  // The number of ranks that can compute.
  int workers() const { return std::min(view_.pieces, view_.machine.ranks); }

  // The cheapest known way to a vertex of the graph.
  struct Way {
    double cost = std::numeric_limits<double>::infinity();
    int parent = -1;        // the vertex before this one; -1 at the start
    std::size_t start = 0;  // the place where the way starts
    std::vector<int> axes;  // axes transformed at the parent's place
    double copy = 0;        // cost of the copy that is needed if the way ends here
    double sent = 0;        // the part of the cost that exchanges cause
  };

  // What one search has found so far.
  struct Exploration {
    // Cost, axes left to transform, start, vertex. Of equal costs, the way that has transformed
    // more axes comes first, then the one that starts on the lower-numbered grid (slabs).
    using Entry = std::tuple<double, std::size_t, std::size_t, std::size_t>;

    std::size_t first_start = 0;
    std::vector<Way> ways;  // by vertex
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    Way end;  // the best complete way
  };

  // The number of sets of axes. A vertex is place * masks() + set of transformed axes.
  std::size_t masks() const { return std::size_t{1} << view_.axes.size(); }
  std::size_t vertex(std::size_t place, unsigned done) const { return place * masks() + done; }
  std::size_t place_of(std::size_t vertex) const { return vertex / masks(); }
  unsigned done_at(std::size_t vertex) const { return static_cast<unsigned>(vertex % masks()); }

  const std::optional<Decomposition>& at(std::size_t place, unsigned done) const {
    return layouts_.candidates[place].at[view_.state(done)];
  }

  // The axes that can be transformed at `place`, in the order in which passes transform them: the
  // axis that r2c halves first, then the contiguous axis before strided ones.
  std::vector<int> available(std::size_t place, unsigned done) const {
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

  // The subsets of the available axes that may be transformed here. An axis that is left for later
  // gives a later pass something to transform while it unpacks.
  std::vector<std::vector<int>> selections(const std::vector<int>& available, unsigned done) const {
    const bool needs_first = !view_.is_spectral(done);
    std::vector<std::vector<int>> some;
    if (available.size() > most_axes_with_all_subsets) {
      some.assign(2, available);
      some.back().pop_back();
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

  double pass_cost(std::size_t place, unsigned done, const std::vector<int>& axes) const {
    const CostModel& costs = view_.choices.costs;
    const auto count = static_cast<double>(grouping_.passes(axes).size());
    const double walks =
        axes.empty() ? costs.per_copy : count + grouping_.walks_of_long_lines(axes);
    const Candidate& here = layouts_.candidates[place];
    const std::size_t state = view_.state(done);
    const double points = here.points[state];
    const double even = static_cast<double>(volume(view_.extents[state])) / workers();
    // A tile that exceeds the cache of a core takes as long as a pass more
    // (docs/tried.md). Only points beyond an even share are charged for that: of three fields of
    // 64x64x64 on two ranks, a whole one is such a tile, and one rank would transform two of them.
    const double in_shared_cache =
        axes.empty() ? 0 : static_cast<double>(grouping_.passes_in_private_cache(axes)) - count;
    const double extra = (costs.per_axis * static_cast<double>(axes.size()) + in_shared_cache) *
                         std::max(0.0, points - even);
    return ((1 + stored_share(done, axes)) * walks * points + 2 * extra) * view_.point_bytes(done);
  }

  // The part of the points that is left when axes of which not all is stored are transformed.
  double stored_share(unsigned done, const std::vector<int>& axes) const {
    double share = 1;
    for (const int axis : axes) {
      if (view_.states.kept(axis).is_all()) continue;
      const auto points = [&](unsigned set) {
        return static_cast<double>(view_.extents[view_.state(set)][axis]);
      };
      share *= points(done | view_.bit(axis)) / points(done);
      if (axis == view_.states.half()) share *= 2;  // complex numbers for real ones
    }
    return share;
  }

  // Computed once for each pair of places.
  const Traffic& traffic_between(std::size_t from, std::size_t to, unsigned done) const {
    const std::size_t state = view_.state(done);
    auto& known =
        traffic_[(state * layouts_.candidates.size() + from) * layouts_.candidates.size() + to];
    if (!known)
      known = view_.choices.memo != nullptr
                  ? view_.choices.memo->between(*at(from, done), *at(to, done))
                  : busiest_traffic(*at(from, done), *at(to, done), view_.machine);
    return *known;
  }

  double exchange_cost(const ExchangeTraits& exchange, const Traffic& moved, unsigned done) const {
    const CostModel& costs = view_.choices.costs;
    if (!exchange.shares_memory)
      return (costs.per_byte_sent * static_cast<double>(moved.far_points) +
              costs.per_byte_in_node * static_cast<double>(moved.points - moved.far_points)) *
                 view_.point_bytes(done) +
             costs.per_message * static_cast<double>(moved.messages);
    // The ranks of a node share the messages of the node.
    const double messages =
        static_cast<double>(std::min<std::int64_t>(moved.far_messages, view_.nodes)) * view_.nodes /
        view_.machine.ranks;
    return costs.per_byte_sent * static_cast<double>(moved.far_points) * view_.point_bytes(done) +
           costs.per_message * (1 + messages);
  }

  // Whether an exchange can load from (store to) users' arrays without a copy. In those of waves,
  // most of what it moves has no place.
  bool takes_arrays(const ExchangeTraits& exchange, const Traffic& moved, std::size_t to) const {
    if (view_.problem.cutoff.is_given() && layouts_.output == to) return false;
    return exchange.moves_arrays || (exchange.shares_memory && moved.far_points == 0);
  }

  // Parts have only what the transforms along the axes that they divide have left.
  bool may_become_parts(std::size_t place, unsigned done) const {
    return !at(place, done)->is_of_parts() ||
           (layouts_.candidates[place].whole | done) == view_.all();
  }

  bool may_end(std::size_t place, std::size_t start) const {
    if (layouts_.output) return place == *layouts_.output;
    if (view_.problem.output.form == Distribution::same) return place == start;
    const Place& at = layouts_.candidates[place].place;
    return !(view_.view().has_batch_axis() && at.form == Place::on_grid && at.grid.parts[0] > 1);
  }

  double extra_field_cost(std::size_t end, std::size_t start, unsigned done) const {
    if (!view_.problem.in_place || end == start || view_.axes.empty()) return 0;
    const std::vector<int> one_axis(1, view_.axes.front());
    return view_.choices.costs.per_extra_field * pass_cost(end, done, one_axis);
  }

  // The cheapest strategy from one of these places; none if all cost `limit` or more.
  std::optional<Planned> best_from(const std::vector<std::size_t>& starts, double limit) const {
    Exploration found;
    found.end.cost = limit;
    found.first_start = starts.front();
    found.ways.resize(layouts_.candidates.size() * masks());
    for (std::size_t start : starts) reach(found, vertex(start, 0), {0, -1, start, {}});
    while (!found.open.empty()) {
      const auto [cost, axes_left, start, here] = found.open.top();
      found.open.pop();
      if (cost > found.end.cost) break;
      if (cost > found.ways[here].cost) continue;  // a cheaper way was found later
      extend(found, here);
    }
    if (found.end.parent < 0) return std::nullopt;
    const double sent = found.ways[static_cast<std::size_t>(found.end.parent)].sent;
    return Planned{strategy_to(found.ways, found.end), found.end.cost, sent};
  }

  void reach(Exploration& found, std::size_t vertex, const Way& way) const {
    found.ways[vertex] = way;
    const auto transformed = static_cast<std::size_t>(std::popcount(done_at(vertex)));
    found.open.emplace(way.cost, view_.axes.size() - transformed, way.start, vertex);
  }

  // Tries everything that can follow at the vertex `here`.
  void extend(Exploration& found, std::size_t here) const {
    const std::size_t place = place_of(here);
    const unsigned done = done_at(here);
    auto options = selections(available(place, done), done);
    const bool at_start = found.ways[here].parent < 0;
    // Only at the ends may a place transform nothing.
    if (at_start || done == view_.all()) options.emplace_back();
    for (const auto& axes : options) {
      unsigned now_done = done;
      for (int axis : axes) now_done |= view_.bit(axis);
      if (now_done == view_.all() && may_end(place, found.first_start)) finish(found, here, axes);
      if (!axes.empty() || at_start) exchange_from(found, here, axes, now_done);
    }
  }

  // The cost of the way to `here` and of transforming `axes` there.
  double cost_after(const Exploration& found, std::size_t here,
                    const std::vector<int>& axes) const {
    const double pass = axes.empty() ? 0 : pass_cost(place_of(here), done_at(here), axes);
    return found.ways[here].cost + pass;
  }

  // Ends the way at `here`, after transforming `axes`, if that is the best end so far.
  void finish(Exploration& found, std::size_t here, const std::vector<int>& axes) const {
    const Way& way = found.ways[here];
    const double cost = cost_after(found, here, axes) + (axes.empty() ? way.copy : 0) +
                        extra_field_cost(place_of(here), way.start, view_.all());
    // Of equal costs, the way that transforms fewer axes in its last stages.
    if (cost < found.end.cost || (cost == found.end.cost && axes.size() < found.end.axes.size()))
      found.end = {cost, static_cast<int>(here), way.start, axes};
  }

  // Transforms `axes` at `here` and exchanges from there to every other place.
  void exchange_from(Exploration& found, std::size_t here, const std::vector<int>& axes,
                     unsigned done) const {
    const std::size_t place = place_of(here);
    const double transformed = cost_after(found, here, axes);
    if (transformed > found.end.cost || !at(place, done)) return;
    if (at(place, done)->is_of_parts()) return;  // no way out of parts is shorter
    for (std::size_t next = 0; next < layouts_.candidates.size(); ++next) {
      if (next == place || !at(next, done) || !may_become_parts(next, done)) continue;
      // Before the costs of the exchange, which take longest to compute.
      if (transformed >= found.ways[vertex(next, done)].cost) continue;
      if (!is_useful(next, done, found.first_start)) continue;
      const Traffic& moved = traffic_between(place, next, done);
      const ExchangeTraits& exchange = exchange_for(moved, done);
      const double copied = takes_arrays(exchange, moved, next) ? 0 : pass_cost(place, done, {});
      const double sent = exchange_cost(exchange, moved, done);
      const double cost = transformed + (axes.empty() ? copied : 0) + sent;
      if (cost >= found.ways[vertex(next, done)].cost) continue;
      const Way& way = found.ways[here];
      reach(found, vertex(next, done),
            {cost, static_cast<int>(here), way.start, axes, copied, way.sent + sent});
    }
  }

  // Whether a way may go on at `next`: an axis can be transformed there, or the way can end there.
  bool is_useful(std::size_t next, unsigned done, std::size_t first_start) const {
    const bool can_go_on = done == view_.all() ? may_end(next, first_start)
                                               : (layouts_.candidates[next].whole & ~done) != 0;
    const bool is_input_only =
        layouts_.candidates[next].place.form == Place::input && next != layouts_.output;
    return can_go_on && !is_input_only;
  }

  Strategy strategy_to(const std::vector<Way>& ways, const Way& end) const {
    Strategy strategy;
    strategy.engine = view_.choices.engine;
    strategy.split = view_.split;
    std::vector<Stage> backwards;
    std::vector<bool> takes_arrays_backwards;
    const auto transform = [&](const std::vector<int>& axes) {
      const auto& stages = grouping_.passes(axes);
      backwards.insert(backwards.end(), stages.rbegin(), stages.rend());
      takes_arrays_backwards.resize(backwards.size(), true);
    };
    transform(end.axes);
    auto here = static_cast<std::size_t>(end.parent);
    while (ways[here].parent >= 0) {
      const auto before = static_cast<std::size_t>(ways[here].parent);
      const std::size_t from = place_of(before), to = place_of(here);
      const unsigned done = done_at(here);
      Place place = layouts_.candidates[to].place;
      if (place.form == Place::input) place.form = Place::output;  // an output at the input
      const Traffic& moved = traffic_between(from, to, done);
      const ExchangeTraits& exchange = exchange_for(moved, done);
      backwards.push_back(ExchangeStage{exchange.name, place});
      takes_arrays_backwards.push_back(takes_arrays(exchange, moved, to));
      transform(ways[here].axes);
      here = before;
    }
    strategy.from = layouts_.candidates[place_of(here)].place;
    strategy.stages.assign(backwards.rbegin(), backwards.rend());
    takes_arrays_backwards.resize(std::max<std::size_t>(1, backwards.size()), true);
    add_copies(strategy.stages, takes_arrays_backwards.back(), takes_arrays_backwards.front());
    return strategy;
  }

  // Adds copies where the first or the last stage cannot load from or store to a user's array.
  void add_copies(std::vector<Stage>& stages, bool first_takes_arrays,
                  bool last_takes_arrays) const {
    if (stages.empty()) stages.emplace_back(PassStage{});
    if (!first_takes_arrays) stages.insert(stages.begin(), PassStage{});
    if (!last_takes_arrays) stages.emplace_back(PassStage{});
    // An exchange in shared memory moves nothing without a pass that loads.
    const auto* alone = stages.size() == 1 ? std::get_if<ExchangeStage>(&stages.front()) : nullptr;
    if (alone != nullptr && traits(alone->exchange).shares_memory) stages.emplace_back(PassStage{});
  }

  const ExchangeTraits& exchange_for(const Traffic& moved, unsigned done) const {
    const Choices& choices = view_.choices;
    if (exchanges_.chosen != nullptr) return *exchanges_.chosen;
    if (moved.far_points == 0 && exchanges_.in_nodes != nullptr) return *exchanges_.in_nodes;
    if (view_.nodes < view_.machine.ranks && exchanges_.between_nodes != nullptr)
      return *exchanges_.between_nodes;
    const double bytes = static_cast<double>(moved.points) * view_.point_bytes(done);
    const bool small = bytes < static_cast<double>(moved.messages) *
                                   static_cast<double>(choices.small_message_bytes);
    const ExchangeTraits* by_size = small ? exchanges_.small : exchanges_.large;
    ensure(by_size != nullptr, small);
    return *by_size;
  }

  const ExchangeTraits& traits(const std::string& name) const {
    const auto& all = view_.choices.exchanges;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const ExchangeTraits& each) { return each.name == name; });
    ensure(found != all.end(), name);
    return *found;
  }

  // The exchanges that Choices names; null where it names none.
  struct Exchanges {
    const ExchangeTraits *chosen = nullptr, *in_nodes = nullptr, *between_nodes = nullptr,
                         *small = nullptr, *large = nullptr;
  };

  SearchView view_;
  LayoutCandidates layouts_;
  PassGrouping grouping_;
  Exchanges exchanges_;
  mutable std::vector<std::optional<Traffic>> traffic_;  // by state, from, to
};

void check_choices(const Problem& problem, const Machine& machine, const Choices& choices) {
  const Placement& placement = choices.placement;
  if (!choices.grid.empty())
    check_grid(choices.grid, placement.pieces_among(machine.ranks),
               placement.is_given() ? "piece" : "rank");
  if (divided_axes(choices.grid) >= std::max(2, problem.extents.size()) &&
      choices.form != Distribution::brick)
    throw Error(Error::invalid,
                fmt::format("the grid {} divides {} axes of {}, but one axis must stay undivided",
                            to_string(choices.grid), divided_axes(choices.grid),
                            to_string(problem.extents)),
                "give a grid with fewer axes, or with 1 along an axis");
}

}  // namespace

CostModel costs_on(const Machine& machine) {
  CostModel costs;
  const Speeds& speeds = machine.speeds;
  if (!speeds.are_links_known() || machine.nodes() < 2) return costs;
  const double ranks_of_node = static_cast<double>(machine.ranks) / machine.nodes();
  costs.per_byte_sent =
      speeds.walked_bytes_per_second * ranks_of_node / speeds.node_bytes_per_second;
  costs.per_message = speeds.walked_bytes_per_second * speeds.message_seconds;
  return costs;
}

Planned plan_strategy(const Problem& problem, const Machine& machine, const Choices& choices) {
  check_choices(problem, machine, choices);
  Search search(problem, machine, choices, std::nullopt);
  std::optional<Planned> best = search.best();
  // Where ranks would be idle because too few axes can be divided, or where lines exceed a cache,
  // an axis may be split in two.
  const SplitCandidates splits = split_candidates(problem, machine);
  if (!best || splits.is_long || search.imbalance(*best) > least_imbalance_for_split)
    for (const AxisSplit& way : splits.ways) {
      Search split(problem, machine, choices, way);
      if (auto found = split.best(); found && (!best || found->cost < best->cost))
        best = std::move(found);
    }
  if (!best)
    throw Error(Error::invalid,
                fmt::format("no strategy with stages of the form '{}' transforms {} over {} ranks",
                            to_string(choices.form), to_string(problem.extents), machine.ranks),
                "let the planner choose the decomposition");
  return *best;
}

}  // namespace weft
