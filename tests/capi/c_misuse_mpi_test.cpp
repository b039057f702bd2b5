// capi/live and runs: handles that are none, and calls that are wrong on one rank only: statuses on
// all ranks, and plans that can be used afterwards.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "support/world.hpp"
#include "weft/weft.h"

using testing::HasSubstr;
using weft::test::rank_of_world;
using weft::test::ranks_of_world;

namespace {

using Complex = std::complex<double>;

constexpr const char* quickly = "effort=estimate; threads=1";

bool am_last() { return rank_of_world() == ranks_of_world() - 1; }

weft_problem square() {
  weft_problem problem{};
  problem.size = sizeof problem;
  problem.axes = 2;
  problem.extents[0] = problem.extents[1] = 24;
  return problem;
}

// A plan with points on each rank, and its fields, which end with the test.
struct SquarePlan {
  SquarePlan() {
    const weft_problem problem = square();
    EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, quickly, &plan), WEFT_OK)
        << weft_last_error();
    EXPECT_EQ(weft_field_create(plan, WEFT_INPUT, &u), WEFT_OK);
    EXPECT_EQ(weft_field_create(plan, WEFT_OUTPUT, &v), WEFT_OK);
  }
  ~SquarePlan() {
    weft_field_free(&u);
    weft_field_free(&v);
    weft_plan_free(&plan);
  }
  // Nothing broke: a transform there and back gives what it began with.
  void expect_to_work() {
    weft_share share{};
    share.size = sizeof share;
    ASSERT_EQ(weft_plan_share(plan, WEFT_INPUT, &share), WEFT_OK);
    auto* const x = static_cast<Complex*>(weft_field_data(u));
    for (weft_point p{}; weft_next_point(&share, &p) != 0;) x[p.element] = double(p.at[0] % 5);
    EXPECT_EQ(weft_run_fields(plan, WEFT_FORWARD, u, v, 1), WEFT_OK) << weft_last_error();
    EXPECT_EQ(weft_run_fields(plan, WEFT_BACKWARD, v, u, 1), WEFT_OK) << weft_last_error();
    for (weft_point p{}; weft_next_point(&share, &p) != 0;)
      EXPECT_NEAR(std::abs(x[p.element] - double(p.at[0] % 5)), 0, 1e-13);
  }

  weft_plan* plan = nullptr;
  weft_field *u = nullptr, *v = nullptr;
};

}  // namespace

TEST(CMisuse, handles_that_were_freed_are_refused) {
  SquarePlan of;
  weft_field* field = nullptr;
  ASSERT_EQ(weft_field_create(of.plan, WEFT_INPUT, &field), WEFT_OK);
  weft_field* const copy = field;
  weft_field* again = field;
  EXPECT_EQ(weft_field_free(&field), WEFT_OK);
  EXPECT_EQ(weft_field_data(copy), nullptr);
  EXPECT_THAT(weft_last_error(), HasSubstr("the field is no handle of weft's: it was freed"));
  EXPECT_EQ(weft_field_free(&again), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("what the handle holds is no handle of weft's"));

  weft_plan *plan = nullptr, *stale = nullptr;
  const weft_problem problem = square();
  ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, quickly, &plan), WEFT_OK);
  stale = plan;
  weft_ticket *ticket = nullptr, *waited = nullptr;
  ASSERT_EQ(weft_start_fields(plan, WEFT_FORWARD, of.u, of.v, 1, &ticket), WEFT_OK)
      << weft_last_error();
  waited = ticket;
  EXPECT_EQ(weft_wait(&ticket), WEFT_OK);
  EXPECT_EQ(weft_wait(&waited), WEFT_INVALID);
  EXPECT_EQ(weft_plan_free(&plan), WEFT_OK);
  int number = 0;
  EXPECT_EQ(weft_plan_rank(stale, &number), WEFT_INVALID);
  EXPECT_EQ(weft_forward(stale, nullptr, nullptr, 1), WEFT_INVALID);
  EXPECT_EQ(weft_plan_free(&stale), WEFT_INVALID);
  of.expect_to_work();
}

TEST(CMisuse, handles_of_another_type_are_refused) {
  SquarePlan of;
  auto* const field = reinterpret_cast<weft_field*>(of.plan);
  auto* const plan = reinterpret_cast<weft_plan*>(of.u);
  auto* ticket = reinterpret_cast<weft_ticket*>(of.plan);
  int number = 0;
  EXPECT_EQ(weft_field_data(field), nullptr);
  EXPECT_THAT(weft_last_error(), HasSubstr("the field is a weft_plan, and not a weft_field"));
  EXPECT_EQ(weft_plan_rank(plan, &number), WEFT_INVALID);
  EXPECT_EQ(weft_test(&ticket, &number), WEFT_INVALID);
  EXPECT_EQ(weft_wait(&ticket), WEFT_INVALID);
  weft_plan* nothing = reinterpret_cast<weft_plan*>(&number);
  EXPECT_EQ(weft_plan_free(&nothing), WEFT_INVALID);
  of.expect_to_work();
}

TEST(CMisuse, plans_end_with_the_object_that_they_belong_to) {
  const weft_problem problem = square();
  const weft_problem* const problems[] = {&problem};
  weft_ensemble* ensemble = nullptr;
  weft_plan* plan = nullptr;
  ASSERT_EQ(weft_ensemble_create(MPI_COMM_WORLD, 1, problems, nullptr, quickly, &ensemble), WEFT_OK)
      << weft_last_error();
  ASSERT_EQ(weft_ensemble_plan(ensemble, 0, &plan), WEFT_OK);
  EXPECT_EQ(weft_ensemble_free(&ensemble), WEFT_OK);
  if (plan == nullptr) return;
  const char* text = nullptr;
  EXPECT_EQ(weft_plan_describe(plan, WEFT_DETAIL_SUMMARY, &text), WEFT_INVALID);
}

// The other ranks have started by then, so that the plan cannot run any more.
TEST(CMisuse, calls_that_are_wrong_on_one_rank_fail_on_all) {
  const auto refused = [](const auto& call) {
    SquarePlan of;
    EXPECT_EQ(call(of), WEFT_INVALID);
    return std::string(weft_last_error());
  };
  EXPECT_THAT(refused([](SquarePlan& of) {
                const auto direction = static_cast<weft_direction>(am_last() ? 5 : 0);
                return weft_run_fields(of.plan, direction, of.u, of.v, 1);
              }),
              HasSubstr("there is no direction 5"));
  EXPECT_THAT(refused([](SquarePlan& of) {
                weft_field* const from = am_last() ? nullptr : of.u;
                return weft_run_fields(of.plan, WEFT_FORWARD, from, of.v, 1);
              }),
              HasSubstr("the field to transform is a null pointer"));
  EXPECT_THAT(refused([](SquarePlan& of) {
                weft_ticket* ticket = nullptr;
                weft_ticket** const place = am_last() ? nullptr : &ticket;
                const auto started = weft_start_fields(of.plan, WEFT_FORWARD, of.u, of.v, 1, place);
                return started != WEFT_OK ? started : weft_wait(&ticket);
              }),
              HasSubstr("the place for the ticket is a null pointer"));
  EXPECT_THAT(refused([](SquarePlan& of) {
                const weft_target to{weft_field_data(of.v), am_last() ? -7 : WEFT_UNCHECKED};
                return weft_run(of.plan, WEFT_FORWARD, {weft_field_data(of.u), 576}, to, 1);
              }),
              HasSubstr("an array of -7 elements"));
}

TEST(CMisuse, fields_that_are_compared_wrongly_on_one_rank_are_refused_on_all) {
  SquarePlan of;
  double most = 0;
  EXPECT_EQ(weft_max_abs_difference(of.u, am_last() ? nullptr : of.u, 0, &most), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("the second field is a null pointer"));
  EXPECT_EQ(weft_max_abs(of.u, 0, am_last() ? nullptr : &most), WEFT_INVALID);
  EXPECT_EQ(weft_max_abs(of.u, am_last() ? 3 : 0, &most), WEFT_INVALID);
  of.expect_to_work();
}

TEST(CMisuse, moves_that_are_wrong_on_one_rank_fail_on_all) {
  weft_grid grid{};
  grid.size = sizeof grid;
  grid.axes = 1;
  grid.extents[0] = 36;
  grid.element_bytes = sizeof(double);
  weft_distribution slabs{};
  slabs.size = sizeof slabs;
  slabs.form = WEFT_SLAB;
  slabs.ghosts_before[0] = slabs.ghosts_after[0] = 1;
  weft_halo* halo = nullptr;
  ASSERT_EQ(weft_halo_create(MPI_COMM_WORLD, &grid, &slabs, quickly, &halo), WEFT_OK)
      << weft_last_error();
  weft_share share{};
  share.size = sizeof share;
  ASSERT_EQ(weft_halo_share(halo, &share), WEFT_OK);
  std::vector<double> x(static_cast<std::size_t>(share.elements));
  weft_ticket* ticket = nullptr;
  weft_status status =
      weft_halo_start(halo, {x.data(), share.elements}, am_last() ? nullptr : &ticket);
  if (status == WEFT_OK) status = weft_wait(&ticket);
  EXPECT_EQ(status, WEFT_INVALID);
  EXPECT_EQ(weft_halo_free(&halo), WEFT_OK);

  slabs.ghosts_before[0] = slabs.ghosts_after[0] = 0;
  weft_reshape* reshape = nullptr;
  ASSERT_EQ(weft_reshape_create(MPI_COMM_WORLD, &grid, &slabs, &slabs, quickly, &reshape), WEFT_OK)
      << weft_last_error();
  std::vector<double> a(36), b(36);
  const auto direction = static_cast<weft_direction>(am_last() ? -1 : 1);
  EXPECT_EQ(weft_reshape_run(reshape, direction, {a.data(), 36}, {b.data(), 36}), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("there is no direction -1"));
  EXPECT_EQ(weft_reshape_free(&reshape), WEFT_OK);
}

TEST(CMisuse, ranks_that_disagree_are_told) {
  if (ranks_of_world() == 1) GTEST_SKIP() << "one rank agrees with itself";
  {
    SquarePlan of;
    const auto status = am_last() ? weft_run_fields(of.plan, WEFT_BACKWARD, of.v, of.u, 1)
                                  : weft_run_fields(of.plan, WEFT_FORWARD, of.u, of.v, 1);
    EXPECT_EQ(status, WEFT_MISMATCH);
  }
  weft_problem problem = square();
  problem.extents[1] += am_last() ? 1 : 0;
  weft_plan* plan = nullptr;
  EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, quickly, &plan), WEFT_MISMATCH);
}

TEST(CMisuse, numbers_that_are_none_are_refused) {
  SquarePlan of;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      weft_run_fields(of.plan, WEFT_FORWARD, of.u, of.v, std::numeric_limits<double>::infinity()),
      WEFT_INVALID);
  of.expect_to_work();
  EXPECT_EQ(weft_run_fields(of.plan, WEFT_FORWARD, of.u, of.v, am_last() ? nan : 1), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("the scale nan is no finite number"));
  weft_cutoff cutoff{};
  cutoff.size = sizeof cutoff;
  cutoff.radius = nan;
  weft_problem problem = square();
  problem.axes = 3;
  problem.extents[2] = 24;
  problem.cutoff = &cutoff;
  weft_plan* plan = nullptr;
  EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, quickly, &plan), WEFT_INVALID);
  cutoff.radius = 3;
  cutoff.vectors[1][1] = nan;
  EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, quickly, &plan), WEFT_INVALID);
}

TEST(CMisuse, sizes_that_no_version_has_are_refused) {
  SquarePlan of;
  for (const std::size_t size :
       {std::size_t{0}, sizeof(weft_share) - 1, 3 * sizeof(weft_share), ~std::size_t{0}}) {
    weft_share share{};
    share.size = size;
    EXPECT_EQ(weft_plan_share(of.plan, WEFT_INPUT, &share), WEFT_INVALID) << size;
  }
  for (const std::size_t size :
       {std::size_t{0}, sizeof(weft_problem) - 1, 3 * sizeof(weft_problem), ~std::size_t{0}}) {
    weft_problem problem = square();
    problem.size = size;
    weft_plan* plan = nullptr;
    EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, quickly, &plan), WEFT_INVALID) << size;
    EXPECT_EQ(weft_problem_init(&problem, size), WEFT_INVALID) << size;
  }
  // A structure of a newer header: what it has more is not touched, and must be zero.
  struct {
    weft_problem problem;
    std::int64_t more;
  } newer{square(), 0};
  newer.problem.size = sizeof newer;
  weft_plan* plan = nullptr;
  EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &newer.problem, quickly, &plan), WEFT_OK);
  EXPECT_EQ(weft_plan_free(&plan), WEFT_OK);
  newer.more = 1;
  EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &newer.problem, quickly, &plan), WEFT_UNSUPPORTED);
  EXPECT_THAT(weft_last_error(), HasSubstr("members that this weft does not know"));
}

TEST(CMisuse, settings_that_mean_nothing_are_refused) {
  const weft_problem problem = square();
  const std::string longest(1 << 20, 'x'), equals(5000, '=');
  for (const char* text :
       {"=", ";;=;", "threads", "threads=", "threads=-1", "threads=1e3", "threads=1; threads=1",
        "effort=fast", "chunks=9999999999999999999", "grid=0x0", "tune_seconds=nan", "\x1b[2J",
        "exchange=\xff\xfe", "engine=%s%n", longest.c_str(), equals.c_str()}) {
    weft_plan* plan = nullptr;
    EXPECT_NE(weft_plan_create(MPI_COMM_WORLD, &problem, text, &plan), WEFT_OK)
        << std::string(text).substr(0, 40);
    EXPECT_EQ(plan, nullptr);
    EXPECT_EQ(std::strchr(weft_last_error(), '\x1b'), nullptr) << "a terminal can show it";
  }
}

namespace {

// What a callback does with weft while its transform is being waited for.
struct Busy {
  SquarePlan* of;
  weft_plan* other;
  weft_ticket** ticket;
  weft_status statuses[4];
};

int use_weft(void* data) {
  auto& busy = *static_cast<Busy*>(data);
  busy.statuses[0] = weft_wait(busy.ticket);  // its own, which has ended
  busy.statuses[1] = weft_run_fields(busy.of->plan, WEFT_BACKWARD, busy.of->v, busy.of->u, 1);
  busy.statuses[2] = weft_plan_free(&busy.other);
  busy.statuses[3] = weft_progress(nullptr);
  return 0;
}

}  // namespace

TEST(CMisuse, callbacks_may_call_weft) {
  SquarePlan of;
  Busy busy{&of, nullptr, nullptr, {WEFT_BUG, WEFT_BUG, WEFT_BUG, WEFT_BUG}};
  const weft_problem problem = square();
  ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, quickly, &busy.other), WEFT_OK);
  weft_ticket* ticket = nullptr;
  busy.ticket = &ticket;
  ASSERT_EQ(weft_start_fields(of.plan, WEFT_FORWARD, of.u, of.v, 1, &ticket), WEFT_OK);
  ASSERT_EQ(weft_then(ticket, use_weft, &busy), WEFT_OK);
  EXPECT_EQ(weft_wait(&ticket), WEFT_OK) << weft_last_error();
  for (const weft_status status : busy.statuses) EXPECT_EQ(status, WEFT_OK);
  of.expect_to_work();
}

namespace {

int free_plan(void* plan) {
  return weft_plan_free(static_cast<weft_plan**>(plan)) == WEFT_OK ? 0 : 9;
}

}  // namespace

TEST(CMisuse, a_callback_may_free_the_plan_of_its_transform) {
  SquarePlan of;
  const weft_problem problem = square();
  weft_plan* plan = nullptr;
  ASSERT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, quickly, &plan), WEFT_OK);
  weft_ticket* ticket = nullptr;
  ASSERT_EQ(weft_start_fields(plan, WEFT_FORWARD, of.u, of.v, 1, &ticket), WEFT_OK);
  ASSERT_EQ(weft_then(ticket, free_plan, &plan), WEFT_OK);
  EXPECT_EQ(weft_wait(&ticket), WEFT_OK) << weft_last_error();
  EXPECT_EQ(plan, nullptr);
  of.expect_to_work();
}

TEST(CMisuse, threads_may_have_plans_of_their_own) {
  std::vector<weft_status> statuses(4, WEFT_BUG);
  std::vector<std::thread> threads;
  for (weft_status& status : statuses)
    threads.emplace_back([&status] {
      const weft_problem problem = square();
      std::vector<Complex> u(24 * 24, 1), v(24 * 24);
      for (int again = 0; again < 5; ++again) {
        weft_plan* plan = nullptr;
        status = weft_plan_create_alone(&problem, quickly, &plan);
        if (status == WEFT_OK) status = weft_forward(plan, u.data(), v.data(), 1);
        if (status == WEFT_OK) status = weft_plan_free(&plan);
        if (status != WEFT_OK || v[0] != Complex(24 * 24)) return;
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const weft_status status : statuses) EXPECT_EQ(status, WEFT_OK);
}
