// run/execution: every exchange of the table moves every point of random redistributions to its
// place and back, however they are cut, in whatever order their messages become ready, and whoever
// is late.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/bound_plan.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/making/exchange_table.hpp"

using namespace weft;
using namespace weft::test;

namespace {

Machine machine_of(const Communicator& comm, const std::vector<int>& node_sizes) {
  return {comm.size(), nodes_of_ranks(comm, node_sizes)};
}

// The machine under a test: nodes of up to three ranks, of many sizes, or all ranks in one.
Machine some_machine(Dice& dice, const Communicator& comm) {
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

ProcessGrid grid_of(Dice& dice, const Extents& extents, int ranks) {
  return *random_grid(dice, extents, ranks).grid();
}

End random_end(Dice& dice, const Extents& extents, int ranks, Place::Form form) {
  if (dice.chance(50)) return {{Place::on_grid, grid_of(dice, extents, ranks)}, {}};
  return {{form, {}}, Distribution::of_boxes(random_tiling(dice, extents, ranks))};
}

Place with_last_axis(ProcessGrid grid) {
  grid.parts.push_back(1);
  return {Place::on_grid, grid};
}

/// A field that changes nothing but its place: nothing is transformed, or, where real numbers are
/// to move, an axis of one point, whose transform is the identity.
Problem random_field(Dice& dice, Precision precision, bool is_real) {
  Problem problem;
  problem.extents = random_extents(dice, 2000);
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

const ExchangeEntry& any_entry(Dice& dice, const Machine& machine) {
  std::vector<const ExchangeEntry*> entries;
  for (const ExchangeEntry& entry : exchanges())
    if (!entry.applies({}, machine)) entries.push_back(&entry);
  return *dice.pick(entries);
}

/// The field goes by `entry`, and perhaps first by another exchange; between passes that copy it,
/// or from and to users' arrays where the exchange can do that.
Blueprint random_blueprint(const ExchangeEntry& entry, Dice& dice, const Machine& machine,
                           Precision precision, bool is_real) {
  Problem problem = random_field(dice, precision, is_real);
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

void moves_every_point(const Communicator& comm, const ExchangeEntry& entry, std::uint64_t seed,
                       Precision precision, bool is_real, std::int64_t count_limit) {
  Dice dice(seed);
  const Machine machine = some_machine(dice, comm);
  if (entry.applies({}, machine)) return;
  const Blueprint blueprint = random_blueprint(entry, dice, machine, precision, is_real);
  SCOPED_TRACE(fmt::format("{} seed {}: {}, '{}' on {} nodes", entry.name, seed,
                           to_string(blueprint.problem), to_string(blueprint.strategy),
                           machine.nodes()));
  Dice mine(1000 * seed + static_cast<std::uint64_t>(comm.rank()));
  BoundPlan plan(comm, blueprint, mine, count_limit);
  const LateRank late(mine);
  int index = 0;
  for (const bool forward : {true, true, false, false, true}) {
    plan.begin(forward, ++index);
    plan.finish(forward, mine);
    plan.check(forward, index);
  }
}

constexpr std::int64_t int_limit = std::numeric_limits<int>::max();

}  // namespace

TEST(EveryExchange, moves_every_point_of_random_redistributions_there_and_back) {
  const Communicator comm(MPI_COMM_WORLD);
  for (const ExchangeEntry& entry : exchanges())
    for (std::uint64_t seed = 1; seed <= 15; ++seed) {
      moves_every_point(comm, entry, seed, Precision::single_precision, true, int_limit);
      moves_every_point(comm, entry, 100 + seed, Precision::double_precision, true, int_limit);
      moves_every_point(comm, entry, 200 + seed, Precision::single_precision, false, int_limit);
      moves_every_point(comm, entry, 300 + seed, Precision::double_precision, false, int_limit);
    }
}

// What happens beyond 2^31 elements, brought about by a limit of 5.
TEST(EveryExchange, cuts_messages_beyond_the_largest_count) {
  const Communicator comm(MPI_COMM_WORLD);
  for (const ExchangeEntry& entry : exchanges())
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      moves_every_point(comm, entry, seed, Precision::single_precision, seed % 2 == 0, 5);
}

// Messages of the second are ready before the first has finished; they must not be taken for them.
TEST(EveryExchange, runs_beside_any_other) {
  const Communicator comm(MPI_COMM_WORLD);
  const int ranks = comm.size();
  const Machine machine = machine_of(comm, {2});
  Problem problem;
  problem.extents = {ranks, 4 * ranks};
  problem.axes = Axes::none();
  for (const ExchangeEntry& first : exchanges())
    for (const ExchangeEntry& second : exchanges()) {
      if (first.applies({}, machine) || second.applies({}, machine)) continue;
      const Strategy strategy = parse_strategy(
          fmt::format("fftw | from {0}x1 | copy | {1} to 1x{0} | copy | {2} to {0}x1 | copy", ranks,
                      first.name, second.name));
      SCOPED_TRACE(to_string(strategy));
      Blueprint blueprint = Blueprint::of(problem, strategy, machine);
      blueprint.cuttings[1] = blueprint.cuttings[3] = {1, 4, 1, 4};
      Dice mine(static_cast<std::uint64_t>(comm.rank()));
      BoundPlan plan(comm, blueprint, mine);
      const LateRank late(mine);
      for (int index = 1; index <= 6; ++index) {
        const bool forward = index % 3 != 0;
        plan.begin(forward, index);
        plan.finish(forward, mine);
        plan.check(forward, index);
      }
    }
}

// A rank that waits for others of its node hears that one of them has failed.
TEST(EveryExchange, that_shares_memory_ends_when_a_member_fails) {
  const Communicator comm(MPI_COMM_WORLD);
  const int ranks = comm.size();
  if (ranks == 1) return;
  const Machine machine{ranks, std::vector<int>(static_cast<std::size_t>(ranks), 0)};
  Problem problem;
  problem.extents = {ranks, ranks};
  problem.axes = Axes::none();
  for (const ExchangeEntry& entry : exchanges()) {
    if (!entry.shares_memory) continue;
    SCOPED_TRACE(entry.name);
    const Blueprint blueprint =
        Blueprint::of(problem,
                      parse_strategy(fmt::format("fftw | from {0}x1 | copy | {1} to 1x{0} | copy",
                                                 ranks, entry.name)),
                      machine);
    Dice mine(static_cast<std::uint64_t>(comm.rank()));
    BoundPlan plan(comm, blueprint, mine);
    if (comm.rank() == ranks - 1) {
      plan.begin(true, 1);
      plan.node().fail(ErrorRecord(Error(Error::system, "the last rank has had enough")));
    } else {
      try {
        plan.begin(true, 1);
        plan.finish(true, mine);
        ADD_FAILURE() << "nothing was thrown";
      } catch (const Error& error) {
        EXPECT_EQ(error.message(), "the last rank has had enough");
      }
    }
    comm.barrier();
  }
}
