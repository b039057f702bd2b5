// choose/ensemble_choice: who shares ranks with whom, by what links and cores are said to take.

#include "weft/choose/ensemble_choice.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

// Nodes with one rank each, which walks over 5 GB/s.
Machine ensemble_machine(int nodes, double node_bytes_per_second, double transform_seconds) {
  Machine machine;
  machine.ranks = nodes;
  machine.speeds = {5e9, node_bytes_per_second, 1e-6, 0, transform_seconds};
  for (int rank = 0; rank < nodes; ++rank) machine.node_of_rank.push_back(rank);
  machine.threads_of_rank.assign(static_cast<std::size_t>(nodes), 1);
  return machine;
}

EnsemblePolicy::Form form_of(int instances, const Machine& machine, const Options& options = {},
                             std::int64_t side = 96) {
  Problem problem;
  problem.extents = {side, side, side};
  const std::vector<Problem> problems(static_cast<std::size_t>(instances), problem);
  return fastest_form(problems, machine.node_of_rank, machine, options);
}

constexpr double quick = 1e-10, slow = 2e-8;  // transforms, by the point

// Two instances on three nodes: on subsets, one of them has a node for itself and sends nothing,
// while it walks half as much again as both do on all nodes.
TEST(EnsembleChoice, is_subsets_where_links_are_slow_and_all_ranks_where_they_are_fast) {
  EXPECT_EQ(form_of(2, ensemble_machine(3, 1e8, quick)), EnsemblePolicy::subsets);
  EXPECT_EQ(form_of(2, ensemble_machine(3, 1e11, quick)), EnsemblePolicy::all_ranks);
}

// Both machines walk and send alike.
TEST(EnsembleChoice, is_all_ranks_where_transforms_take_longer_than_links) {
  EXPECT_EQ(form_of(2, ensemble_machine(3, 5e8, quick)), EnsemblePolicy::subsets);
  EXPECT_EQ(form_of(2, ensemble_machine(3, 5e8, slow)), EnsemblePolicy::all_ranks);
}

TEST(EnsembleChoice, is_mixed_where_the_last_instance_has_no_subset) {
  EXPECT_EQ(form_of(5, ensemble_machine(4, 1e9, quick)), EnsemblePolicy::mixed);
}

// Whether halves of a field fit the shared cache does not matter, as several fields do not.
TEST(EnsembleChoice, does_not_take_several_instances_for_what_a_cache_holds) {
  Machine machine = ensemble_machine(2, 1e9, quick);
  machine.shared_cache_bytes = 32 << 20;
  machine.speeds.cached_bytes_per_second = 50e9;
  EXPECT_EQ(form_of(5, machine), EnsemblePolicy::mixed);
}

TEST(EnsembleChoice, is_what_sends_least_of_what_takes_equally_long) {
  EXPECT_EQ(form_of(5, ensemble_machine(2, 1e11, slow)), EnsemblePolicy::mixed);
  EXPECT_EQ(form_of(2, ensemble_machine(2, 1e11, slow)), EnsemblePolicy::subsets);
  EXPECT_EQ(form_of(1, ensemble_machine(2, 1e11, slow)), EnsemblePolicy::all_ranks);
}

// As simulations were measured (docs/lab, "Policies of ensembles"): without speeds, by nominal
// ones.
TEST(EnsembleChoice, without_speeds_is_what_was_fastest_on_simulated_hosts) {
  const auto without_speeds = [](int instances, int nodes) {
    Machine machine = ensemble_machine(nodes, 0, 0);
    machine.speeds = {};
    machine.shared_cache_bytes = 32 << 20;
    return form_of(instances, machine, {}, 100);
  };
  EXPECT_EQ(without_speeds(3, 4), EnsemblePolicy::mixed);
  EXPECT_EQ(without_speeds(8, 4), EnsemblePolicy::subsets);
  EXPECT_EQ(without_speeds(2, 8), EnsemblePolicy::all_ranks);
  EXPECT_EQ(without_speeds(3, 8), EnsemblePolicy::all_ranks);
  EXPECT_EQ(without_speeds(5, 8), EnsemblePolicy::mixed);
}

// The same hosts by predictions: links of 1 GB/s, and passes that take as long.
TEST(EnsembleChoice, by_speeds_is_what_was_fastest_on_simulated_hosts) {
  const auto with_speeds = [](int instances, int nodes, double pass_seconds_per_byte) {
    Machine machine = ensemble_machine(nodes, 1e9, 1e-15);
    machine.speeds.walked_bytes_per_second = 2 / pass_seconds_per_byte;
    machine.shared_cache_bytes = 32 << 20;
    return form_of(instances, machine, {}, 100);
  };
  EXPECT_EQ(with_speeds(3, 4, 3.75e-10), EnsemblePolicy::mixed);
  EXPECT_EQ(with_speeds(5, 4, 3.75e-10), EnsemblePolicy::mixed);
  EXPECT_EQ(with_speeds(8, 4, 3.75e-10), EnsemblePolicy::subsets);
  EXPECT_EQ(with_speeds(2, 8, 4.375e-10), EnsemblePolicy::all_ranks);
  EXPECT_EQ(with_speeds(3, 8, 4.375e-10), EnsemblePolicy::all_ranks);
  EXPECT_EQ(with_speeds(4, 8, 4.375e-10), EnsemblePolicy::subsets);
  EXPECT_EQ(with_speeds(5, 8, 4.375e-10), EnsemblePolicy::mixed);
}

TEST(EnsembleChoice, is_never_one_that_cannot_be_planned) {
  Options options;
  options.grid = {3, 1};  // three ranks, which no subset has
  EXPECT_EQ(form_of(2, ensemble_machine(3, 1e8, quick), options), EnsemblePolicy::all_ranks);
}

TEST(SubsetOf, numbers_nodes_in_the_order_of_their_lowest_rank) {
  Machine machine = ensemble_machine(6, 1e9, quick);
  machine.node_of_rank = {0, 0, 1, 1, 2, 2};
  machine.threads_of_rank = {1, 2, 3, 4, 5, 6};
  const Machine subset = subset_of(machine, {3, 4, 5});
  EXPECT_EQ(subset.ranks, 3);
  EXPECT_EQ(subset.node_of_rank, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(subset.threads_of_rank, (std::vector<int>{4, 5, 6}));
  EXPECT_EQ(subset.speeds, machine.speeds);
}

}  // namespace
}  // namespace weft
