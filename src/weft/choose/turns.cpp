// choose/turns: the turns, and the rule.

#include "weft/choose/turns.hpp"

#include <algorithm>
#include <map>

namespace weft {

namespace {

// The part of the incumbent's time that a challenger must stay below, and the part of the turns in
// which it must be faster. Measured (docs/lab/2026-11-choices.md, "Races of a plan against
// itself"): of races of a plan against the same plan, these take 0.3 to 1.6% for a difference; 0.97
// of the time and 0.7 of the turns take 0.6 to 3.2%.
constexpr double most_part = 0.95, least_wins = 0.6;
// From this turn on, candidates do not run again that have taken so many times as long as the
// fastest of their group. A choice: what else runs may slow a few turns down by half.
constexpr int hopeless_turn = 3;
constexpr double hopeless = 1.25;

// The part of the turns of both in which `a` took less time than `b`.
double wins(const Times& a, const Times& b) {
  int turns = 0, won = 0;
  for (std::size_t turn = 0; turn < a.turns.size(); ++turn) {
    if (a.turns[turn] == Times::none || b.turns[turn] == Times::none) continue;
    ++turns;
    if (a.turns[turn] < b.turns[turn]) ++won;
  }
  return turns == 0 ? 0 : static_cast<double>(won) / turns;
}

// Candidates in the order of a turn. Time may be up in the second turn, so it begins with what
// others are compared with, and goes on with those that were the fastest in the first one.
class Order {
 public:
  explicit Order(std::span<Entrant* const> all) : all_(all) {
    std::map<std::size_t, std::size_t> places;
    for (std::size_t number = 0; number < all.size(); ++number) {
      numbers_.push_back(number);
      places_.push_back(places[all[number]->group]++);
    }
  }

  const std::vector<std::size_t>& numbers() const { return numbers_; }
  std::size_t place(std::size_t number) const { return places_[number]; }
  double best_of(std::size_t group) const {
    double best = Times::none;
    for (const Entrant* one : all_)
      if (one->group == group) best = std::min(best, one->times.seconds);
    return best;
  }
  void sort() {
    std::ranges::stable_sort(numbers_, {}, [&](std::size_t number) {
      const Entrant& one = *all_[number];
      if (place(number) == 0) return 0.0;
      if (one.times.seconds == Times::none) return Times::none;
      const double best = best_of(one.group);
      return best > 0 ? one.times.seconds / best : 1.0;
    });
  }

 private:
  std::span<Entrant* const> all_;
  std::vector<std::size_t> numbers_, places_;  // places: among the candidates of the group
};

}  // namespace

int Times::count() const {
  return static_cast<int>(std::ranges::count_if(turns, [](double turn) { return turn != none; }));
}

bool is_faster(const Times& challenger, const Times& incumbent) {
  return challenger.is_told() && incumbent.is_told() &&
         challenger.seconds < most_part * incumbent.seconds &&
         wins(challenger, incumbent) >= least_wins;
}

std::size_t kept(std::span<const Times> all, std::size_t peers) {
  if (all.empty() || !all.front().is_told()) return 0;
  std::size_t best = 0;
  for (std::size_t peer = 1; peer < std::min(peers, all.size()); ++peer)
    if (all[peer].is_told() && all[peer].seconds < all[best].seconds) best = peer;
  const std::size_t incumbent = best;
  for (std::size_t other = 0; other < all.size(); ++other)
    if (all[other].seconds < all[best].seconds && is_faster(all[other], all[incumbent]))
      best = other;
  return best;
}

void Entrant::add(int turn, std::span<const double> parts) {
  shortest.resize(parts.size(), Times::none);
  double sum = 0, least = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    shortest[part] = std::min(shortest[part], parts[part]);
    sum += parts[part];
    least += shortest[part];
  }
  times.turns[static_cast<std::size_t>(turn)] = sum;
  times.seconds = least;
}

void run_in_turns(std::span<Entrant* const> all, const std::function<void(std::size_t, int)>& run,
                  const std::function<bool()>& is_time_up) {
  Order order(all);
  for (int turn = 0; turn < most_turns; ++turn) {
    if (turn == 1) order.sort();
    bool ran = false;
    for (const std::size_t number : order.numbers()) {
      const Entrant& one = *all[number];
      const bool runs_anyway = turn < fewest_turns && order.place(number) < 2;
      if (turn >= hopeless_turn && one.times.seconds > hopeless * order.best_of(one.group))
        continue;
      if (!runs_anyway && is_time_up()) continue;
      run(number, turn);
      ran = true;
    }
    if (!ran) return;
  }
}

}  // namespace weft
