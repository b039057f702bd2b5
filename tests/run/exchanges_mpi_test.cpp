// run/execution: every exchange of the table moves every point of random redistributions to its
// place and back, however they are cut, in whatever order their messages become ready, and whoever
// is late.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/bound_plan.hpp"
#include "support/random_exchange.hpp"
#include "weft/comm/mpi_comm.hpp"

using namespace weft;
using namespace weft::test;

namespace {

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
