// model/planner: a shortest path through (where the data lie, what is transformed).

#include "weft/model/planner.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>

#include "weft/model/places.hpp"
#include "weft/model/route.hpp"
#include "weft/model/traffic.hpp"

namespace weft {

namespace {

// A tile of several axes may be so many level-2 caches large, if the shared cache holds it.
constexpr std::int64_t most_private_caches = 8;

int divided_axes(const Dims& parts) {
  return static_cast<int>(std::count_if(parts.begin(), parts.end(), [](auto p) { return p > 1; }));
}

// One search: a problem seen through one view (with or without a split axis).
class Search {
 public:
  Search(const Problem& problem, const Machine& machine, const Choices& choices,
         std::optional<AxisSplit> split)
      : subject_(problem, machine, choices, split), places_(subject_) {
    traffic_.resize(2 * places_.candidates.size() * places_.candidates.size());
  }

  /// The best strategy over all places the input may start at.
  std::optional<Planned> best() {
    // Where the end does not depend on the start, all starts are one search.
    if (places_.output || subject_.problem.output.form != Distribution::same)
      return best_from(places_.starts);
    std::optional<Planned> best;
    for (std::size_t start : places_.starts)
      if (auto found = best_from({start}); found && (!best || found->cost < best->cost))
        best = std::move(found);
    return best;
  }

  /// The busiest rank's share in the worst transforming pass, relative to an even one.
  double imbalance(const Planned& planned) const {
    const Route route = route_of(planned.strategy, subject_.problem, subject_.machine.ranks);
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
  // The ranks that can have something to compute.
  int workers() const { return std::min(subject_.pieces, subject_.machine.ranks); }

  struct Node {
    double cost = std::numeric_limits<double>::infinity();
    int parent = -1;        // node left from
    std::size_t start = 0;  // where its way began
    std::vector<int> axes;  // transformed there
    double copy = 0;        // what ending right here would still cost
    double sent = 0;        // of the cost, what exchanges are
  };

  const std::optional<Decomposition>& at(std::size_t place, unsigned done) const {
    return subject_.is_spectral(done) ? places_.candidates[place].spectral
                                      : places_.candidates[place].real;
  }

  // The axes that can be transformed at `place`, in the order in which passes take them: the real
  // axis first, then the contiguous before the strided.
  std::vector<int> available(std::size_t place, unsigned done) const {
    std::vector<int> axes;
    if (!at(place, done)) return axes;
    const unsigned whole = places_.candidates[place].whole;
    for (auto axis = subject_.axes.rbegin(); axis != subject_.axes.rend(); ++axis) {
      if ((done & subject_.bit(*axis)) != 0 || (whole & subject_.bit(*axis)) == 0) continue;
      // The second half of a split axis waits for the first.
      if (subject_.split && *axis == subject_.view.inner_axis(subject_.split->axis) + 1 &&
          (done & subject_.bit(*axis - 1)) == 0)
        continue;
      if (*axis == subject_.half)
        axes.insert(axes.begin(), *axis);
      else
        axes.push_back(*axis);
    }
    if (!subject_.is_spectral(done) && (axes.empty() || axes.front() != subject_.half))
      axes.clear();
    return axes;
  }

  // Which of the available axes to transform here: any of them, so that a later stage may have
  // something to do while it unpacks. Of many, all or all but one.
  std::vector<std::vector<int>> selections(const std::vector<int>& available, unsigned done) const {
    const bool needs_first = !subject_.is_spectral(done);
    std::vector<std::vector<int>> some;
    if (available.size() > 3) {
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

  // Consecutive axes share a pass while the tile that holds them whole fits the cache, of which a
  // tile may take more than a core has to itself: it is walked by groups of lines that fit. Rows of
  // a tile are a few cache lines long at least.
  std::vector<PassStage> passes(const std::vector<int>& axes) const {
    constexpr std::int64_t least_row_bytes = 128;
    const std::int64_t room = std::max(subject_.machine.cache_bytes,
                                       std::min(most_private_caches * subject_.machine.cache_bytes,
                                                subject_.machine.shared_cache_bytes / 4));
    std::vector<PassStage> passes;
    std::int64_t bytes = 0;
    for (int axis : axes) {
      if (!passes.empty() && bytes * subject_.real[axis] <= room) {
        bytes *= subject_.real[axis];
        passes.back().axes.push_back(axis);
      } else {
        const bool has_rows = axis + 1 == subject_.real.size();
        bytes = subject_.real[axis] *
                (has_rows ? Scalar{subject_.problem.precision, true}.bytes() : least_row_bytes);
        passes.push_back({{axis}});
      }
    }
    return passes;
  }

  double pass_cost(std::size_t place, unsigned done, const std::vector<int>& axes) const {
    const Rule& rule = subject_.choices.rule;
    const double walks = axes.empty() ? rule.per_copy : static_cast<double>(passes(axes).size());
    const Candidate& here = places_.candidates[place];
    const bool spectral = subject_.is_spectral(done);
    const double points = spectral ? here.spectral_points : here.real_points;
    const double even =
        static_cast<double>(volume(spectral ? subject_.spectral : subject_.real)) / workers();
    const double extra =
        rule.per_axis * static_cast<double>(axes.size()) * std::max(0.0, points - even);
    return 2 * (walks * points + extra) * subject_.point_bytes(done);
  }

  const Traffic& traffic_between(std::size_t from, std::size_t to, unsigned done) {
    const std::size_t side = subject_.is_spectral(done) ? 1 : 0;
    auto& known =
        traffic_[(side * places_.candidates.size() + from) * places_.candidates.size() + to];
    if (!known) known = busiest_traffic(*at(from, done), *at(to, done), subject_.machine);
    return *known;
  }

  double exchange_cost(std::size_t from, std::size_t to, unsigned done) {
    const Traffic& moved = traffic_between(from, to, done);
    const Rule& rule = subject_.choices.rule;
    if (!traits(exchange_for(from, to, done)).shares_memory)
      return rule.per_byte_sent * static_cast<double>(moved.points) * subject_.point_bytes(done) +
             rule.per_message * static_cast<double>(moved.messages);
    // Shared out over the ranks of the node.
    const int nodes = subject_.machine.nodes();
    const double messages = static_cast<double>(std::min<std::int64_t>(moved.far_messages, nodes)) *
                            nodes / subject_.machine.ranks;
    return rule.per_byte_sent * static_cast<double>(moved.far_points) * subject_.point_bytes(done) +
           rule.per_message * (1 + messages);
  }

  // Whether an exchange can load from (store to) users' arrays, or a copy must do it.
  bool takes_arrays(std::size_t from, std::size_t to, unsigned done) {
    const ExchangeTraits& exchange = traits(exchange_for(from, to, done));
    return exchange.moves_arrays ||
           (exchange.shares_memory && traffic_between(from, to, done).far_points == 0);
  }
  double copy_cost(std::size_t from, std::size_t to, unsigned done) {
    return takes_arrays(from, to, done) ? 0 : pass_cost(from, done, {});
  }

  bool may_end(std::size_t place, std::size_t start) const {
    if (places_.output) return place == *places_.output;
    if (subject_.problem.output.form == Distribution::same) return place == start;
    const Place& at = places_.candidates[place].place;
    return !(subject_.view.has_batch_axis() && at.form == Place::on_grid && at.grid.parts[0] > 1);
  }

  double extra_field_cost(std::size_t end, std::size_t start, unsigned done) const {
    if (!subject_.problem.in_place || end == start || subject_.axes.empty()) return 0;
    const std::vector<int> one_axis(1, subject_.axes.front());
    return subject_.choices.rule.per_extra_field * pass_cost(end, done, one_axis);
  }

  std::optional<Planned> best_from(const std::vector<std::size_t>& starts) {
    const std::size_t masks = std::size_t{1} << subject_.axes.size();
    std::vector<Node> nodes(places_.candidates.size() * masks);
    const auto index = [&](std::size_t place, unsigned done) { return place * masks + done; };
    // Of equal costs, the one that has more axes behind it, then the one that began with slabs.
    using Entry = std::tuple<double, std::size_t, std::size_t, std::size_t>;
    const auto entry = [&](double cost, std::size_t node) {
      const auto done = static_cast<unsigned>(node % masks);
      return Entry(cost, subject_.axes.size() - static_cast<std::size_t>(std::popcount(done)),
                   nodes[node].start, node);
    };
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    for (std::size_t start : starts) {
      nodes[index(start, 0)] = {0, -1, start, {}};
      open.push(entry(0, index(start, 0)));
    }
    const auto is_end = [&](std::size_t place) { return may_end(place, starts.front()); };
    Node end;  // past the last stage
    while (!open.empty()) {
      const auto [cost, left, began, here] = open.top();
      open.pop();
      if (cost > end.cost) break;
      if (cost > nodes[here].cost) continue;
      const std::size_t place = here / masks;
      const unsigned done = static_cast<unsigned>(here % masks);
      auto options = selections(available(place, done), done);
      const bool at_start = nodes[here].parent < 0;
      if (at_start || done == subject_.all()) options.emplace_back();  // nothing, at the ends
      for (const auto& axes : options) {
        unsigned now_done = done;
        for (int axis : axes) now_done |= subject_.bit(axis);
        const double passed = cost + (axes.empty() ? 0 : pass_cost(place, done, axes));
        if (now_done == subject_.all() && is_end(place)) {
          const double ended = passed + (axes.empty() ? nodes[here].copy : 0) +
                               extra_field_cost(place, began, now_done);
          // Of equal ways, the one that has the least left to do at the end.
          if (ended < end.cost || (ended == end.cost && axes.size() < end.axes.size()))
            end = {ended, static_cast<int>(here), began, axes};
        }
        if (axes.empty() && !at_start) continue;
        for (std::size_t next = 0; next < places_.candidates.size(); ++next) {
          if (next == place || !at(next, now_done) || !at(place, now_done)) continue;
          // There must be something to do there: an axis that is whole at last, or the end.
          if (now_done == subject_.all() ? !is_end(next)
                                         : (places_.candidates[next].whole & ~now_done) == 0)
            continue;
          if (places_.candidates[next].place.form == Place::input && next != places_.output)
            continue;
          const double copied = copy_cost(place, next, now_done);
          const double sent = exchange_cost(place, next, now_done);
          const double arrived = passed + (axes.empty() ? copied : 0) + sent;
          Node& there = nodes[index(next, now_done)];
          if (arrived >= there.cost) continue;
          there = {arrived, static_cast<int>(here), began, axes, copied, nodes[here].sent + sent};
          open.push(entry(arrived, index(next, now_done)));
        }
      }
    }
    if (end.parent < 0) return std::nullopt;
    const double sent = nodes[static_cast<std::size_t>(end.parent)].sent;
    return Planned{strategy_to(nodes, end, masks), end.cost, sent};
  }

  Strategy strategy_to(const std::vector<Node>& nodes, const Node& end, std::size_t masks) {
    Strategy strategy;
    strategy.engine = subject_.choices.engine;
    strategy.split = subject_.split;
    std::vector<Stage> backwards;
    std::vector<bool> takes_arrays_backwards;
    const auto transform = [&](const std::vector<int>& axes) {
      const auto stages = passes(axes);
      backwards.insert(backwards.end(), stages.rbegin(), stages.rend());
      takes_arrays_backwards.resize(backwards.size(), true);
    };
    transform(end.axes);
    int here = end.parent;
    while (nodes[static_cast<std::size_t>(here)].parent >= 0) {
      const Node& node = nodes[static_cast<std::size_t>(here)];
      const auto to = static_cast<std::size_t>(here) / masks;
      const auto from = static_cast<std::size_t>(node.parent) / masks;
      const auto done = static_cast<unsigned>(static_cast<std::size_t>(here) % masks);
      Place place = places_.candidates[to].place;
      if (place.form == Place::input) place.form = Place::output;  // they are the same
      backwards.push_back(ExchangeStage{exchange_for(from, to, done), place});
      takes_arrays_backwards.push_back(takes_arrays(from, to, done));
      transform(node.axes);
      here = node.parent;
    }
    strategy.from = places_.candidates[static_cast<std::size_t>(here) / masks].place;
    auto& stages = strategy.stages;
    stages.assign(backwards.rbegin(), backwards.rend());
    if (stages.empty()) stages.emplace_back(PassStage{});
    takes_arrays_backwards.resize(stages.size(), true);
    if (!takes_arrays_backwards.back()) stages.insert(stages.begin(), PassStage{});
    if (!takes_arrays_backwards.front()) stages.emplace_back(PassStage{});
    // By itself, sharing memory moves nothing.
    const auto* alone = stages.size() == 1 ? std::get_if<ExchangeStage>(&stages.front()) : nullptr;
    if (alone != nullptr && traits(alone->exchange).shares_memory) stages.emplace_back(PassStage{});
    return strategy;
  }

  std::string exchange_for(std::size_t from, std::size_t to, unsigned done) {
    const Choices& choices = subject_.choices;
    if (!choices.exchange.empty()) return choices.exchange;
    const Traffic& moved = traffic_between(from, to, done);
    if (moved.far_points == 0 && !choices.exchange_in_nodes.empty())
      return choices.exchange_in_nodes;
    if (subject_.machine.nodes() < subject_.machine.ranks &&
        !choices.exchange_between_nodes.empty())
      return choices.exchange_between_nodes;
    const double bytes = static_cast<double>(moved.points) * subject_.point_bytes(done);
    const bool small = bytes < static_cast<double>(moved.messages) *
                                   static_cast<double>(choices.small_message_bytes);
    return small ? choices.small_exchange : choices.large_exchange;
  }

  const ExchangeTraits& traits(const std::string& name) const {
    const auto& all = subject_.choices.exchanges;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const ExchangeTraits& each) { return each.name == name; });
    ensure(found != all.end(), name);
    return *found;
  }

  Subject subject_;
  Places places_;
  std::vector<std::optional<Traffic>> traffic_;  // by spectral, from, to
};

// The divisor of n next below its root: the two axes of a split should be alike.
std::int64_t root_divisor(std::int64_t n) {
  std::int64_t best = 1;
  for (std::int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) best = d;
  return best;
}

// Of the axes that are transformed complex to complex; -1 if there is none.
int longest_complex_axis(const Problem& problem) {
  int longest = -1;
  for (int axis : problem.axes)
    if (axis != half_axis(problem) &&
        (longest < 0 || problem.extents[axis] > problem.extents[longest]))
      longest = axis;
  return longest;
}

void check_choices(const Problem& problem, const Machine& machine, const Choices& choices) {
  const Placement& placement = choices.placement;
  if (!choices.grid.empty())
    check_grid(choices.grid, placement.pieces_among(machine.ranks),
               placement.is_given() ? "piece" : "rank");
  if (divided_axes(choices.grid) >= std::max(2, problem.extents.size()) &&
      choices.form != Distribution::brick)
    throw Error(Error::invalid,
                fmt::format("the grid {} divides {} axes of {}: none would be whole",
                            to_string(choices.grid), divided_axes(choices.grid),
                            to_string(problem.extents)),
                "a stage keeps at least one axis whole");
}

}  // namespace

Planned plan_strategy(const Problem& problem, const Machine& machine, const Choices& choices) {
  check_choices(problem, machine, choices);
  Search search(problem, machine, choices, std::nullopt);
  std::optional<Planned> best = search.best();
  // Where ranks idle because too few axes are left to divide, the longest may be seen as two.
  constexpr double uneven = 1.5;
  if (const int axis = longest_complex_axis(problem);
      axis >= 0 && (!best || search.imbalance(*best) > uneven)) {
    const std::int64_t n = problem.extents[axis], first = root_divisor(n);
    if (first > 1) {
      Search split(problem, machine, choices, AxisSplit{axis, first, n / first});
      if (auto found = split.best(); found && (!best || found->cost < best->cost))
        best = std::move(found);
    }
  }
  if (!best)
    throw Error(Error::invalid,
                fmt::format("no {} strategy transforms {} over {} ranks", to_string(choices.form),
                            to_string(problem.extents), machine.ranks),
                "leave the decomposition to the planner");
  return *best;
}

}  // namespace weft
