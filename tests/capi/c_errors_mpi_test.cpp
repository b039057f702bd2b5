// capi/c_errors: whatever a program in C does wrong is a status and a text, on all ranks the same,
// and never the end of the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/world.hpp"
#include "weft/weft.h"

using testing::HasSubstr;
using testing::StartsWith;
using weft::test::rank_of_world;
using weft::test::ranks_of_world;

namespace {

weft_problem cube(std::int64_t n = 8) {
  weft_problem problem{};
  weft_problem_init(&problem, sizeof problem);
  problem.axes = 3;
  for (int a = 0; a < 3; ++a) problem.extents[a] = n;
  return problem;
}

constexpr const char* at_once = "effort=estimate; threads=1";

// A plan of the cube, freed at the end.
struct CubePlan {
  explicit CubePlan(const char* settings = at_once) {
    const weft_problem problem = cube();
    EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, &problem, settings, &plan), WEFT_OK)
        << weft_last_error();
    std::int64_t elements = 0;
    EXPECT_EQ(weft_plan_elements(plan, WEFT_INPUT, &elements), WEFT_OK);
    u.resize(static_cast<std::size_t>(elements + 1));
    EXPECT_EQ(weft_plan_elements(plan, WEFT_OUTPUT, &elements), WEFT_OK);
    v.resize(static_cast<std::size_t>(elements + 1));
  }
  ~CubePlan() { weft_plan_free(&plan); }

  weft_plan* plan = nullptr;
  std::vector<std::complex<double>> u, v;
};

// What creating the plan comes to, with the text.
std::string refusal(const weft_problem* problem, const char* settings = at_once,
                    weft_status expected = WEFT_INVALID) {
  weft_plan* plan = nullptr;
  EXPECT_EQ(weft_plan_create(MPI_COMM_WORLD, problem, settings, &plan), expected);
  EXPECT_EQ(plan, nullptr);
  return weft_last_error();
}

}  // namespace

TEST(CErrors, null_pointers_are_invalid_everywhere) {
  weft_plan* plan = nullptr;
  weft_field* field = nullptr;
  weft_ticket* ticket = nullptr;
  weft_ensemble* ensemble = nullptr;
  weft_reshape* reshape = nullptr;
  weft_halo* halo = nullptr;
  weft_share share{};
  share.size = sizeof share;
  int number = 0;
  const char* text = nullptr;
  double most = 0;
  const weft_source from{nullptr, 0};
  const weft_target to{nullptr, 0};
  const weft_status refused[] = {
      weft_problem_init(nullptr, sizeof(weft_problem)),
      weft_distribution_init(nullptr, sizeof(weft_distribution)),
      weft_cutoff_init(nullptr, sizeof(weft_cutoff)),
      weft_policy_init(nullptr, sizeof(weft_policy)),
      weft_grid_init(nullptr, sizeof(weft_grid)),
      weft_next_fast_length(7, WEFT_FOURIER, nullptr),
      weft_plan_create(MPI_COMM_WORLD, nullptr, nullptr, nullptr),
      weft_plan_create(MPI_COMM_WORLD, nullptr, nullptr, &plan),
      weft_plan_create_alone(nullptr, nullptr, nullptr),
      weft_plan_create_alone(nullptr, nullptr, &plan),
      weft_plan_free(nullptr),
      weft_plan_share(nullptr, WEFT_INPUT, &share),
      weft_plan_elements(nullptr, WEFT_INPUT, nullptr),
      weft_plan_wavenumbers(nullptr, 0, nullptr),
      weft_plan_rank(nullptr, &number),
      weft_plan_comm(nullptr, nullptr),
      weft_plan_threads(nullptr, &number),
      weft_plan_engine(nullptr, &text),
      weft_plan_strategy(nullptr, &text),
      weft_plan_describe(nullptr, WEFT_DETAIL_SUMMARY, &text),
      weft_plan_memory(nullptr, nullptr),
      weft_plan_stage_count(nullptr, WEFT_FORWARD, &number),
      weft_plan_stage(nullptr, WEFT_FORWARD, 0, nullptr),
      weft_forward(nullptr, nullptr, nullptr, 1),
      weft_backward(nullptr, nullptr, nullptr, 1),
      weft_start_forward(nullptr, nullptr, nullptr, 1, &ticket),
      weft_start_backward(nullptr, nullptr, nullptr, 1, nullptr),
      weft_run(nullptr, WEFT_FORWARD, from, to, 1),
      weft_start(nullptr, WEFT_FORWARD, from, to, 1, &ticket),
      weft_wait(nullptr),
      weft_allocate(8, nullptr),
      weft_deallocate(nullptr),
      weft_test(nullptr, &number),
      weft_test(&ticket, nullptr),
      weft_then(nullptr, nullptr, nullptr),
      weft_field_create(nullptr, WEFT_INPUT, &field),
      weft_field_create(nullptr, WEFT_INPUT, nullptr),
      weft_field_view(nullptr, nullptr, &field),
      weft_field_free(nullptr),
      weft_field_share(nullptr, &share),
      weft_run_fields(nullptr, WEFT_FORWARD, nullptr, nullptr, 1),
      weft_start_fields(nullptr, WEFT_FORWARD, nullptr, nullptr, 1, &ticket),
      weft_max_abs(nullptr, 0, &most),
      weft_max_abs_difference(nullptr, nullptr, 0, &most),
      weft_differentiate_chebyshev(nullptr, 0, 0),
      weft_ensemble_create(MPI_COMM_WORLD, 1, nullptr, nullptr, nullptr, &ensemble),
      weft_ensemble_create(MPI_COMM_WORLD, 1, nullptr, nullptr, nullptr, nullptr),
      weft_ensemble_free(nullptr),
      weft_ensemble_form(nullptr, nullptr),
      weft_ensemble_ranks(nullptr, 0, nullptr, nullptr),
      weft_ensemble_plan(nullptr, 0, &plan),
      weft_reshape_create(MPI_COMM_WORLD, nullptr, nullptr, nullptr, nullptr, &reshape),
      weft_reshape_free(nullptr),
      weft_reshape_share(nullptr, WEFT_INPUT, &share),
      weft_reshape_run(nullptr, WEFT_FORWARD, from, to),
      weft_reshape_start(nullptr, WEFT_FORWARD, from, to, &ticket),
      weft_reshape_plan(nullptr, &plan),
      weft_halo_create(MPI_COMM_WORLD, nullptr, nullptr, nullptr, &halo),
      weft_halo_free(nullptr),
      weft_halo_share(nullptr, &share),
      weft_halo_run(nullptr, to),
      weft_halo_start(nullptr, to, &ticket),
      weft_halo_plan(nullptr, &plan)};
  int at = 0;
  for (const weft_status status : refused) EXPECT_EQ(status, WEFT_INVALID) << "call " << at++;
  EXPECT_EQ(weft_field_data(nullptr), nullptr);
  EXPECT_THAT(weft_last_error(), HasSubstr("weft: the field is a null pointer"));
  EXPECT_EQ(weft_next_point(nullptr, nullptr), 0);
}

TEST(CErrors, handles_that_hold_nothing_can_be_freed_and_waited_for) {
  weft_plan* plan = nullptr;
  weft_ticket* ticket = nullptr;
  int has_ended = 0;
  EXPECT_EQ(weft_plan_free(&plan), WEFT_OK);
  EXPECT_EQ(weft_wait(&ticket), WEFT_OK);
  EXPECT_EQ(weft_test(&ticket, &has_ended), WEFT_OK);
  EXPECT_EQ(has_ended, 1);
}

TEST(CErrors, results_that_have_no_place_are_refused) {
  const CubePlan cube_plan;
  weft_plan* const plan = cube_plan.plan;
  EXPECT_EQ(weft_plan_rank(plan, nullptr), WEFT_INVALID);
  EXPECT_EQ(weft_plan_describe(plan, WEFT_DETAIL_SUMMARY, nullptr), WEFT_INVALID);
  EXPECT_EQ(weft_plan_share(plan, WEFT_INPUT, nullptr), WEFT_INVALID);
  EXPECT_EQ(weft_plan_memory(plan, nullptr), WEFT_INVALID);
  EXPECT_EQ(weft_plan_stage(plan, WEFT_FORWARD, 0, nullptr), WEFT_INVALID);
  EXPECT_EQ(weft_plan_stage(plan, WEFT_FORWARD, 99, nullptr), WEFT_INVALID);
  EXPECT_EQ(weft_plan_comm(plan, nullptr), WEFT_INVALID);
  EXPECT_EQ(weft_plan_comm_f(plan, nullptr), WEFT_INVALID);
}

TEST(CErrors, a_communicator_that_is_none_is_refused) {
  const weft_problem problem = cube();
  weft_plan* plan = nullptr;
  EXPECT_EQ(weft_plan_create(MPI_COMM_NULL, &problem, at_once, &plan), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("MPI_COMM_NULL"));
}

TEST(CErrors, on_one_rank_are_errors_on_all) {
  const weft_problem problem = cube();
  const bool is_last = rank_of_world() == ranks_of_world() - 1;
  EXPECT_THAT(refusal(is_last ? nullptr : &problem, at_once), HasSubstr("there are no extents"));
  EXPECT_THAT(refusal(&problem, is_last ? "efort=tune" : at_once),
              HasSubstr("there is no setting 'efort'"));
  if (ranks_of_world() > 1)
    refusal(&problem, is_last ? "chunks=2; effort=estimate" : "effort=estimate", WEFT_MISMATCH);
}

TEST(CErrors, what_the_structures_cannot_say_is_refused_once_on_all_ranks) {
  const weft_problem problem = cube();
  const bool is_last = rank_of_world() == ranks_of_world() - 1;
  if (is_last) {
    EXPECT_EQ(weft_refuse("no such list"), WEFT_OK);
  }
  EXPECT_THAT(refusal(&problem), HasSubstr("weft: no such list"));
  const CubePlan next;  // is created
  EXPECT_NE(next.plan, nullptr);
}

TEST(CErrors, problems_are_checked) {
  weft_problem problem = cube();
  problem.size = 0;
  EXPECT_THAT(refusal(&problem), HasSubstr("the size of a weft_problem is 0"));
  problem = cube();
  problem.axes = 9;
  EXPECT_THAT(refusal(&problem), HasSubstr("a grid of 9 axes"));
  problem = cube();
  problem.kind = static_cast<weft_kind>(7);
  EXPECT_THAT(refusal(&problem), HasSubstr("there is no kind 7"));
  problem = cube();
  problem.bases[1] = static_cast<weft_basis>(-1);
  EXPECT_THAT(refusal(&problem), HasSubstr("there is no basis -1"));
  problem = cube();
  problem.transformed_count = 2;
  const int axes[] = {0, 3};
  problem.transformed = axes;
  EXPECT_THAT(refusal(&problem), HasSubstr("axis 3"));
  problem = cube();
  weft_distribution boxes{};
  boxes.size = sizeof boxes;
  boxes.form = WEFT_BOXES;
  boxes.count = 1;
  problem.input = &boxes;
  EXPECT_THAT(refusal(&problem), HasSubstr("boxes is a null pointer"));
  EXPECT_THAT(refusal(nullptr, "extents=8xa"), HasSubstr("8xa"));
  problem = cube();
  EXPECT_THAT(refusal(&problem, "norm=ortho"), HasSubstr("norm"));
}

TEST(CErrors, arrays_of_the_wrong_size_are_refused_on_all_ranks) {
  CubePlan of;
  const bool is_last = rank_of_world() == ranks_of_world() - 1;
  const auto size = static_cast<std::int64_t>(of.u.size()) - 1;
  if (size == 0) GTEST_SKIP() << "a rank without points";
  const weft_status status =
      weft_run(of.plan, WEFT_FORWARD, {of.u.data(), is_last ? size - 1 : size},
               {of.v.data(), static_cast<std::int64_t>(of.v.size())}, 1);
  EXPECT_EQ(status, WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr(" elements, but this rank needs "));
}

TEST(CErrors, arrays_that_another_language_cannot_give_are_refused_on_all_ranks) {
  const bool is_last = rank_of_world() == ranks_of_world() - 1;
  for (const std::int64_t why : {WEFT_ANOTHER_TYPE, WEFT_NOT_CONTIGUOUS}) {
    CubePlan of;
    const auto input = static_cast<std::int64_t>(of.u.size());
    const auto output = static_cast<std::int64_t>(of.v.size());
    EXPECT_EQ(weft_run(of.plan, WEFT_FORWARD, {of.u.data(), is_last ? why : input},
                       {of.v.data(), output}, 1),
              WEFT_INVALID);
    EXPECT_THAT(weft_last_error(),
                HasSubstr(why == WEFT_ANOTHER_TYPE ? "an array has another type than its side"
                                                   : "an array is not contiguous in memory"));
  }
}

TEST(CErrors, no_array_is_an_error_on_all_ranks) {
  CubePlan of;
  const bool is_last = rank_of_world() == ranks_of_world() - 1;
  EXPECT_EQ(weft_forward(of.plan, is_last ? nullptr : of.u.data(), of.v.data(), 1), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("the input is a null pointer"));
}

TEST(CErrors, directions_and_sides_that_are_none_are_refused) {
  CubePlan of;
  const auto none = static_cast<weft_direction>(2);
  EXPECT_EQ(weft_run(of.plan, none, {of.u.data(), 1}, {of.v.data(), 1}, 1), WEFT_INVALID);
  weft_field* field = nullptr;
  EXPECT_EQ(weft_field_create(of.plan, static_cast<weft_side>(-1), &field), WEFT_INVALID);
  EXPECT_THAT(weft_last_error(), HasSubstr("there is no side -1"));
}

TEST(CErrors, of_callbacks_come_with_the_wait) {
  CubePlan of;
  weft_ticket* ticket = nullptr;
  EXPECT_EQ(weft_start_forward(of.plan, of.u.data(), of.v.data(), 1, &ticket), WEFT_OK);
  EXPECT_EQ(weft_then(
                ticket, [](void*) { return 3; }, nullptr),
            WEFT_OK);
  EXPECT_EQ(weft_wait(&ticket), WEFT_CALLBACK);
  EXPECT_EQ(ticket, nullptr);
  EXPECT_THAT(weft_last_error(), HasSubstr("the callback of a transform returned 3"));

  EXPECT_EQ(weft_start_forward(of.plan, of.u.data(), of.v.data(), 1, &ticket), WEFT_OK);
  const auto throws = [](void*) -> int { throw std::runtime_error("no paper"); };
  EXPECT_EQ(weft_then(ticket, throws, nullptr), WEFT_OK);
  EXPECT_EQ(weft_wait(&ticket), WEFT_CALLBACK);
  EXPECT_THAT(weft_last_error(), HasSubstr("no paper"));

  EXPECT_EQ(weft_forward(of.plan, of.u.data(), of.v.data(), 1), WEFT_OK);  // nothing broke
}

TEST(CErrors, of_functions_that_place_pieces_are_errors_of_the_plan) {
  weft_problem problem = cube();
  problem.rank_of = [](int, const std::int64_t*, const std::int64_t*, void*) -> int {
    throw std::runtime_error("nowhere");
  };
  weft_plan* plan = nullptr;
  EXPECT_NE(weft_plan_create(MPI_COMM_WORLD, &problem, at_once, &plan), WEFT_OK);
  EXPECT_THAT(weft_last_error(), HasSubstr("nowhere"));
}

TEST(CErrors, plans_of_other_objects_are_not_freed) {
  const weft_problem problem = cube();
  const weft_problem* const problems[] = {&problem};
  weft_ensemble* ensemble = nullptr;
  weft_plan* plan = nullptr;
  ASSERT_EQ(weft_ensemble_create(MPI_COMM_WORLD, 1, problems, nullptr, at_once, &ensemble), WEFT_OK)
      << weft_last_error();
  EXPECT_EQ(weft_ensemble_plan(ensemble, 1, &plan), WEFT_INVALID);
  EXPECT_EQ(weft_ensemble_plan(ensemble, 0, &plan), WEFT_OK);
  if (plan != nullptr) {
    EXPECT_EQ(weft_plan_free(&plan), WEFT_INVALID);
    EXPECT_THAT(weft_last_error(), HasSubstr("belongs to another object"));
  }
  EXPECT_EQ(weft_ensemble_free(&ensemble), WEFT_OK);
}

TEST(CErrors, are_those_of_the_thread) {
  EXPECT_EQ(weft_wait(nullptr), WEFT_INVALID);
  const std::string mine = weft_last_error();
  std::string others = "not asked";
  std::thread([&] { others = weft_last_error(); }).join();
  EXPECT_EQ(others, "");
  EXPECT_THAT(mine, StartsWith("weft: the place of the ticket is a null pointer\n  try: "));
  EXPECT_STREQ(weft_status_name(WEFT_MISMATCH), "mismatch");
  EXPECT_STREQ(weft_status_name(-1), "unknown");
}
