// planning/search_costs: asks the predictor, and chooses exchanges.

#include "weft/planning/search_costs.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "weft/planning/constants.hpp"

namespace weft {

SearchCosts::SearchCosts(const SearchView& view, const LayoutCandidates& layouts,
                         const CostPredictor& predictor)
    : view_(view),
      layouts_(layouts),
      predictor_(predictor),
      passes_(predictor.speeds(), view.problem, view.states, view.machine) {
  const Choices& choices = view.choices;
  for (const auto& [member, name] : {std::pair{&Exchanges::chosen, &choices.exchange},
                                     {&Exchanges::in_nodes, &choices.exchange_in_nodes},
                                     {&Exchanges::between_nodes, &choices.exchange_between_nodes},
                                     {&Exchanges::small, &choices.small_exchange},
                                     {&Exchanges::large, &choices.large_exchange}})
    if (!name->empty()) exchanges_.*member = &traits(*name);
  traffic_.resize(view.extents.size() * layouts.candidates.size() * layouts.candidates.size());
  const double even = static_cast<double>(volume(view.extents.front())) / view.workers();
  const double walk = passes_.copy_seconds(even, 0);
  // A power of two, and so small that it decides between equal times only.
  unit_ = std::ldexp(1, std::ilogb(walk) - constants::bits_of_walk);
  charge_ = in_units(constants::part_for_exchanges * walk);
  late_axis_ = in_units(constants::part_for_late_axes * walk);
}

double SearchCosts::passes(std::size_t place, unsigned done, const std::vector<int>& axes) const {
  double points = layouts_.candidates[place].points[view_.state(done)];
  unsigned inner = view_.inner_set(done);
  if (axes.empty())
    return in_units(constants::walks_for_copies * passes_.copy_seconds(points, inner));
  double seconds = 0;
  for (const PassStage& pass : grouping().passes(axes))
    seconds += in_units(passes_.cost(pass, points, inner).seconds());
  return seconds;
}

double SearchCosts::extra_field(std::size_t place, unsigned done) const {
  return in_units(constants::part_for_extra_field * passes(place, done, {}));
}

SearchCosts::Exchange SearchCosts::exchange(std::size_t from, std::size_t to, unsigned done) const {
  const Traffic& moved = traffic(from, to, done);
  const ExchangeTraits& exchange = exchange_for(moved, done);
  const StageCost cost =
      predictor_.speeds().exchange(moved, {view_.point_bytes(done), 1, exchange.shares_memory});
  // In users' arrays of waves, most of what an exchange moves has no place.
  const bool ends_in_waves = view_.problem.cutoff.is_given() && layouts_.output == to;
  const bool takes_arrays = !ends_in_waves && (exchange.moves_arrays ||
                                               (exchange.shares_memory && moved.far_points == 0));
  return {&exchange, in_units(cost.seconds()), takes_arrays};
}

const Traffic& SearchCosts::traffic(std::size_t from, std::size_t to, unsigned done) const {
  const std::size_t state = view_.state(done), places = layouts_.candidates.size();
  auto& known = traffic_[(state * places + from) * places + to];
  if (!known)
    known = predictor_.traffic().between(*layouts_.candidates[from].at[state],
                                         *layouts_.candidates[to].at[state]);
  return *known;
}

const ExchangeTraits& SearchCosts::exchange_for(const Traffic& moved, unsigned done) const {
  if (exchanges_.chosen != nullptr) return *exchanges_.chosen;
  if (moved.far_points == 0 && exchanges_.in_nodes != nullptr) return *exchanges_.in_nodes;
  if (view_.nodes < view_.machine.ranks && exchanges_.between_nodes != nullptr)
    return *exchanges_.between_nodes;
  const double bytes = static_cast<double>(moved.points) * view_.point_bytes(done);
  const bool small = bytes < static_cast<double>(moved.messages) * constants::small_message_bytes;
  const ExchangeTraits* by_size = small ? exchanges_.small : exchanges_.large;
  ensure(by_size != nullptr, small);
  return *by_size;
}

const ExchangeTraits& SearchCosts::traits(const std::string& name) const {
  const auto& all = view_.choices.exchanges;
  const auto found =
      std::ranges::find_if(all, [&](const ExchangeTraits& each) { return each.name == name; });
  ensure(found != all.end(), name);
  return *found;
}

}  // namespace weft
