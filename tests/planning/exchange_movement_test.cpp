// planning/exchange_movement: what is moved, counted message by message, and what is remembered of
// it.

#include "weft/planning/exchange_movement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "support/dice.hpp"
#include "support/problem_of.hpp"
#include "weft/networks/network_of.hpp"
#include "weft/planning/cost.hpp"
#include "weft/problem/validated.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// The same from a table of what each rank sends to each other one.
Movement counted(const RanksOnNetwork& of, const MovingExchange& exchange) {
  const int ranks = of.ranks.ranks, nodes = of.ranks.nodes();
  std::map<int, double> near, handled, sent, received, messages;
  std::map<std::pair<int, int>, double> between;  // ranks, or nodes that send together
  for (int rank = 0; rank < ranks; ++rank)
    for (const Box& box : exchange.from.boxes(rank))
      exchange.to.for_each_overlap(box, [&](int peer, int, const Box& both) {
        const auto points = static_cast<double>(both.volume());
        const int here = of.ranks.node(rank), there = of.ranks.node(peer);
        if (rank == peer) return;
        if (here == there) {
          near[rank] += points;
          return;
        }
        sent[here] += points;
        received[there] += points;
        const bool by_nodes = exchange.shares_memory;
        for (const int each : {rank, peer})
          handled[by_nodes ? of.ranks.node(each) : each] +=
              by_nodes ? points / of.ranks_on(of.ranks.node(each)) : points;
        between[by_nodes ? std::pair(here, there) : std::pair(rank, peer)] += points;
      });
  double all = 0;
  for (const auto& [pair, points] : between) {
    ++messages[pair.first];
    ++messages[pair.second];
    all += points;
  }
  const auto most = [](const std::map<int, double>& values) {
    double largest = 0;
    for (const auto& [number, value] : values) largest = std::max(largest, value);
    return largest;
  };
  Movement found;
  found.most_near = most(near);
  found.most_messages = most(messages);
  for (int node = 0; exchange.shares_memory && node < nodes; ++node)
    found.most_of_a_rank = std::max(found.most_of_a_rank, messages[node] / of.ranks_on(node));
  found.most_handled = most(handled);
  found.most_of_a_node = std::max(most(sent), most(received));
  if (!between.empty()) found.mean_points = all / static_cast<double>(between.size());
  return found;
}

void expect_equal(const Movement& found, const Movement& wanted, const std::string& what) {
  EXPECT_EQ(found.most_near, wanted.most_near) << what;
  EXPECT_EQ(found.most_messages, wanted.most_messages) << what;
  EXPECT_DOUBLE_EQ(found.most_of_a_rank, wanted.most_of_a_rank) << what;
  EXPECT_NEAR(found.most_handled, wanted.most_handled, 1e-9 * wanted.most_handled) << what;
  EXPECT_EQ(found.most_of_a_node, wanted.most_of_a_node) << what;
  EXPECT_DOUBLE_EQ(found.mean_points, wanted.mean_points) << what;
}

MachineModel torus_of(const std::vector<int>& extents, int ranks_per_node, AlltoallvWay way) {
  MachineModel machine;
  machine.ranks_per_node = machine.cores_per_node = ranks_per_node;
  machine.alltoallv = way;
  machine.network = Torus{extents, {}, Torus::Ties::split, {1e8, 1e-6}};
  return machine;
}

}  // namespace

TEST(ExchangeMovement, is_what_a_table_of_all_messages_tells) {
  Dice dice(11);
  for (int round = 0; round < 300; ++round) {
    const int ranks_per_node = static_cast<int>(dice.between(1, 5));
    const int ranks = 6 * static_cast<int>(dice.between(1, 6));
    const MachineModel machine = torus_of({6, 6}, ranks_per_node, AlltoallvWay::at_once);
    const CostPredictor predictor(machine, network_of(machine.network), ranks);
    const std::vector<int> sizes = predictor.ranks().node_sizes();
    const RanksOnNetwork of{predictor.ranks(), sizes, predictor.network(), predictor.nodes()};
    const Extents extents{dice.between(1, 12), dice.between(1, 12), dice.between(1, 12)};
    const auto grid = [&] {
      const std::vector<Dims> shapes{{ranks, 1, 1},     {1, ranks, 1},     {1, 1, ranks},
                                     {ranks / 3, 3, 1}, {2, 1, ranks / 2}, {1, ranks / 6, 6}};
      return Decomposition::on_grid(extents, {dice.pick(shapes)}, ranks);
    };
    const Decomposition from = grid(), to = grid();
    MovementMemo memo;
    for (const bool shares_memory : {false, true}) {
      const MovingExchange exchange{from, to, shares_memory};
      const std::string what =
          to_string(from) + " to " + to_string(to) + (shares_memory ? ", shared" : "");
      expect_equal(movement_of(of, exchange), counted(of, exchange), what);
      for (int again = 0; again < 2; ++again)
        expect_equal(memo.between(of, exchange), counted(of, exchange), what + ", remembered");
    }
  }
}

TEST(ExchangeMovement, what_is_remembered_is_that_of_the_same_nodes_and_the_same_way) {
  const std::vector<ExchangeKind> kinds{
      {"p2p", false, true, true}, {"node", true}, {"alltoallv", false}};
  const Problem problem = validated(of({24, 20, 18}));
  const std::vector<int> elsewhere{15, 3, 9, 0, 6, 12, 1, 8};
  for (const auto way : {AlltoallvWay::at_once, AlltoallvWay::pairwise}) {
    const MachineModel machine = torus_of({4, 4}, 2, way);
    const CostPredictor predictor(machine, network_of(machine.network), 16);
    const auto seconds = [&](const CostPredictor& by, const std::string& exchange) {
      const std::string text = "weft | from 4x4x1 | fft 2 | " + exchange + " to 4x1x4 | fft 1 | " +
                               exchange + " to 1x4x4 | fft 0";
      return by.cost(parse_strategy(text), problem, kinds).seconds();
    };
    std::set<double> different;
    for (const std::string exchange : {"p2p", "node", "alltoallv"}) {
      const double here =
          seconds(CostPredictor(machine, network_of(machine.network), 16), exchange);
      const double there =
          seconds(CostPredictor(machine, network_of(machine.network), 16, 1, elsewhere), exchange);
      for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(seconds(predictor, exchange), here) << exchange;
        EXPECT_EQ(seconds(predictor.on(elsewhere), exchange), there) << exchange;
      }
      EXPECT_NE(here, there) << exchange;
      different.insert(here);
    }
    EXPECT_EQ(different.size(), way == AlltoallvWay::pairwise ? 3U : 2U);
  }
}
