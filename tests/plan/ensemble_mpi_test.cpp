// plan/ensemble: who transforms what, and that it comes out as from a plan alone.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/world.hpp"
#include "weft/comm/communicator.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/weft.hpp"

using namespace weft;
using test::rank_of_world;
using test::ranks_of_world;

namespace {

using Complex = std::complex<double>;
using Values = std::vector<Complex>;

Values input_of(const AnyPlan& plan, int instance) {
  Values values(static_cast<std::size_t>(plan.input().elements));
  for (auto [at, x] : Points<Complex>(values.data(), plan.input()))
    x = {1.0 / (1 + instance + at[0] + 3 * at[1]), 0.5 * at[at.size() - 1]};
  return values;
}

Options with_nodes_of_two() {
  Options options;
  options.pretend.node_sizes = {2};
  options.effort = Effort::estimate;
  return options;
}

// All instances at once, against a plan of the same ranks that runs alone: bit for bit.
void check(AnyEnsemble& ensemble, const std::vector<Problem>& problems, const Options& options) {
  std::vector<Values> from(problems.size()), to(problems.size()), back(problems.size());
  std::vector<Ticket> tickets(problems.size());
  for (int i = 0; i < ensemble.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (ensemble.is_mine(i)) {
      from[at] = input_of(ensemble.plan(i), i);
      to[at].resize(static_cast<std::size_t>(ensemble.plan(i).output().elements));
      back[at].resize(from[at].size());
    }
    tickets[at] = ensemble.start_forward(i, from[at].data(), to[at].data());
  }
  for (auto ticket = tickets.rbegin(); ticket != tickets.rend(); ++ticket) ticket->wait();
  for (int i = 0; i < ensemble.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    tickets[at] = ensemble.start_backward(i, to[at].data(), back[at].data());
  }
  for (Ticket& ticket : tickets) ticket.wait();

  const Communicator world(MPI_COMM_WORLD);
  for (int i = 0; i < ensemble.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Communicator part = world.split(ensemble.is_mine(i) ? 1 : 0);
    if (!ensemble.is_mine(i)) continue;
    Options alone_options = options;
    alone_options.strategy = ensemble.plan(i).strategy();
    AnyPlan alone(part.handle(), problems[at], alone_options);
    Values wanted(to[at].size()), returned(back[at].size());
    alone.forward(from[at].data(), wanted.data());
    alone.backward(wanted.data(), returned.data());
    EXPECT_EQ(to[at], wanted) << "instance " << i;
    EXPECT_EQ(back[at], returned) << "instance " << i;
    for (std::size_t k = 0; k < from[at].size(); ++k)
      ASSERT_LT(std::abs(back[at][k] - from[at][k]), 1e-12) << "instance " << i;
  }
}

}  // namespace

TEST(Ensemble, transforms_all_instances_at_once_as_plans_alone_do) {
  const std::vector<Problem> problems{c2c({12, 10, 8}), c2c({9, 14}), c2c({12, 10, 8}),
                                      c2c({6, 5, 4}), c2c({16, 16})};
  const Options options = with_nodes_of_two();
  for (const auto form : {EnsemblePolicy::all_ranks, EnsemblePolicy::subsets, EnsemblePolicy::mixed,
                          EnsemblePolicy::automatic}) {
    SCOPED_TRACE(to_string(form));
    AnyEnsemble ensemble(MPI_COMM_WORLD, problems, form, options);
    EXPECT_EQ(ensemble.size(), 5);
    EXPECT_NE(ensemble.form(), EnsemblePolicy::automatic);
    check(ensemble, problems, options);
  }
}

TEST(Ensemble, shares_the_nodes_out_evenly) {
  const std::vector<Problem> problems(3, c2c({8, 8, 8}));
  AnyEnsemble ensemble(MPI_COMM_WORLD, problems, EnsemblePolicy::subsets, with_nodes_of_two());
  using Ranks = std::vector<int>;
  if (ranks_of_world() == 7) {  // nodes 01 23 45 6: the first instance has two
    EXPECT_EQ(ensemble.ranks(0), (Ranks{0, 1, 2, 3}));
    EXPECT_EQ(ensemble.ranks(1), (Ranks{4, 5}));
    EXPECT_EQ(ensemble.ranks(2), (Ranks{6}));
  }
  if (ranks_of_world() == 4) {  // of two nodes, two instances share the first
    EXPECT_EQ(ensemble.ranks(0), (Ranks{0, 1}));
    EXPECT_EQ(ensemble.ranks(1), (Ranks{0, 1}));
    EXPECT_EQ(ensemble.ranks(2), (Ranks{2, 3}));
  }
  if (ranks_of_world() <= 2) {
    EXPECT_EQ(ensemble.ranks(2), ensemble.ranks(0));
  }
}

// Every rank a node: of 2 n - 1 instances on n nodes, n on one each and the others on all.
TEST(Ensemble, mixes_subsets_that_come_out_even_with_all_ranks) {
  const int nodes = ranks_of_world();
  const std::vector<Problem> problems(static_cast<std::size_t>(2 * nodes - 1), c2c({8, 8, 8}));
  Options options = with_nodes_of_two();
  options.pretend.node_sizes = {1};
  AnyEnsemble ensemble(MPI_COMM_WORLD, problems, EnsemblePolicy::mixed, options);
  EXPECT_EQ(ensemble.form(), EnsemblePolicy::mixed);
  for (int i = 0; i < ensemble.size(); ++i) {
    const auto expected = i < nodes ? std::size_t{1} : static_cast<std::size_t>(nodes);
    EXPECT_EQ(ensemble.ranks(i).size(), expected) << "instance " << i;
    if (i < nodes) {
      EXPECT_EQ(ensemble.ranks(i).front(), i);
    }
  }
}

// 4 instances on 3 nodes of one rank: subsets alone leave one node with two of them, and all on
// all send three quarters more.
TEST(Ensemble, automatic_mixes_where_that_costs_least) {
  if (ranks_of_world() != 3) GTEST_SKIP() << "for 3 ranks";
  const std::vector<Problem> problems(4, c2c({48, 48, 48}));
  Options options = with_nodes_of_two();
  options.pretend.node_sizes = {1};
  options.pretend.cache_bytes = 1 << 20;
  options.pretend.shared_cache_bytes = 32 << 20;
  AnyEnsemble ensemble(MPI_COMM_WORLD, problems, {}, options);
  EXPECT_EQ(ensemble.form(), EnsemblePolicy::mixed);
}

TEST(Ensemble, takes_chosen_ranks_that_overlap) {
  const int last = ranks_of_world() - 1;
  std::vector<std::vector<int>> ranks{{0}, {last}, {}};
  for (int rank = last; rank >= 0; rank -= 2) ranks[2].push_back(rank);
  const std::vector<Problem> problems(3, c2c({10, 9, 8}));
  Options options;
  options.effort = Effort::estimate;
  AnyEnsemble ensemble(MPI_COMM_WORLD, problems, EnsemblePolicy(ranks), options);
  EXPECT_EQ(ensemble.is_mine(0), rank_of_world() == 0);
  EXPECT_EQ(ensemble.is_mine(2), (last - rank_of_world()) % 2 == 0);
  check(ensemble, problems, options);
}

TEST(Ensemble, one_that_ends_does_not_wait_for_another) {
  const std::vector<Problem> problems(2, c2c({8, 8, 8}));
  AnyEnsemble ensemble(MPI_COMM_WORLD, problems, EnsemblePolicy::all_ranks);
  std::vector<Values> from, to;
  for (int i = 0; i < 2; ++i) {
    from.push_back(input_of(ensemble.plan(i), i));
    to.emplace_back(static_cast<std::size_t>(ensemble.plan(i).output().elements));
  }
  // The last rank starts the second only when the first has ended.
  const bool is_late = rank_of_world() == ranks_of_world() - 1;
  Ticket second;
  if (!is_late) second = ensemble.start_forward(1, from[1].data(), to[1].data());
  bool told = false;
  Ticket first = ensemble.start_forward(0, from[0].data(), to[0].data());
  first.then([&] { told = true; });
  first.wait();
  EXPECT_TRUE(told);
  if (is_late) second = ensemble.start_forward(1, from[1].data(), to[1].data());
  second.wait();
}

TEST(Ensemble, an_instance_ends_before_the_ranks_of_another_have_begun_theirs) {
  const std::vector<Problem> problems(2, c2c({8, 8, 8}));
  AnyEnsemble ensemble(MPI_COMM_WORLD, problems, EnsemblePolicy::subsets, with_nodes_of_two());
  if (ranks_of_world() > 2) {
    EXPECT_NE(ensemble.is_mine(0), ensemble.is_mine(1));
  }
  for (int i = 0; i < 2; ++i) {
    if (ensemble.is_mine(i)) {
      const Values from = input_of(ensemble.plan(i), i);
      Values to(static_cast<std::size_t>(ensemble.plan(i).output().elements)), back(from.size());
      // There, and by itself back again.
      Ticket way_back;
      Ticket there = ensemble.start_forward(i, from.data(), to.data());
      there.then([&] { way_back = ensemble.start_backward(i, to.data(), back.data()); });
      there.wait();
      way_back.wait();
      for (std::size_t k = 0; k < from.size(); ++k)
        EXPECT_LT(std::abs(back[k] - from[k]), 1e-12) << "instance " << i;
    }
    // The second instance begins when the first one's ranks have come here.
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// A plane wave with wave number i in instance i is one spike, all points high, at (i, 0, 0).
TEST(Ensemble, of_typed_fields_transforms_what_its_instances_make) {
  const std::int64_t n = 8;
  auto ensemble = Ensemble(MPI_COMM_WORLD, 3, r2c<float>({n, n, n}), EnsemblePolicy::subsets,
                           with_nodes_of_two());
  ASSERT_EQ(ensemble.size(), 3);
  std::vector<Field<float>> fields, back;
  std::vector<Field<std::complex<float>>> spectra;
  std::vector<Ticket> tickets;
  for (int i = 0; i < ensemble.size(); ++i) {
    fields.push_back(ensemble.make_input(i));
    back.push_back(ensemble.make_input(i));
    spectra.push_back(ensemble.make_output(i));
    for (auto [at, x] : fields.back().points())
      x = static_cast<float>(std::cos(2 * std::numbers::pi * i * static_cast<double>(at[0]) / n));
  }
  for (int i = 0; i < ensemble.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    tickets.push_back(ensemble.start_forward(i, fields[at], spectra[at]));
  }
  for (Ticket& ticket : tickets) ticket.wait();
  for (int i = 0; i < ensemble.size(); ++i) {
    const auto number = static_cast<std::size_t>(i);
    for (auto [k, x] : spectra[number].points()) {
      const bool is_spike = k[1] == 0 && k[2] == 0 && (k[0] == i || k[0] == (n - i) % n);
      const float height = i == 0 ? n * n * n : n * n * n / 2;
      EXPECT_LT(std::abs(x - (is_spike ? height : 0.0F)), 1e-2F) << "instance " << i;
    }
    ensemble.start_backward(i, spectra[number], back[number]).wait();
    if (ensemble.is_mine(i)) {
      EXPECT_LT(max_abs_difference(fields[number], back[number]), 1e-5);
    }
  }
}

TEST(Ensemble, a_rank_without_part_in_an_instance_has_a_field_of_no_points) {
  if (ranks_of_world() < 2) GTEST_SKIP() << "for 2 ranks and more";
  const std::vector problems{c2c({4, 4}), c2c({6, 5})};
  using Ranks = std::vector<std::vector<int>>;
  Ensemble ensemble(MPI_COMM_WORLD, problems, EnsemblePolicy(Ranks{{0}, {0, 1}}));
  auto field = ensemble.make_input(0);
  EXPECT_EQ(field.size(), rank_of_world() == 0 ? 16 : 0);
  EXPECT_EQ(field.boxes().empty(), rank_of_world() != 0);
  int points = 0;
  for ([[maybe_unused]] auto [at, x] : field.points()) ++points;
  EXPECT_EQ(points, rank_of_world() == 0 ? 16 : 0);
  if (rank_of_world() != 0) {
    EXPECT_THROW(max_abs(field), Error);
  }
}

TEST(Ensemble, refuses_fields_of_another_size) {
  Ensemble ensemble(MPI_COMM_WORLD, 1, c2c({4, 4}));
  const auto from = ensemble.make_input(0);
  Field<Complex> to;
  EXPECT_THROW((void)ensemble.start_forward(0, from, to), Error);
}

TEST(Ensemble, tells_on_all_ranks_what_cannot_be) {
  const auto complaint = [](std::vector<Problem> problems, const EnsemblePolicy& policy,
                            const Options& options = {}) {
    try {
      const AnyEnsemble ensemble(MPI_COMM_WORLD, std::move(problems), policy, options);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("none");
  };
  using Ranks = std::vector<std::vector<int>>;
  EXPECT_EQ(complaint({}, {}), "an ensemble of no instances");
  EXPECT_EQ(complaint({c2c({4, 4})}, EnsemblePolicy(Ranks{{0}, {0}})),
            "ranks are chosen for 2 instances of 1");
  EXPECT_EQ(complaint({c2c({4, 4})}, EnsemblePolicy(Ranks{{}})), "instance 0 has no ranks");
  EXPECT_EQ(complaint({c2c({4, 4})}, EnsemblePolicy(Ranks{{0, 0}})), "instance 0 has rank 0 twice");
  EXPECT_EQ(complaint({c2c({4, 4})}, EnsemblePolicy(Ranks{{-1}})).substr(0, 22),
            "instance 0 has rank -1");
  Options no_nodes;
  no_nodes.pretend.node_sizes = {2, 0};
  EXPECT_EQ(complaint({c2c({4, 4})}, {}, no_nodes), "the node size is 0 ranks");
}
