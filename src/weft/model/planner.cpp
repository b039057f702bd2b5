// model/planner: a shortest path through (where the data lie, what is transformed).

#include "weft/model/planner.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>

#include "weft/grid/split.hpp"
#include "weft/model/route.hpp"

namespace weft {

namespace {

// Beyond this many process grids those that divide many axes are left out.
constexpr std::size_t most_grids = 150;
// An exchange is judged by this many ranks, spread evenly, when there are more.
constexpr int most_judged_ranks = 64;
// Input grids tried one by one where the output must lie as the input does.
constexpr std::size_t most_starts = 12;

int divided_axes(const Dims& parts) {
  return static_cast<int>(std::count_if(parts.begin(), parts.end(), [](auto p) { return p > 1; }));
}

Dims without_ones(const Dims& parts) {
  Dims rest;
  for (auto part : parts)
    if (part > 1) rest.push_back(part);
  return rest;
}

// What a rank sends (or receives) in one exchange.
struct Traffic {
  std::int64_t points = 0, messages = 0;
};

Traffic busiest_sender(const Decomposition& from, const Decomposition& to) {
  Traffic most;
  const int owners = from.owners();
  const int judged = std::min(owners, most_judged_ranks);
  for (int i = 0; i < judged; ++i) {
    const int rank = static_cast<int>(split(owners, judged, i).lo);
    Traffic mine;
    for (const Box& box : from.boxes(rank)) {
      mine.points += box.volume();
      if (to.grid()) {
        // Per axis the receivers are a range of coordinates: no need to visit each.
        std::int64_t receivers = 1;
        for (int a = 0; a < box.axes(); ++a) {
          const std::int64_t n = to.extents()[a], parts = to.grid()->parts[a];
          receivers *= part_of(n, parts, box.hi[a] - 1) - part_of(n, parts, box.lo[a]) + 1;
        }
        mine.messages += receivers;
      } else {
        to.for_each_overlap(box, [&](int, int, const Box&) { ++mine.messages; });
      }
      for (const Box& kept : to.boxes(rank)) {
        const Box both = intersect(box, kept);
        if (both.empty()) continue;
        mine.points -= both.volume();
        --mine.messages;
      }
    }
    most.points = std::max(most.points, mine.points);
    most.messages = std::max(most.messages, mine.messages);
  }
  return most;
}

// What the busiest rank sends or receives: gathering on one rank is no cheaper than scattering.
Traffic traffic(const Decomposition& from, const Decomposition& to) {
  const Traffic out = busiest_sender(from, to), in = busiest_sender(to, from);
  return {std::max(out.points, in.points), std::max(out.messages, in.messages)};
}

// One search: a problem seen through one view (with or without a split axis).
class Search {
 public:
  Search(const Problem& problem, const Machine& machine, const Choices& choices,
         std::optional<AxisSplit> split)
      : problem_(problem),
        machine_(machine),
        choices_(choices),
        split_(split),
        view_{problem.extents, problem.batch, split, SplitOrder::first_slow} {
    const int user_half = half_axis(problem);
    half_ = user_half < 0 ? -1 : view_.inner_axis(user_half);
    real_ = view_.inner_extents();
    spectral_ = halved(real_, half_);
    for (int axis : problem.axes) {
      axes_.push_back(view_.inner_axis(axis));
      if (split && axis == split->axis) axes_.push_back(axes_.back() + 1);
    }
    std::sort(axes_.begin(), axes_.end());
    add_places();
    for (Candidate& candidate : candidates_) measure(candidate);
    traffic_.resize(2 * candidates_.size() * candidates_.size());
  }

  /// The best strategy over all places the input may start at.
  std::optional<Planned> best() {
    // Where the end does not depend on the start, all starts are one search.
    if (output_ || problem_.output.form != Distribution::same) return best_from(starts_);
    std::optional<Planned> best;
    for (std::size_t start : starts_)
      if (auto found = best_from({start}); found && (!best || found->cost < best->cost))
        best = std::move(found);
    return best;
  }

  /// The busiest rank's share in the worst transforming pass, relative to an even one.
  double imbalance(const Planned& planned) const {
    const Route route = route_of(planned.strategy, problem_, machine_.ranks);
    double worst = 1;
    for (std::size_t i = 0; i < route.before.size(); ++i) {
      const auto* pass = std::get_if<PassStage>(&planned.strategy.stages[i]);
      if (pass == nullptr || pass->axes.empty()) continue;
      worst =
          std::max(worst, static_cast<double>(route.before[i].largest_volume()) * machine_.ranks /
                              static_cast<double>(volume(route.before[i].extents())));
    }
    return worst;
  }

 private:
  struct Candidate {
    Place place;
    std::optional<Decomposition> real, spectral;
    unsigned whole = 0;                           // transformed axes that are whole here
    double real_points = 0, spectral_points = 0;  // of the busiest rank
  };
  struct Node {
    double cost = std::numeric_limits<double>::infinity();
    int parent = -1;        // node left from
    std::size_t start = 0;  // where its way began
    std::vector<int> axes;  // transformed there
  };

  void measure(Candidate& candidate) const {
    const auto& any = candidate.real ? candidate.real : candidate.spectral;
    for (int axis : axes_)
      if (any->is_whole(axis)) candidate.whole |= bit(axis);
    const auto points = [](const std::optional<Decomposition>& at) {
      return at ? static_cast<double>(at->largest_volume()) : 0;
    };
    candidate.real_points = points(candidate.real);
    candidate.spectral_points = points(candidate.spectral);
  }

  unsigned bit(int axis) const {
    const auto at = std::find(axes_.begin(), axes_.end(), axis) - axes_.begin();
    return 1U << at;
  }
  unsigned all() const { return (1U << axes_.size()) - 1; }
  bool is_spectral(unsigned done) const { return half_ < 0 || (done & bit(half_)) != 0; }
  double point_bytes(unsigned done) const {
    return static_cast<double>(Scalar{problem_.precision, is_spectral(done)}.bytes());
  }

  bool may_stage(const Dims& parts) const {
    const int divided = divided_axes(parts);
    if (!choices_.grid.empty() && choices_.form != Distribution::brick &&
        without_ones(parts) != without_ones(choices_.grid))
      return false;
    switch (choices_.form) {
      case Distribution::slab:
        return divided <= 1;
      case Distribution::pencil: {
        // A prime number of ranks, or a field of two axes, has no pencils beside slabs.
        if (real_.size() < 3) return divided <= 1;
        if (!choices_.grid.empty()) return true;
        const Dims balanced =
            balanced_factorization(machine_.ranks, Dims::filled(2, std::int64_t{1} << 40), {0, 1});
        Dims mine = without_ones(parts), wanted = without_ones(balanced);
        std::sort(mine.begin(), mine.end());
        std::sort(wanted.begin(), wanted.end());
        return mine == wanted;
      }
      default:
        return true;
    }
  }

  // Grids that feed every rank are enough if each axis is whole in one of them.
  void prefer_grids_without_empty_ranks(std::vector<Dims>& grids) const {
    std::vector<Dims> full;
    for (const Dims& parts : grids) {
      bool fits = true;
      for (int a = 0; a < parts.size(); ++a) fits = fits && parts[a] <= spectral_[a];
      if (fits) full.push_back(parts);
    }
    for (int axis : axes_)
      if (std::none_of(full.begin(), full.end(),
                       [&](const Dims& parts) { return parts[axis] == 1; }))
        return;
    if (!full.empty()) grids = std::move(full);
  }

  void add_places() {
    const int axes = real_.size();
    std::vector<Dims> grids = factorizations(machine_.ranks, axes);
    prefer_grids_without_empty_ranks(grids);
    for (int most = 3; grids.size() > most_grids && most >= 1; --most)
      std::erase_if(grids, [&](const Dims& parts) { return divided_axes(parts) > most; });
    std::erase_if(grids, [&](const Dims& parts) { return !may_stage(parts); });
    prefer_grids_without_empty_ranks(grids);
    // Everything on one rank: the last resort where no axis can be divided.
    if (machine_.ranks > 1) grids.push_back(Dims::filled(axes, 1));
    for (const Dims& parts : grids) {
      const ProcessGrid grid{parts};
      candidates_.push_back({{Place::on_grid, grid},
                             Decomposition::on_grid(real_, grid, machine_.ranks),
                             Decomposition::on_grid(spectral_, grid, machine_.ranks)});
    }
    add_input();
    add_output();
  }

  // The input lies on a process grid if it may: then the stages meet it as one of theirs.
  void add_input() {
    const bool batch = view_.has_batch_axis();
    if (problem_.input.form == Distribution::free && !split_) {
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (const auto& candidate : candidates_)
        least = std::min(least, candidate.real->largest_volume());
      for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const auto& candidate = candidates_[i];
        // A quarter more than the most even one is even enough.
        if (candidate.real->largest_volume() * 4 <= least * 5 &&
            !(batch && candidate.place.grid.parts[0] > 1))
          starts_.push_back(i);
      }
      if (starts_.size() > most_starts && problem_.output.form == Distribution::same)
        starts_.resize(most_starts);
      if (!starts_.empty()) return;
    }
    Distribution input = problem_.input;
    if (input.form == Distribution::free) input.form = Distribution::slab;
    const auto user = resolve(input, problem_.extents, machine_.ranks, "input");
    Candidate candidate{{Place::input, {}}, view_.inner(user), {}};
    if (candidate.real->grid()) candidate.place = {Place::on_grid, *candidate.real->grid()};
    if (half_ < 0 || candidate.real->is_whole(half_))
      candidate.spectral = unmoved(*candidate.real, spectral_, half_);
    starts_.push_back(find_or_add(std::move(candidate)));
  }

  void add_output() {
    if (problem_.output.form == Distribution::free && !split_) return;
    if (problem_.output.form == Distribution::same && starts_on_grids()) return;  // per start
    const Extents extents = halved(problem_.extents, half_axis(problem_));
    const View view{extents, problem_.batch, split_, SplitOrder::first_fast};
    Decomposition user;
    if (problem_.output.form == Distribution::free) {
      Distribution slab;
      slab.form = Distribution::slab;
      user = resolve(slab, extents, machine_.ranks, "output");
    } else {
      Distribution input = problem_.input;
      if (input.form == Distribution::free) input.form = Distribution::slab;
      user = required_output(problem_, resolve(input, problem_.extents, machine_.ranks, "input"),
                             machine_.ranks);
    }
    Candidate candidate{{Place::output, {}}, {}, view.inner(user)};
    if (candidate.spectral->grid()) candidate.place = {Place::on_grid, *candidate.spectral->grid()};
    if (half_ < 0) candidate.real = candidate.spectral;
    output_ = find_or_add(std::move(candidate));
  }

  bool starts_on_grids() const {
    return std::all_of(starts_.begin(), starts_.end(), [&](std::size_t start) {
      return candidates_[start].place.form == Place::on_grid;
    });
  }

  std::size_t find_or_add(Candidate candidate) {
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (candidate.place.form == Place::on_grid
              ? candidates_[i].place == candidate.place
              : !split_ && candidate.spectral && candidates_[i].place.form != Place::on_grid &&
                    candidates_[i].spectral == candidate.spectral)
        return i;
    if (candidate.place.form == Place::on_grid) {
      candidate.real = Decomposition::on_grid(real_, candidate.place.grid, machine_.ranks);
      candidate.spectral = Decomposition::on_grid(spectral_, candidate.place.grid, machine_.ranks);
    }
    candidates_.push_back(std::move(candidate));
    return candidates_.size() - 1;
  }

  const std::optional<Decomposition>& at(std::size_t place, unsigned done) const {
    return is_spectral(done) ? candidates_[place].spectral : candidates_[place].real;
  }

  // The axes that can be transformed at `place`, in the order in which passes take them: the real
  // axis first, then the contiguous before the strided.
  std::vector<int> available(std::size_t place, unsigned done) const {
    std::vector<int> axes;
    if (!at(place, done)) return axes;
    const unsigned whole = candidates_[place].whole;
    for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
      if ((done & bit(*axis)) != 0 || (whole & bit(*axis)) == 0) continue;
      // The second half of a split axis waits for the first.
      if (split_ && *axis == view_.inner_axis(split_->axis) + 1 && (done & bit(*axis - 1)) == 0)
        continue;
      if (*axis == half_)
        axes.insert(axes.begin(), *axis);
      else
        axes.push_back(*axis);
    }
    if (!is_spectral(done) && (axes.empty() || axes.front() != half_)) axes.clear();
    return axes;
  }

  // Which of the available axes to transform here: any of them, so that a later stage may have
  // something to do while it unpacks. Of many, all or all but one.
  std::vector<std::vector<int>> selections(const std::vector<int>& available, unsigned done) const {
    const bool needs_first = !is_spectral(done);
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

  // Consecutive axes share a pass while the tile that holds them whole fits the cache.
  std::vector<PassStage> passes(const std::vector<int>& axes) const {
    std::vector<PassStage> passes;
    std::int64_t bytes = 0;
    for (int axis : axes) {
      if (!passes.empty() && bytes * real_[axis] <= machine_.cache_bytes) {
        bytes *= real_[axis];
        passes.back().axes.push_back(axis);
      } else {
        bytes = Scalar{problem_.precision, true}.bytes() * real_[axis];
        passes.push_back({{axis}});
      }
    }
    return passes;
  }

  double pass_cost(std::size_t place, unsigned done, const std::vector<int>& axes) const {
    const double walks =
        axes.empty() ? choices_.rule.per_copy : static_cast<double>(passes(axes).size());
    const Candidate& here = candidates_[place];
    return walks * 2 * (is_spectral(done) ? here.spectral_points : here.real_points) *
           point_bytes(done);
  }

  const Traffic& traffic_between(std::size_t from, std::size_t to, unsigned done) {
    const std::size_t side = is_spectral(done) ? 1 : 0;
    auto& known = traffic_[(side * candidates_.size() + from) * candidates_.size() + to];
    if (!known) known = traffic(*at(from, done), *at(to, done));
    return *known;
  }

  double exchange_cost(std::size_t from, std::size_t to, unsigned done) {
    const Traffic& moved = traffic_between(from, to, done);
    return choices_.rule.per_byte_sent * static_cast<double>(moved.points) * point_bytes(done) +
           choices_.rule.per_message * static_cast<double>(moved.messages);
  }

  bool may_end(std::size_t place, std::size_t start) const {
    if (output_) return place == *output_;
    if (problem_.output.form == Distribution::same) return place == start;
    const Place& at = candidates_[place].place;
    return !(view_.has_batch_axis() && at.form == Place::on_grid && at.grid.parts[0] > 1);
  }

  std::optional<Planned> best_from(const std::vector<std::size_t>& starts) {
    const std::size_t masks = std::size_t{1} << axes_.size();
    std::vector<Node> nodes(candidates_.size() * masks);
    const auto index = [&](std::size_t place, unsigned done) { return place * masks + done; };
    // Of equal costs, the one that has more axes behind it, then the one that began with slabs.
    using Entry = std::tuple<double, std::size_t, std::size_t, std::size_t>;
    const auto entry = [&](double cost, std::size_t node) {
      const auto done = static_cast<unsigned>(node % masks);
      return Entry(cost, axes_.size() - static_cast<std::size_t>(std::popcount(done)),
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
      if (cost >= end.cost) break;
      if (cost > nodes[here].cost) continue;
      const std::size_t place = here / masks;
      const unsigned done = static_cast<unsigned>(here % masks);
      auto options = selections(available(place, done), done);
      const bool at_start = nodes[here].parent < 0;
      if (at_start || done == all()) options.emplace_back();  // a bare copy, at the ends
      for (const auto& axes : options) {
        unsigned now_done = done;
        for (int axis : axes) now_done |= bit(axis);
        const double passed = cost + pass_cost(place, done, axes);
        if (now_done == all() && is_end(place) && passed < end.cost)
          end = {passed, static_cast<int>(here), began, axes};
        if (axes.empty() && !at_start) continue;
        for (std::size_t next = 0; next < candidates_.size(); ++next) {
          if (next == place || !at(next, now_done) || !at(place, now_done)) continue;
          // There must be something to do there: an axis that is whole at last, or the end.
          if (now_done == all() ? !is_end(next) : (candidates_[next].whole & ~now_done) == 0)
            continue;
          if (candidates_[next].place.form == Place::input && next != output_) continue;
          const double arrived = passed + exchange_cost(place, next, now_done);
          Node& there = nodes[index(next, now_done)];
          if (arrived >= there.cost) continue;
          there = {arrived, static_cast<int>(here), began, axes};
          open.push(entry(arrived, index(next, now_done)));
        }
      }
    }
    if (end.parent < 0) return std::nullopt;
    return Planned{strategy_to(nodes, end, masks), end.cost};
  }

  Strategy strategy_to(const std::vector<Node>& nodes, const Node& end, std::size_t masks) {
    Strategy strategy;
    strategy.engine = choices_.engine;
    strategy.split = split_;
    std::vector<Stage> backwards;
    const auto transform = [&](const std::vector<int>& axes) {
      const auto stages = passes(axes);
      backwards.insert(backwards.end(), stages.rbegin(), stages.rend());
    };
    transform(end.axes);
    int here = end.parent;
    while (nodes[static_cast<std::size_t>(here)].parent >= 0) {
      const Node& node = nodes[static_cast<std::size_t>(here)];
      const auto to = static_cast<std::size_t>(here) / masks;
      const auto from = static_cast<std::size_t>(node.parent) / masks;
      const auto done = static_cast<unsigned>(static_cast<std::size_t>(here) % masks);
      Place place = candidates_[to].place;
      if (place.form == Place::input) place.form = Place::output;  // they are the same
      backwards.push_back(ExchangeStage{exchange_for(from, to, done), place});
      transform(node.axes);
      here = node.parent;
    }
    strategy.from = candidates_[static_cast<std::size_t>(here) / masks].place;
    strategy.stages.assign(backwards.rbegin(), backwards.rend());
    add_copies(strategy);
    return strategy;
  }

  std::string exchange_for(std::size_t from, std::size_t to, unsigned done) {
    if (!choices_.exchange.empty()) return choices_.exchange;
    const Traffic t = traffic_between(from, to, done);
    const double bytes = static_cast<double>(t.points) * point_bytes(done);
    const bool small =
        bytes < static_cast<double>(t.messages) * static_cast<double>(choices_.small_message_bytes);
    return small ? choices_.small_exchange : choices_.large_exchange;
  }

  bool moves_arrays(const Stage& stage) const {
    const auto* exchange = std::get_if<ExchangeStage>(&stage);
    if (!exchange) return true;
    for (const auto& traits : choices_.exchanges)
      if (traits.name == exchange->exchange) return traits.moves_arrays;
    return false;
  }

  void add_copies(Strategy& strategy) const {
    auto& stages = strategy.stages;
    if (stages.empty()) stages.emplace_back(PassStage{});
    if (!moves_arrays(stages.front())) stages.insert(stages.begin(), PassStage{});
    if (!moves_arrays(stages.back())) stages.emplace_back(PassStage{});
  }

  const Problem& problem_;
  const Machine& machine_;
  const Choices& choices_;
  std::optional<AxisSplit> split_;
  View view_;
  int half_ = -1;
  Extents real_, spectral_;
  std::vector<int> axes_;
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> starts_;
  std::optional<std::size_t> output_;
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
  if (!choices.grid.empty()) check_grid(choices.grid, machine.ranks);
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
