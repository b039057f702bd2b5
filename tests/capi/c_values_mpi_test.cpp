// capi/c_values: C reaches all that C++ can do, and gives the same bits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "support/asked.hpp"
#include "support/world.hpp"
#include "weft/weft.h"
#include "weft/weft.hpp"

using weft::test::quick;
using weft::test::rank_of_world;
using weft::test::ranks_of_world;

namespace {

constexpr const char* settings = "effort=estimate; threads=1";

template <class Struct>
Struct sized() {
  Struct made{};
  made.size = sizeof made;
  return made;
}

weft_problem problem_of(const std::vector<std::int64_t>& extents) {
  auto problem = sized<weft_problem>();
  problem.axes = static_cast<int>(extents.size());
  std::copy(extents.begin(), extents.end(), problem.extents);
  return problem;
}

weft_plan* planned(const weft_problem& problem, const char* how = settings) {
  weft_plan* plan = nullptr;
  EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, how, &plan), WEFT_OK) << weft_last_error();
  return plan;
}

weft_share share_of(const weft_plan* plan, weft_side side) {
  auto share = sized<weft_share>();
  EXPECT_EQ(weft_plan_share(plan, side, &share), WEFT_OK) << weft_last_error();
  return share;
}

// The problem that the plan was made for, as C++ prints it, and its strategy.
std::string told(const weft_plan* plan) {
  const char* text = "";
  EXPECT_EQ(weft_plan_describe(plan, WEFT_DETAIL_ALL, &text), WEFT_OK);
  return text;
}

std::string told(const weft::Problem& problem, const weft::Options& options = quick()) {
  return weft::AnyPlan(MPI_COMM_WORLD, problem, options).describe(weft::Detail::all);
}

void expect_same_plan(const weft_problem& c, const weft::Problem& cpp) {
  weft_plan* plan = planned(c);
  EXPECT_EQ(told(plan), told(cpp));
  weft_plan_free(&plan);
}

}  // namespace

TEST(CValues, are_the_bits_of_cpp) {
  auto c = problem_of({12, 10, 9});
  c.kind = WEFT_R2C;
  weft_plan* plan = planned(c);
  weft::Plan cpp(MPI_COMM_WORLD, weft::r2c({12, 10, 9}), quick());
  auto u = cpp.make_input();
  auto v = cpp.make_output();
  for (auto [at, x] : u.points()) x = std::sin(double(at[0] + 3 * at[1] + 7 * at[2]));
  cpp.forward(u, v);
  const weft_share out = share_of(plan, WEFT_OUTPUT);
  ASSERT_EQ(out.elements, v.size());
  std::vector<std::complex<double>> result(static_cast<std::size_t>(out.elements) + 1);
  EXPECT_EQ(weft_run(plan, WEFT_FORWARD, {u.data(), u.size()}, {result.data(), out.elements}, 1),
            WEFT_OK);
  EXPECT_EQ(std::memcmp(result.data(), v.data(), static_cast<std::size_t>(16 * out.elements)), 0);
  weft_plan_free(&plan);
}

TEST(CValues, points_are_those_of_cpp_in_their_order) {
  auto slabs = sized<weft_distribution>();
  slabs.form = WEFT_SLAB;
  slabs.ghosts_before[0] = slabs.ghosts_after[1] = 1;
  auto c = problem_of({9, 5, 4});
  c.input = &slabs;
  weft_plan* plan = planned(c);
  auto problem = weft::c2c({9, 5, 4});
  problem.input = weft::Distribution::slab;
  problem.input.storage = weft::Storage::with_ghosts({1, 0, 0}, {0, 1, 0});
  const weft::AnyPlan cpp(MPI_COMM_WORLD, problem, quick());
  const weft_share in = share_of(plan, WEFT_INPUT);
  const std::complex<double>* const first = nullptr;
  weft_point p{};
  for (auto [at, x] : weft::Points<const std::complex<double>>(first, cpp.input())) {
    ASSERT_EQ(weft_next_point(&in, &p), 1);
    EXPECT_EQ(p.element, &x - first);
    for (int a = 0; a < 3; ++a) EXPECT_EQ(p.at[a], at[a]);
  }
  EXPECT_EQ(weft_next_point(&in, &p), 0);
  EXPECT_EQ(weft_next_point(&in, &p), 0);
  weft_plan_free(&plan);
}

TEST(CValues, say_all_that_problems_can_say) {
  auto c = problem_of({12, 13, 8});
  c.kind = WEFT_R2C;
  c.precision = WEFT_SINGLE;
  c.norm = WEFT_NORM_ORTHO;
  c.bases[0] = WEFT_DST2;
  c.bases[1] = WEFT_CHEBYSHEV;
  c.batch = 2;
  auto pencil = sized<weft_distribution>();
  pencil.form = WEFT_PENCIL;
  pencil.grid[0] = 1;
  pencil.grid[1] = ranks_of_world();
  pencil.column_major = 1;
  pencil.interleaves_batch = 1;
  c.input = &pencil;
  weft::Problem cpp;
  cpp.extents = {12, 13, 8};
  cpp.kind = weft::Kind::r2c;
  cpp.precision = weft::Precision::single_precision;
  cpp.norm = weft::Norm::ortho;
  cpp.bases = {weft::Basis::dst2, weft::Basis::chebyshev, weft::Basis::fourier};
  cpp.batch = 2;
  cpp.input = {weft::Distribution::pencil, {1, ranks_of_world()}};
  cpp.input.storage = weft::Storage::column_major(3);
  cpp.input.storage.interleaves_batch = true;
  expect_same_plan(c, cpp);
}

TEST(CValues, leave_out_what_problems_leave_out) {
  auto c = problem_of({12, 12, 12});
  c.modes[0] = c.modes[1] = c.modes[2] = 8;
  const weft_box support{{0, 0, 0}, {6, 12, 5}};
  c.support = &support;
  const int axes[] = {2, 0, 1};
  c.transformed = axes;
  c.transformed_count = 3;
  auto cpp = weft::c2c({12, 12, 12});
  cpp.modes = {8, 8, 8};
  cpp.support = {{0, 0, 0}, {6, 12, 5}};
  cpp.axes = {2, 0, 1};
  expect_same_plan(c, cpp);

  auto sphere = sized<weft_cutoff>();
  sphere.radius = 3.5;
  for (int v = 0; v < 3; ++v) sphere.vectors[v][v] = 1.25;
  sphere.has_column_axis = 1;
  sphere.column_axis = 1;
  auto waves = problem_of({12, 12, 12});
  waves.cutoff = &sphere;
  auto kept = weft::c2c({12, 12, 12});
  kept.cutoff = weft::Cutoff::sphere(3.5, {{{1.25, 0, 0}, {0, 1.25, 0}, {0, 0, 1.25}}}).along(1);
  expect_same_plan(waves, kept);

  auto moved = problem_of({6, 5});
  moved.transformed = axes;  // with no number: none of them
  auto only = weft::c2c({6, 5});
  only.axes = weft::Axes::none();
  expect_same_plan(moved, only);
}

TEST(CValues, place_parts_in_arrays_of_any_strides) {
  const int ranks = ranks_of_world(), rank = rank_of_world();
  const std::int64_t n = 12;
  weft_part part{};
  part.box = {{n * rank / ranks, 0}, {n * (rank + 1) / ranks, n}};
  part.offset = 5;
  part.strides[0] = 2;
  part.strides[1] = 2 * n + 1;
  auto parts = sized<weft_distribution>();
  parts.form = WEFT_PARTS;
  parts.count = 1;
  parts.parts = &part;
  auto c = problem_of({n, n});
  c.batch = 2;
  c.input = c.output = &parts;
  weft_plan* plan = planned(c);
  const weft_share in = share_of(plan, WEFT_INPUT);
  EXPECT_EQ(in.parts[0].offset, 5);
  EXPECT_EQ(in.parts[0].strides[1], 2 * n + 1);
  const std::int64_t rows = part.box.hi[0] - part.box.lo[0];
  const std::int64_t field = 5 + 2 * (rows - 1) + (2 * n + 1) * (n - 1) + 1;
  EXPECT_EQ(in.field_stride, field);
  EXPECT_EQ(in.elements, 2 * field);
  std::vector<std::complex<double>> u(static_cast<std::size_t>(in.elements), 1.5), v = u;
  EXPECT_EQ(weft_run(plan, WEFT_FORWARD, {u.data(), in.elements}, {v.data(), in.elements}, 1),
            WEFT_OK)
      << weft_last_error();
  for (weft_point p{}; weft_next_point(&in, &p) != 0;)
    for (const std::int64_t i : {p.element, p.element + field})
      EXPECT_NEAR(std::abs(v[static_cast<std::size_t>(i)] -
                           (p.at[0] + p.at[1] == 0 ? 1.5 * double(n * n) : 0)),
                  0, 1e-11);
  EXPECT_EQ(v[0], 1.5);  // no point lies there
  weft_plan_free(&plan);
}

TEST(CValues, texts_say_problems_and_options) {
  weft_plan* plan = nullptr;
  ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, nullptr,
                             "extents=10x12; kind=r2c\n norm=ortho; in_flight = 2; "
                             "effort=estimate; threads=1; exchange=p2p",
                             &plan),
            WEFT_OK)
      << weft_last_error();
  auto cpp = weft::r2c({10, 12});
  cpp.norm = weft::Norm::ortho;
  weft::Options options = quick();
  options.in_flight = 2;
  options.exchange = "p2p";
  EXPECT_EQ(told(plan), told(cpp, options));
  weft_plan_free(&plan);
}

TEST(CValues, tell_what_plans_tell) {
  auto c = problem_of({8, 8, 7});
  c.kind = WEFT_R2C;
  weft_plan* plan = planned(c);
  const weft::AnyPlan cpp(MPI_COMM_WORLD, weft::r2c({8, 8, 7}), quick());
  int rank = -1, threads = 0, stages = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  const char *engine = "", *strategy = "";
  EXPECT_EQ(weft_plan_rank(plan, &rank), WEFT_OK);
  EXPECT_EQ(weft_plan_threads(plan, &threads), WEFT_OK);
  EXPECT_EQ(weft_plan_comm(plan, &comm), WEFT_OK);
  EXPECT_EQ(weft_plan_engine(plan, &engine), WEFT_OK);
  EXPECT_EQ(weft_plan_strategy(plan, &strategy), WEFT_OK);
  EXPECT_EQ(rank, rank_of_world());
  EXPECT_EQ(threads, 1);
  EXPECT_EQ(comm, cpp.comm());
  EXPECT_EQ(engine, cpp.engine());
  EXPECT_EQ(strategy, to_string(cpp.strategy()));
  auto memory = sized<weft_memory>();
  EXPECT_EQ(weft_plan_memory(plan, &memory), WEFT_OK);
  EXPECT_EQ(memory.planned.input, cpp.memory().planned.input);
  EXPECT_EQ(memory.held.tiles, cpp.memory().held.tiles);
  EXPECT_EQ(weft_plan_stage_count(plan, WEFT_BACKWARD, &stages), WEFT_OK);
  EXPECT_GT(stages, 0);
  auto stage = sized<weft_stage>();
  EXPECT_EQ(weft_plan_stage(plan, WEFT_BACKWARD, stages - 1, &stage), WEFT_OK);
  EXPECT_EQ(std::string(stage.name).rfind("pass", 0), 0U) << stage.name;

  weft_wavenumbers k{};
  EXPECT_EQ(weft_plan_wavenumbers(plan, -1, &k), WEFT_OK);
  EXPECT_EQ(weft_wavenumber(k, 3), 3);
  EXPECT_EQ(weft_is_nyquist(k, 3), 0);
  EXPECT_EQ(weft_plan_wavenumbers(plan, 0, &k), WEFT_OK);
  EXPECT_EQ(weft_wavenumber(k, 5), -3);
  EXPECT_EQ(weft_is_nyquist(k, 4), 1);
  EXPECT_EQ(weft_plan_wavenumbers(plan, 3, &k), WEFT_INVALID);
  std::int64_t points = 0;
  EXPECT_EQ(weft_next_fast_length(97, WEFT_FOURIER, &points), WEFT_OK);
  EXPECT_EQ(points, 98);
  weft_plan_free(&plan);
}

TEST(CValues, polynomials_are_differentiated) {
  auto c = problem_of({9});
  c.kind = WEFT_R2R;
  c.bases[0] = WEFT_CHEBYSHEV;
  weft_plan* plan = nullptr;
  ASSERT_EQ(weft_plan_create_alone(&c, settings, &plan), WEFT_OK) << weft_last_error();
  weft_field *u = nullptr, *a = nullptr;
  EXPECT_EQ(weft_field_create(plan, WEFT_INPUT, &u), WEFT_OK);
  EXPECT_EQ(weft_field_create(plan, WEFT_OUTPUT, &a), WEFT_OK);
  auto* const values = static_cast<double*>(weft_field_data(u));
  for (int j = 0; j < 9; ++j) values[j] = std::pow(std::cos(std::acos(-1.0) * j / 8), 3);
  EXPECT_EQ(weft_run_fields(plan, WEFT_FORWARD, u, a, 1), WEFT_OK);
  EXPECT_EQ(weft_differentiate_chebyshev(a, 0, 0), WEFT_OK);
  EXPECT_EQ(weft_run_fields(plan, WEFT_BACKWARD, a, u, 1), WEFT_OK);
  for (int j = 0; j < 9; ++j)
    EXPECT_NEAR(values[j], 3 * std::pow(std::cos(std::acos(-1.0) * j / 8), 2), 1e-14);
  EXPECT_EQ(weft_differentiate_chebyshev(a, 1, 0), WEFT_INVALID);
  weft_field_free(&u);
  weft_field_free(&a);
  weft_plan_free(&plan);
}

TEST(CValues, fields_in_place_are_two_views_of_one_memory) {
  auto c = problem_of({6, 6, 6});
  c.kind = WEFT_R2C;
  c.in_place = 1;
  weft_plan* plan = planned(c);
  weft_field *u = nullptr, *v = nullptr;
  EXPECT_EQ(weft_field_create(plan, WEFT_INPUT, &u), WEFT_OK);
  EXPECT_EQ(weft_field_view(plan, u, &v), WEFT_OK);
  EXPECT_EQ(weft_field_data(u), weft_field_data(v));
  weft_field_free(&u);  // the memory lives as long as v
  double most = -1;
  EXPECT_EQ(weft_max_abs(v, 0, &most), WEFT_OK);
  EXPECT_EQ(most, 0);
  weft_field_free(&v);
  weft_plan_free(&plan);
}

TEST(CValues, elements_of_any_size_are_moved) {
  struct Particle {
    double x, y, z;
  };
  auto grid = sized<weft_grid>();
  grid.axes = 2;
  grid.extents[0] = grid.extents[1] = 12;
  grid.element_bytes = sizeof(Particle);
  auto rows = sized<weft_distribution>(), columns = sized<weft_distribution>();
  rows.form = columns.form = WEFT_BRICK;
  rows.grid[0] = columns.grid[1] = ranks_of_world();
  rows.grid[1] = columns.grid[0] = 1;
  weft_reshape* reshape = nullptr;
  ASSERT_EQ(weft_reshape_create(MPI_COMM_WORLD, &grid, &rows, &columns, settings, &reshape),
            WEFT_OK)
      << weft_last_error();
  auto from = sized<weft_share>(), to = sized<weft_share>();
  EXPECT_EQ(weft_reshape_share(reshape, WEFT_INPUT, &from), WEFT_OK);
  EXPECT_EQ(weft_reshape_share(reshape, WEFT_OUTPUT, &to), WEFT_OK);
  std::vector<Particle> a(static_cast<std::size_t>(from.elements));
  std::vector<Particle> b(static_cast<std::size_t>(to.elements));
  const auto value = [](const weft_point& p) {
    return Particle{double(p.at[0]), double(p.at[1]), double(p.at[0] * p.at[1])};
  };
  for (weft_point p{}; weft_next_point(&from, &p) != 0;)
    a[static_cast<std::size_t>(p.element)] = value(p);
  EXPECT_EQ(
      weft_reshape_run(reshape, WEFT_FORWARD, {a.data(), from.elements}, {b.data(), to.elements}),
      WEFT_OK)
      << weft_last_error();
  for (weft_point p{}; weft_next_point(&to, &p) != 0;) {
    const Particle found = b[static_cast<std::size_t>(p.element)], expected = value(p);
    EXPECT_EQ(found.x, expected.x);
    EXPECT_EQ(found.z, expected.z);
  }
  weft_plan* plan = nullptr;
  EXPECT_EQ(weft_reshape_plan(reshape, &plan), WEFT_OK);
  EXPECT_NE(told(plan), "");
  EXPECT_EQ(weft_forward(plan, a.data(), b.data(), 1), WEFT_INVALID);
  EXPECT_EQ(weft_reshape_free(&reshape), WEFT_OK);
  // In place, one array has room for both sides.
  grid.is_in_place = 1;
  ASSERT_EQ(weft_reshape_create(MPI_COMM_WORLD, &grid, &rows, &columns, settings, &reshape),
            WEFT_OK)
      << weft_last_error();
  EXPECT_EQ(weft_reshape_share(reshape, WEFT_OUTPUT, &to), WEFT_OK);
  a.resize(static_cast<std::size_t>(to.elements));
  const weft_source source = {a.data(), to.elements};
  const weft_target target = {a.data(), to.elements};
  EXPECT_EQ(weft_reshape_run(reshape, WEFT_FORWARD, source, target), WEFT_OK) << weft_last_error();
  for (weft_point p{}; weft_next_point(&to, &p) != 0;)
    EXPECT_EQ(a[static_cast<std::size_t>(p.element)].z, value(p).z);
  EXPECT_EQ(weft_reshape_free(&reshape), WEFT_OK);
}

TEST(CValues, ensembles_have_plans_on_their_ranks) {
  const int ranks = ranks_of_world();
  const auto c = problem_of({8, 8});
  const weft_problem* const problems[] = {&c, &c};
  std::vector<int> all(static_cast<std::size_t>(ranks) + 1, 0);
  std::iota(all.begin() + 1, all.end(), 0);  // instance 0 on rank 0, instance 1 on all
  const int counts[] = {1, ranks};
  auto policy = sized<weft_policy>();
  policy.form = WEFT_CHOSEN;
  policy.rank_counts = counts;
  policy.ranks = all.data();
  weft_ensemble* ensemble = nullptr;
  ASSERT_EQ(weft_ensemble_create(MPI_COMM_WORLD, 2, problems, &policy, settings, &ensemble),
            WEFT_OK)
      << weft_last_error();
  weft_policy_form form = WEFT_AUTOMATIC;
  EXPECT_EQ(weft_ensemble_form(ensemble, &form), WEFT_OK);
  EXPECT_EQ(form, WEFT_CHOSEN);
  int count = 0;
  const int* of = nullptr;
  EXPECT_EQ(weft_ensemble_ranks(ensemble, 1, &count, &of), WEFT_OK);
  EXPECT_EQ(count, ranks);
  EXPECT_EQ(of[ranks - 1], ranks - 1);
  weft_plan* plan = nullptr;
  EXPECT_EQ(weft_ensemble_plan(ensemble, 0, &plan), WEFT_OK);
  EXPECT_EQ(plan != nullptr, rank_of_world() == 0);
  EXPECT_EQ(weft_ensemble_plan(ensemble, 1, &plan), WEFT_OK);
  EXPECT_NE(plan, nullptr);
  EXPECT_EQ(weft_ensemble_free(&ensemble), WEFT_OK);
}
