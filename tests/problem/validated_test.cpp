// problem/validated: what is refused, and the decompositions that distributions resolve to.

#include "weft/problem/validated.hpp"
#include "weft/problem/distribution.hpp"
#include "weft/problem/problem_text.hpp"

#include <gtest/gtest.h>

#include "support/problem_of.hpp"

using namespace weft;
using namespace weft::test;

namespace {

std::string error_in_problem(const Problem& problem) {
  try {
    validated(problem);
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

}  // namespace

TEST(Problem, extents_must_be_positive) {
  EXPECT_EQ(error_in_problem(of({4, 0, 3})), "axis 1 of 4x0x3 has 0 points");
  EXPECT_EQ(error_in_problem(of({4, -2})), "axis 1 of 4x-2 has -2 points");
  EXPECT_EQ(error_in_problem(of({})), "the field has 0 axes; weft transforms 1 to 8");
  EXPECT_EQ(error_in_problem(of({1, 1, 1, 1, 1, 1, 1, 1, 1})),
            "the field has 9 axes; weft transforms 1 to 8");
}

TEST(Problem, products_must_fit_64_bit_byte_counts) {
  EXPECT_EQ(error_in_problem(of({3037000500, 3037000500})),
            "1 fields of 3037000500x3037000500 have more than 576460752303423487 points, too many "
            "for 64-bit byte counts");
}

TEST(Problem, axes_are_checked) {
  Problem problem = of({4, 5, 6});
  problem.axes = {0, 3};
  EXPECT_EQ(error_in_problem(problem), "axis 3 is out of range for 4x5x6 with 3 axes");
  problem.axes = {-4};
  EXPECT_EQ(error_in_problem(problem), "axis -4 is out of range for 4x5x6 with 3 axes");
  problem.axes = {1, -2};
  EXPECT_EQ(error_in_problem(problem), "axis 1 is named twice in 1,1");
  problem.axes = {-1, 0};
  EXPECT_EQ(validated(problem).axes, (std::vector<int>{2, 0}));
  problem.axes = Axes::none();
  EXPECT_EQ(error_in_problem(problem), "no error");
  problem.kind = Kind::r2c;
  EXPECT_EQ(error_in_problem(problem), "r2c has no axes to transform");
}

TEST(Problem, r2c_halves_the_last_axis_named) {
  Problem problem = of({4, 5, 6}, Kind::r2c);
  EXPECT_EQ(output_extents(validated(problem)), (Extents{4, 5, 4}));
  problem.axes = {2, 1};
  EXPECT_EQ(output_extents(validated(problem)), (Extents{4, 3, 6}));
  problem.kind = Kind::c2r;
  EXPECT_EQ(input_extents(validated(problem)), (Extents{4, 3, 6}));
}

TEST(Problem, axes_that_are_all_have_no_list_before_they_are_resolved) {
  const Problem problem = of({4, 5, 6});
  EXPECT_TRUE(problem.axes.is_all());
  EXPECT_THROW(problem.axes.list(), Error);
  EXPECT_EQ(validated(problem).axes, (Axes{0, 1, 2}));
  Problem one = of({4, 5, 6});
  one.axes = {0};
  EXPECT_EQ(validated(one).axes, Axes{0});
}

TEST(Problem, distributions_that_contradict_themselves_are_refused) {
  Problem problem = of({4, 4});
  problem.input = Distribution::boxes;
  EXPECT_EQ(error_in_problem(problem), "the input has the form 'boxes', but no boxes");
  problem.input = Distribution::of_boxes({{{{0, 0}, {4, 4}}}});
  EXPECT_EQ(error_in_problem(problem), "no error");
  problem.input.form = Distribution::slab;
  EXPECT_EQ(error_in_problem(problem), "the input has boxes, but the form 'slab'");
  problem.input = Distribution::of_my_boxes({});
  EXPECT_EQ(error_in_problem(problem), "no error");
  problem.input = {Distribution::slab, {2, 2}};
  EXPECT_EQ(error_in_problem(problem),
            "the input has the grid 2x2, but as 'slab' of 4x4 it has 0 divided axes");
}

TEST(Norm, divides_as_numpy_does) {
  EXPECT_EQ(norm_factor(Norm::backward, 8, true), 1);
  EXPECT_EQ(norm_factor(Norm::backward, 8, false), 0.125);
  EXPECT_EQ(norm_factor(Norm::forward, 8, true), 0.125);
  EXPECT_EQ(norm_factor(Norm::forward, 8, false), 1);
  EXPECT_EQ(norm_factor(Norm::ortho, 16, true), 0.25);
  EXPECT_EQ(norm_factor(Norm::none, 8, false), 1);
}

TEST(Distribution, resolves_to_a_process_grid) {
  const auto grid = [](Distribution::Form form, const Extents& extents, int ranks) {
    Distribution distribution;
    distribution.form = form;
    return to_string(resolve(distribution, extents, ranks, "input"));
  };
  EXPECT_EQ(grid(Distribution::slab, {64, 64, 64}, 6), "6x1x1");
  EXPECT_EQ(grid(Distribution::pencil, {64, 64, 64}, 6), "3x2x1");
  EXPECT_EQ(grid(Distribution::brick, {64, 64, 64}, 12), "3x2x2");
  EXPECT_EQ(grid(Distribution::pencil, {64, 64}, 6), "6x1");
  EXPECT_EQ(grid(Distribution::slab, {64}, 6), "6");
}

TEST(Distribution, a_grid_that_does_not_multiply_to_the_ranks_is_refused) {
  Distribution distribution;
  distribution.form = Distribution::pencil;
  distribution.grid = {2, 3};
  EXPECT_EQ(to_string(resolve(distribution, {8, 8, 8}, 6, "input")), "2x3x1");
  try {
    resolve(distribution, {8, 8, 8}, 4, "input");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the grid 2x3 has 6 parts for 4 ranks");
  }
}

TEST(Names, of_kinds_norms_and_forms_parse_back) {
  for (auto kind : {Kind::c2c, Kind::r2c, Kind::c2r}) EXPECT_EQ(parse_kind(to_string(kind)), kind);
  for (auto norm : {Norm::backward, Norm::ortho, Norm::forward, Norm::none})
    EXPECT_EQ(parse_norm(to_string(norm)), norm);
  try {
    parse_norm("unitary");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "weft: there is no norm 'unitary'\n  try:   one of: backward, ortho, forward, none");
  }
}
