// plan/cutoff: transforms of which only the waves in a sphere, or of a list, are kept, against
// direct sums; and what cannot be.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/exchanges_here.hpp"
#include "support/world.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/race.hpp"
#include "weft/plan/raced_plans.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

void expect_right_waves(const Problem& problem, const Options& options = quick()) {
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const auto failure = check_plan(plan, known_reference(plan.problem(), 23));
  EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
}

int last_rank() { return ranks_of_world() - 1; }

Problem ball(Kind kind, double radius = 3.3) {
  Problem problem = of({9, 10, 11}, kind);
  problem.cutoff = Cutoff::sphere(radius);
  return problem;
}

std::int64_t sum(std::int64_t mine) {
  std::int64_t all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

// The waves of a random part of the columns of a random set, shuffled, on the ranks that `owner`
// says for each column.
template <class Owner>
std::vector<Wave> some_waves(const Extents& grid, bool is_real, int column, const Owner& owner,
                             unsigned one_is_left_out_of = 3) {
  std::mt19937 random(7);
  std::vector<Wave> mine;
  const auto most = [&](int axis) { return static_cast<std::int32_t>((grid[axis] - 1) / 2); };
  for (std::int32_t a = -most(0); a <= most(0); ++a)
    for (std::int32_t b = -most(1); b <= most(1); ++b)
      for (std::int32_t c = -most(2); c <= most(2); ++c) {
        const Wave wave{a, b, c};
        const int other = 1 - column;  // the halved axis is 2
        const auto number = [&](int axis) { return wave[static_cast<std::size_t>(axis)]; };
        if (is_real && std::tuple(c, number(other), number(column)) < std::tuple(0, 0, 0)) continue;
        if (random() % one_is_left_out_of == 0) continue;
        if (owner(column == 0 ? b : a, column == 2 ? b : c) == rank_of_world())
          mine.push_back(wave);
      }
  std::shuffle(mine.begin(), mine.end(), random);
  return mine;
}

}  // namespace

TEST(Cutoff, spheres_of_every_radius) {
  const double step = ranks_of_world() > 4 ? 1.7 : 0.65;
  for (double radius = 0; radius < 4.1; radius += step)
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      expect_right_waves(ball(kind, radius));
}

TEST(Cutoff, columns_along_every_axis_and_in_every_order_of_memory) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (int axis = -3; axis < 3; ++axis) {
      if (kind != Kind::c2c && (axis == 2 || axis == -1)) continue;
      Problem problem = ball(kind);
      problem.cutoff = problem.cutoff.along(axis);
      expect_right_waves(problem);
      (kind == Kind::c2r ? problem.output : problem.input).storage = Storage::column_major(3);
      expect_right_waves(problem);
    }
}

TEST(Cutoff, other_halved_axes) {
  for (const Kind kind : {Kind::r2c, Kind::c2r})
    for (const std::vector<int>& axes : {std::vector{1, 2, 0}, {0, 2, 1}}) {
      Problem problem = ball(kind);
      problem.axes = axes;
      expect_right_waves(problem);
    }
}

TEST(Cutoff, with_every_exchange_and_engine) {
  for (const auto& exchange : exchanges_here())
    for (const EngineEntry& engine : engines()) {
      if (engine.applies() || (ranks_of_world() > 4 && engine.name != "weft")) continue;
      for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
        Options options = quick();
        options.exchange = exchange.name;
        options.engine = engine.name;
        expect_right_waves(ball(kind), options);
      }
    }
}

TEST(Cutoff, batches_norms_precisions_and_supports) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (const Norm norm : {Norm::backward, Norm::ortho, Norm::forward, Norm::none}) {
      Problem problem = ball(kind);
      problem.norm = norm;
      problem.batch = norm == Norm::none || norm == Norm::forward ? 3 : 1;
      problem.precision =
          norm == Norm::ortho ? Precision::single_precision : Precision::double_precision;
      if (norm == Norm::backward) problem.support = {{0, 2, 1}, {5, 10, 9}};
      expect_right_waves(problem);
    }
}

TEST(Cutoff, distributions_of_real_space) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (const auto form : {Distribution::slab, Distribution::pencil, Distribution::brick}) {
      Problem problem = ball(kind);
      (kind == Kind::c2r ? problem.output : problem.input).form = form;
      expect_right_waves(problem);
    }
}

TEST(Cutoff, a_lattice_that_is_not_cubic) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
    Problem problem = of({11, 9, 12}, kind);
    problem.cutoff = Cutoff::sphere(2.71, {{{0.7, 0.1, 0}, {-0.2, 0.8, 0.15}, {0, 0.3, 0.6}}});
    expect_right_waves(problem);
  }
}

// All that a grid of odd extents has; also where the last exchange could end in the array.
TEST(Cutoff, the_whole_grid) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
    Problem problem = of({5, 5, 5}, kind);
    problem.cutoff = Cutoff::of_my_waves(some_waves(
        problem.extents, kind != Kind::c2c, 0, [](int a, int) { return a < 0 ? 0 : last_rank(); },
        1U << 31));
    expect_right_waves(problem);
  }
}

TEST(Cutoff, lists_of_waves_with_columns_on_any_rank_in_any_order) {
  const int ranks = ranks_of_world();
  const auto dealt = [&](int a, int b) { return (7 * (a + 20) + 3 * (b + 20)) % ranks; };
  const auto on_last = [](int, int) { return last_rank(); };
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (const int column : {0, 1}) {
      Problem problem = of({9, 8, 7}, kind);
      const bool is_real = kind != Kind::c2c;
      problem.batch = column + 1;
      problem.cutoff =
          Cutoff::of_my_waves(some_waves(problem.extents, is_real, column, dealt)).along(column);
      expect_right_waves(problem);
      problem.cutoff =
          Cutoff::of_my_waves(some_waves(problem.extents, is_real, column, on_last)).along(column);
      expect_right_waves(problem);
    }
}

// Columns long enough for weft's own kernels, measured plans, threads, small tiles, chunks.
TEST(Cutoff, fields_as_long_as_they_are_used) {
  if (ranks_of_world() > 4) GTEST_SKIP() << "direct sums of these take long";
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const Effort effort : {Effort::estimate, Effort::measure}) {
      Problem problem = of({48, 32, 40}, kind);
      problem.cutoff = Cutoff::sphere(9.5);
      Options options = quick();
      options.effort = effort;
      options.threads = 2;
      expect_right_waves(problem, options);
      options.pretend.cache_bytes = 16384;
      options.chunks = 3;
      expect_right_waves(problem, options);
    }
}

TEST(Cutoff, a_plan_says_which_waves_a_rank_has) {
  for (const bool is_real : {false, true}) {
    AnyPlan plan(MPI_COMM_WORLD, ball(is_real ? Kind::r2c : Kind::c2c), quick());
    const Share& share = plan.output();
    EXPECT_EQ(share.elements, share.waves.size());
    EXPECT_TRUE(share.boxes.empty());
    std::int64_t inside = 0;
    for (int a = -3; a <= 3; ++a)
      for (int b = -3; b <= 3; ++b)
        for (int c = -3; c <= 3; ++c) inside += a * a + b * b + c * c <= 3.3 * 3.3;
    EXPECT_EQ(sum(share.waves.size()), is_real ? (inside + 1) / 2 : inside);
    // Even shares, but for a column.
    const std::int64_t even = sum(share.waves.size()) / ranks_of_world();
    EXPECT_LE(std::abs(share.waves.size() - even), 8);
  }
}

// The disc of columns is at most pi/16 of the planes of a grid of twice its diameter.
TEST(Cutoff, only_columns_are_sent) {
  if (ranks_of_world() < 2 || ranks_of_world() > 4) GTEST_SKIP() << "few ranks and many planes";
  Problem problem = of({64, 64, 64});
  Options options = quick();
  options.exchange = "p2p";
  AnyPlan whole(MPI_COMM_WORLD, problem, options);
  problem.cutoff = Cutoff::sphere(16);
  AnyPlan cut(MPI_COMM_WORLD, problem, options);
  for (AnyPlan* plan : {&whole, &cut}) {
    const auto in = plan->allocate(plan->input().elements * 16);
    const auto out = plan->allocate(plan->output().elements * 16);
    plan->forward(in.get(), out.get());
  }
  EXPECT_LE(static_cast<double>(bytes_sent(cut)), 0.25 * static_cast<double>(bytes_sent(whole)));
}

TEST(Cutoff, shells_are_whole_where_the_radius_is_rounded) {
  for (const int square : {3, 6, 12, 13}) {
    AnyPlan plan(MPI_COMM_WORLD, ball(Kind::c2c, std::sqrt(static_cast<double>(square))), quick());
    std::int64_t inside = 0;
    for (int a = -4; a <= 4; ++a)
      for (int b = -4; b <= 4; ++b)
        for (int c = -4; c <= 4; ++c) inside += a * a + b * b + c * c <= square;
    EXPECT_EQ(sum(plan.output().waves.size()), inside);
  }
}

// The others own nothing of it.
TEST(Cutoff, the_ranks_that_compute_have_the_waves) {
  Options options = quick();
  options.ranks = 1;
  AnyPlan plan(MPI_COMM_WORLD, ball(Kind::c2c), options);
  const auto failure = check_plan(plan, known_reference(plan.problem(), 23));
  EXPECT_FALSE(failure) << *failure << plan.describe(Detail::all);
  EXPECT_EQ(sum(plan.output().waves.empty() ? 0 : 1), 1);
  EXPECT_NE(plan.describe(Detail::all).find(": 147 waves, at most 147 on a rank"),
            std::string::npos)
      << plan.describe(Detail::all);
}

// Whatever the options say: plans of one problem with other strategies are compared in trials.
TEST(Cutoff, of_given_owners_is_with_them) {
  for (const std::vector<int>& owners : {std::vector{last_rank()}, std::vector{last_rank(), 0}}) {
    Problem problem = ball(Kind::r2c);
    problem.cutoff = problem.cutoff.placed(owners);
    Options options = quick();
    options.ranks = ranks_of_world();
    const auto expect_owners = [&] {
      AnyPlan plan(MPI_COMM_WORLD, problem, options);
      const bool is_owner =
          std::find(owners.begin(), owners.end(), rank_of_world()) != owners.end();
      EXPECT_EQ(plan.output().waves.empty(), !is_owner) << plan.describe(Detail::all);
      const auto failure = check_plan(plan, known_reference(plan.problem(), 23));
      EXPECT_FALSE(failure) << *failure << plan.describe(Detail::all);
      return plan.strategy();
    };
    EXPECT_NE(to_string(problem), to_string(ball(Kind::r2c)));  // which is what is remembered
    const std::string strategy = expect_owners();
    options = quick();
    options.strategy = strategy;
    expect_owners();
  }
}

// Options of a plan that is tried name its strategy alone.
TEST(Cutoff, has_its_columns_where_the_plan_has_them_in_trials) {
  const Problem problem = ball(Kind::c2c);
  Options options = quick();
  options.ranks = 1;
  const AnyPlan plan(MPI_COMM_WORLD, problem, options);
  const PlanBody& body = body_of(plan);
  const Problem placed = with_placed_columns(as_r2c(body.problem()), body.machine(), options);
  const Race race(body.comm(), raced_plans(body.comm()), with_columns_of(placed, problem),
                  {demanding(plan.strategy(), options)}, 1 << 20);
  EXPECT_EQ(race.all().front().plan->output().waves, plan.output().waves);
}

TEST(Cutoff, fields_of_waves) {
  auto problem = c2c({9, 10, 11});
  problem.cutoff = Cutoff::sphere(3.3);
  const Plan plan(MPI_COMM_WORLD, problem, quick());
  auto g = plan.make_output(), h = plan.make_output();
  EXPECT_EQ(g.points().size(), plan.output().waves.size());
  std::int64_t i = 0;
  for (auto [k, value] : g.points()) {
    const Wave& wave = plan.output().waves[i++];
    EXPECT_EQ(k, (Dims{wave[0], wave[1], wave[2]}));
    value = static_cast<double>(100 + k[0] * k[0] + k[2]);
  }
  EXPECT_EQ(i, g.size());
  EXPECT_EQ(max_abs(g), 110);  // of the wave (3,0,1)
  EXPECT_EQ(max_abs_difference(g, h), 110);
  problem.cutoff = problem.cutoff.along(1);
  const Plan other(MPI_COMM_WORLD, problem, quick());
  EXPECT_THROW(static_cast<void>(max_abs_difference(g, other.make_output())), Error);
  EXPECT_THROW(static_cast<void>(g.points().rows()), Error);
  EXPECT_THROW(require_whole_axis(g.share(), 0), Error);
  EXPECT_THROW(static_cast<void>(plan.wavenumbers(0)), Error);
}

TEST(Cutoff, ensembles_of_bands) {
  for (const auto form :
       {EnsemblePolicy::all_ranks, EnsemblePolicy::mixed, EnsemblePolicy::automatic}) {
    Problem bands = ball(Kind::c2c), real = ball(Kind::r2c, 2.5);
    bands.batch = 2;
    Options options = quick();
    options.pretend.node_sizes = {2};
    AnyEnsemble ensemble(MPI_COMM_WORLD, {bands, real, bands}, form, options);
    for (int i = 0; i < ensemble.size(); ++i) {
      if (!ensemble.is_mine(i)) continue;
      AnyPlan& plan = ensemble.plan(i);
      const auto failure = check_plan(plan, known_reference(plan.problem(), 23));
      EXPECT_FALSE(failure) << *failure;
    }
  }
}

TEST(Cutoff, what_cannot_be_is_said_on_all_ranks) {
  const auto expect_refused = [](const Problem& problem, const char* what) {
    try {
      AnyPlan plan(MPI_COMM_WORLD, problem, quick());
      FAIL() << "accepted; expected " << what;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  const bool is_first = rank_of_world() == 0, is_last = rank_of_world() == last_rank();
  const auto listed = [&](Kind kind, std::vector<Wave> of_first, std::vector<Wave> of_last) {
    Problem problem = of({8, 9, 10}, kind);
    std::vector<Wave> mine;
    if (is_first) mine.insert(mine.end(), of_first.begin(), of_first.end());
    if (is_last) mine.insert(mine.end(), of_last.begin(), of_last.end());
    problem.cutoff = Cutoff::of_my_waves(mine);
    return problem;
  };
  expect_refused(ball(Kind::c2c, -1), "radius of the cut-off is -1");
  expect_refused(ball(Kind::c2c, std::nan("")), "radius of the cut-off is nan");
  expect_refused(ball(Kind::c2c, 5), "has the wave (0,-5,0)");
  expect_refused(ball(Kind::c2c, 1e9), "reaches to wave 1000000000");
  expect_refused(listed(Kind::c2c, {}, {}), "no rank lists a wave");
  expect_refused(listed(Kind::c2c, {{4, 0, 0}}, {}), "has the wave (4,0,0)");
  expect_refused(listed(Kind::c2c, {{1, 0, 0}}, {{1, 0, 0}}), "is listed twice");
  if (ranks_of_world() > 1)
    expect_refused(listed(Kind::c2c, {{1, 0, 0}}, {{2, 0, 0}}), "are of one column along axis 0");
  expect_refused(listed(Kind::r2c, {{1, 0, -1}}, {}), "whose negative stands for both");
  expect_refused(listed(Kind::r2c, {{0, -1, 0}}, {}), "whose negative stands for both");
  expect_refused(listed(Kind::r2c, {{-1, 0, 0}}, {}), "whose negative stands for both");
  Problem problem = ball(Kind::c2c);
  problem.cutoff = problem.cutoff.placed({0, ranks_of_world()});
  expect_refused(problem, "the cut-off has a share for rank");
  problem = listed(Kind::c2c, {{1, 0, 0}}, {});
  problem.cutoff = problem.cutoff.placed({0});
  expect_refused(problem, "has owners of shares, too");
  Problem flat = of({8, 8});
  flat.cutoff = Cutoff::sphere(2);
  expect_refused(flat, "needs a grid of 3 axes");
  problem = ball(Kind::c2c);
  problem.in_place = true;
  expect_refused(problem, "cannot take the memory");
  problem = ball(Kind::c2c);
  problem.modes = {5, 5, 5};
  expect_refused(problem, "modes 5x5x5 are given, too");
  problem = ball(Kind::c2c);
  problem.axes = {0, 1};
  expect_refused(problem, "not all axes are Fourier");
  problem = ball(Kind::c2c);
  problem.output.form = Distribution::slab;
  expect_refused(problem, "a distribution or a storage of its own");
  problem = ball(Kind::r2c);
  problem.cutoff = problem.cutoff.along(2);
  expect_refused(problem, "run along axis 2, which r2c halves");
  problem.cutoff = problem.cutoff.along(3);
  expect_refused(problem, "there is no axis 3");
  problem.cutoff = Cutoff::sphere(2, {{{1, 0, 0}, {2, 0, 0}, {0, 0, 1}}});
  expect_refused(problem, "span no volume");
  if (ranks_of_world() > 1) {
    problem.cutoff = Cutoff::sphere(is_first ? 2 : 3);
    expect_refused(problem, "problem");
    // The same waves one after another, but divided otherwise.
    std::vector<std::vector<Wave>> lists(static_cast<std::size_t>(ranks_of_world()));
    (is_first ? lists.front() : lists.back()) = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}};
    problem = of({8, 9, 10});
    problem.cutoff = Cutoff::of_waves(lists);
    expect_refused(problem, "problem");
  }
  problem = of({8, 9, 10});
  problem.cutoff = Cutoff::of_waves({});
  expect_refused(problem, "lists the waves of 0 ranks");
}

// A number that is none in one wave is none at every point, and the other way round; it reaches no
// other field of the batch.
TEST(Cutoff, what_is_no_number_stays_in_its_field) {
  Problem problem = c2c({12, 10, 11});
  problem.cutoff = Cutoff::sphere(4);
  problem.batch = 3;
  AnyPlan plan(MPI_COMM_WORLD, problem, quick());
  using Complex = std::complex<double>;
  const std::int64_t points = plan.input().elements / 3, waves = plan.output().elements / 3;
  std::vector<Complex> u(static_cast<std::size_t>(3 * points + 1), 1.0),
      v(static_cast<std::size_t>(3 * waves + 1));
  const auto count = [](const std::vector<Complex>& field, std::int64_t first, std::int64_t size) {
    std::int64_t none = 0;
    for (std::int64_t i = first; i < first + size; ++i)
      none += std::isnan(field[static_cast<std::size_t>(i)].real()) ? 1 : 0;
    return none;
  };
  if (points > 0 && rank_of_world() == 0) u[static_cast<std::size_t>(points)] = std::nan("");
  plan.forward(u.data(), v.data());
  EXPECT_EQ(count(v, 0, waves), 0);
  EXPECT_EQ(count(v, waves, waves), waves);
  EXPECT_EQ(count(v, 2 * waves, waves), 0);
  plan.backward(v.data(), u.data());
  EXPECT_EQ(count(u, 0, points), 0);
  EXPECT_EQ(count(u, points, points), points);
  EXPECT_EQ(count(u, 2 * points, points), 0);
}
