// predicting/reordered: new numbers for ranks - a permutation that keeps nodes together, predicted
// to be no slower, on which transforms are right; and what is refused.

#include "weft/reordered.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/world.hpp"
#include "weft/networks/machine_file.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;

namespace {

// A ring or a row of `nodes` nodes as a file, which only rank 0 has.
class RingFile {
 public:
  explicit RingFile(int nodes, bool wraps = true)
      : name_("ring-of-" + std::to_string(ranks_of_world()) + "-ranks.json") {
    if (rank_of_world() != 0) return;
    MachineModel machine;
    machine.name = "ring";
    Torus torus;
    torus.extents = {nodes};
    torus.wraps = {wraps};
    torus.link = {1e8, 1e-6};
    machine.network = torus;
    std::ofstream(name_) << print_machine(machine);
  }
  ~RingFile() {
    if (rank_of_world() == 0) std::filesystem::remove(name_);
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

Problem cube() { return of({24, 24, 24}); }

// The ranks of MPI_COMM_WORLD, by their new numbers.
std::vector<int> old_numbers(MPI_Comm comm) {
  std::vector<int> all(static_cast<std::size_t>(ranks_of_world()));
  const int mine = rank_of_world();
  MPI_Allgather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, comm);
  return all;
}

std::string refusal(const Problem& problem, const std::string& machine, int node,
                    std::int64_t swaps = 10, const Options& options = {}) {
  try {
    ReorderedRanks made = reordered(MPI_COMM_WORLD, problem, machine, node, options, swaps);
    MPI_Comm_free(&made.comm);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST(Reordered, NumbersAllRanksAnewAndTransformsAreRight) {
  const int ranks = ranks_of_world();
  const RingFile ring(ranks + 3);
  // Neighbours in the old order are far from each other.
  const int node = (rank_of_world() * 5 + 1) % (ranks % 5 == 0 ? ranks + 3 : ranks);
  ReorderedRanks made = reordered(MPI_COMM_WORLD, cube(), ring.name(), node);
  std::vector<int> numbers = old_numbers(made.comm);
  std::sort(numbers.begin(), numbers.end());
  for (int rank = 0; rank < ranks; ++rank) EXPECT_EQ(numbers[static_cast<std::size_t>(rank)], rank);
  EXPECT_LE(made.seconds, made.seconds_before);
  EXPECT_FALSE(made.order.empty());
  for (const std::string& strategy : {std::string(), made.strategy}) {
    Options options;
    options.strategy = strategy;
    options.effort = Effort::estimate;
    AnyPlan plan(made.comm, cube(), options);
    const auto failure = check_plan(plan, known_reference(plan.problem(), 11), nullptr);
    ASSERT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
  }
  MPI_Comm_free(&made.comm);
}

TEST(Reordered, KeepsTheRanksOfANodeTogether) {
  const int ranks = ranks_of_world();
  if (ranks % 2 != 0) GTEST_SKIP() << "two ranks on each node";
  const RingFile ring(ranks);
  // Ranks r and r + ranks / 2 are on one node.
  const int node = (rank_of_world() % (ranks / 2) * 7) % ranks;
  ReorderedRanks made = reordered(MPI_COMM_WORLD, cube(), ring.name(), node, {}, 20);
  const std::vector<int> numbers = old_numbers(made.comm);
  for (std::size_t i = 0; i < numbers.size(); i += 2)
    EXPECT_EQ(numbers[i] + ranks / 2, numbers[i + 1]) << i;
  MPI_Comm_free(&made.comm);
}

TEST(Reordered, IsBetterOnARowWhereTheOldOrderIsBad) {
  const int ranks = ranks_of_world();
  if (ranks != 12) GTEST_SKIP() << "12 ranks";
  const RingFile ring(12, false);
  constexpr int nodes[] = {0, 7, 3, 10, 5, 1, 8, 11, 2, 6, 9, 4};
  const int node = nodes[rank_of_world()];
  Options pencils;
  pencils.grid = {3, 4};
  ReorderedRanks made = reordered(MPI_COMM_WORLD, cube(), ring.name(), node, pencils);
  EXPECT_LT(made.seconds, 0.97 * made.seconds_before) << made.order;
  MPI_Comm_free(&made.comm);
}

TEST(Reordered, RefusesBadInputOnAllRanks) {
  const int ranks = ranks_of_world(), rank = rank_of_world();
  EXPECT_THAT(refusal(cube(), "no such file", rank), HasSubstr("there is no machine file"));
  EXPECT_THAT(refusal(cube(), "blue-gene-l", 512 + rank), HasSubstr("but the network has 512"));
  EXPECT_THAT(refusal(cube(), "blue-gene-l", -1 - rank), HasSubstr("node -1"));
  EXPECT_THAT(refusal(of({0, 4, 4}), "blue-gene-l", rank), HasSubstr("0"));
  EXPECT_THAT(refusal(cube(), "blue-gene-l", rank, -2), HasSubstr("-2 swaps"));
  Options options;
  options.threads = -3;
  EXPECT_THAT(refusal(cube(), "blue-gene-l", rank, 10, options), HasSubstr("-3 threads a rank"));
  if (ranks == 1) return;
  EXPECT_THAT(refusal(cube(), rank == 0 ? "blue-gene-l" : "shaheen-ii", rank),
              HasSubstr("arguments of reordered"));
  if (ranks == 2) return;
  EXPECT_THAT(refusal(cube(), "blue-gene-l", rank == 2 ? 1 : rank),
              HasSubstr("start equally many processes on each node"));
}
