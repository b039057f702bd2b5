// problem/checked_cutoff, problem/columns: spheres in any unit, and what is said of those that no
// grid holds.

#include "weft/problem/checked_cutoff.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "weft/base/ensure.hpp"
#include "weft/problem/columns.hpp"
#include "weft/problem/validated.hpp"

using namespace weft;

namespace {

constexpr double tiny = 1e-300, huge = 1e300;

ReciprocalVectors cube(double length) { return {{{length, 0, 0}, {0, length, 0}, {0, 0, length}}}; }

Problem with(const Cutoff& cutoff) {
  Problem problem;
  problem.extents = {16, 18, 20};
  problem.cutoff = cutoff;
  return validated(problem);
}

std::int64_t waves_in(const Cutoff& cutoff) { return Columns(with(cutoff), 1).count(0); }

std::string error_of(const Cutoff& cutoff) {
  try {
    waves_in(cutoff);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace

TEST(Sphere, has_the_same_waves_in_any_unit) {
  EXPECT_EQ(waves_in(Cutoff::sphere(1)), 7);
  EXPECT_EQ(waves_in(Cutoff::sphere(2)), 33);
  for (const double unit : {1e-320, tiny, 1e-9, 1.0, 1e9, huge})
    EXPECT_EQ(waves_in(Cutoff::sphere(2 * unit, cube(unit))), 33) << unit;
  // Skew vectors: of k0 and k1 with |k0 + k1/2| and |k1|, the hexagon around 0 is in the sphere.
  const double height = std::sqrt(3) / 2;
  for (const double unit : {tiny, huge})
    EXPECT_EQ(waves_in(Cutoff::sphere(
                  unit, {{{unit, 0, 0}, {unit / 2, unit * height, 0}, {0, 0, 5 * unit}}})),
              7)
        << unit;
}

TEST(Sphere, of_radius_0_has_one_wave_whatever_the_vectors_are) {
  for (const double unit : {tiny, 1.0, huge}) EXPECT_EQ(waves_in(Cutoff::sphere(0, cube(unit))), 1);
  EXPECT_EQ(waves_in(Cutoff::sphere(0, {{{1, 0, 0}, {0, tiny, 0}, {0, 0, huge}}})), 1);
  EXPECT_EQ(waves_in(Cutoff::sphere(tiny, cube(huge))), 1);
  // Along the first two axes it has waves, along the third one only 0.
  EXPECT_EQ(waves_in(Cutoff::sphere(1, {{{1, 0, 0}, {0, 1, 0}, {0, 0, huge}}})), 5);
}

TEST(Sphere, beyond_every_grid_is_refused_in_plain_words) {
  expect(error_of(Cutoff::sphere(1e9)), "reaches to wave 1000000000 along axis 0");
  for (const Cutoff& cutoff : {Cutoff::sphere(huge), Cutoff::sphere(1, cube(tiny)),
                               Cutoff::sphere(huge, cube(tiny)), Cutoff::sphere(1e308)}) {
    const std::string error = error_of(cutoff);
    expect(error, "reaches far beyond any wave of a grid along axis 0, but a grid of 16 points");
    expect(error, "give the radius and the vectors in one unit");
    EXPECT_LT(error.size(), 400U) << error;
  }
}

TEST(Sphere, of_vectors_that_are_none_is_refused_in_plain_words) {
  expect(error_of(Cutoff::sphere(1, {{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}})),
         "a vector of the cut-off is (0,0,0)");
  expect(error_of(Cutoff::sphere(1, {{{1, 0, 0}, {0, HUGE_VAL, 0}, {0, 0, 1}}})),
         "a vector of the cut-off is (0,inf,0)");
  expect(error_of(Cutoff::sphere(1, {{{1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}}})),
         "give vectors of finite numbers");
  expect(error_of(Cutoff::sphere(1, {{{tiny, 0, 0}, {tiny, 0, 0}, {0, 0, tiny}}})),
         "span no volume");
}
