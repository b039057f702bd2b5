// support/random_exchange: random fields that change nothing but their places, by an exchange that
// a test names.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/decompositions.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/making/exchange_table.hpp"

namespace weft::test {

inline Machine machine_of(const Communicator& comm, const std::vector<int>& node_sizes) {
  return {comm.size(), nodes_of_ranks(comm, node_sizes)};
}

// The machine under a test: nodes of up to three ranks, of many sizes, or all ranks in one.
inline Machine some_machine(Dice& dice, const Communicator& comm) {
  const int nodes = static_cast<int>(dice.between(0, 3));
  std::vector<int> sizes;
  for (int i = 0; i < nodes; ++i) sizes.push_back(static_cast<int>(dice.between(1, 3)));
  Machine machine = machine_of(comm, sizes);
  machine.cache_bytes = dice.pick<std::int64_t>({512, 4096, 1 << 20});
  return machine;
}

/// A decomposition that a strategy names: by its process grid or, at an end of the problem, by its
/// boxes.
struct End {
  Place place;
  Distribution distribution;
};

inline ProcessGrid grid_of(Dice& dice, const Extents& extents, int ranks) {
  return *random_grid(dice, extents, ranks).grid();
}

inline End random_end(Dice& dice, const Extents& extents, int ranks, Place::Form form) {
  if (dice.chance(50)) return {{Place::on_grid, grid_of(dice, extents, ranks)}, {}};
  return {{form, {}}, Distribution::of_boxes(random_tiling(dice, extents, ranks))};
}

inline Place with_last_axis(ProcessGrid grid) {
  grid.parts.push_back(1);
  return {Place::on_grid, grid};
}

/// A field that changes nothing but its place: nothing is transformed, or, where real numbers are
/// to move, an axis of one point, whose transform is the identity.
inline Problem random_field(Dice& dice, Precision precision, bool is_real,
                            std::int64_t most_points) {
  Problem problem;
  problem.extents = random_extents(dice, most_points);
  problem.precision = precision;
  problem.norm = Norm::none;
  problem.axes = Axes::none();
  problem.in_place = dice.chance(25);
  if (!is_real) return problem;
  if (problem.extents.size() == 8) problem.extents.erase(7);
  problem.kind = Kind::r2c;
  problem.axes = {problem.extents.size()};
  return problem;  // without the axis of one point
}

inline const ExchangeEntry& any_entry(Dice& dice, const Machine& machine) {
  std::vector<const ExchangeEntry*> entries;
  for (const ExchangeEntry& entry : exchanges())
    if (!entry.applies({}, machine)) entries.push_back(&entry);
  return *dice.pick(entries);
}

/// The field goes by `entry`, and perhaps first by another exchange; between passes that copy it,
/// or from and to users' arrays where the exchange can do that.
inline Blueprint random_blueprint(const ExchangeEntry& entry, Dice& dice, const Machine& machine,
                                  Precision precision, bool is_real,
                                  std::int64_t most_points = 2000) {
  Problem problem = random_field(dice, precision, is_real, most_points);
  const Extents extents = problem.extents;
  End from = random_end(dice, extents, machine.ranks, Place::input);
  End to = random_end(dice, extents, machine.ranks, Place::output);
  Place between{Place::on_grid, grid_of(dice, extents, machine.ranks)};
  PassStage last{};
  if (is_real) {
    // Real numbers go to process grids only.
    if (from.place.form == Place::on_grid) from.place = with_last_axis(from.place.grid);
    auto of_rank = from.distribution.boxes_of_rank();
    for (auto& boxes : of_rank)
      for (Box& box : boxes) {
        box.lo.push_back(0);
        box.hi.push_back(1);
      }
    if (from.place.form != Place::on_grid)
      from.distribution = Distribution::of_boxes(std::move(of_rank));
    to = {with_last_axis(grid_of(dice, extents, machine.ranks)), {}};
    between = with_last_axis(between.grid);
    last.axes = problem.axes.list();
    problem.extents.push_back(1);
  }
  problem.input = from.distribution;
  problem.output = to.distribution;
  Strategy strategy{"fftw", {}, from.place, {PassStage{}}};
  if (dice.chance(30)) {
    strategy.stages.emplace_back(ExchangeStage{any_entry(dice, machine).name, between, 1});
    strategy.stages.emplace_back(PassStage{});
  }
  strategy.stages.emplace_back(ExchangeStage{entry.name, to.place, 1});
  strategy.stages.emplace_back(last);
  Strategy shorter = strategy;
  if (dice.chance(50)) shorter.stages.erase(shorter.stages.begin());
  if (!is_real && dice.chance(50)) shorter.stages.pop_back();
  Blueprint blueprint = Blueprint::of(validated(problem), shorter, machine);
  if (error_of([&] { check_ends(blueprint); }))
    blueprint = Blueprint::of(validated(problem), strategy, machine);
  for (std::size_t i = 0; i < blueprint.cuttings.size(); ++i)
    if (std::holds_alternative<ExchangeStage>(blueprint.strategy.stages[i]) && dice.chance(70))
      blueprint.cuttings[i] = random_cutting(dice, extents);
  return blueprint;
}

}  // namespace weft::test
