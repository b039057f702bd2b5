// grid/wavenumbers: the numbers that numpy.fft.fftfreq and rfftfreq give, times n.

#include "weft/wavenumbers.hpp"

#include <gtest/gtest.h>

using namespace weft;

namespace {
using List = std::vector<std::int64_t>;
List all(const Wavenumbers& numbers) { return numbers.over({0, numbers.size()}); }
}  // namespace

TEST(Wavenumbers, of_a_whole_axis_are_those_of_fftfreq) {
  EXPECT_EQ(all({6, false}), (List{0, 1, 2, -3, -2, -1}));
  EXPECT_EQ(all({5, false}), (List{0, 1, 2, -2, -1}));
  EXPECT_EQ(all({1, false}), (List{0}));
  EXPECT_EQ(all({2, false}), (List{0, -1}));
}

TEST(Wavenumbers, of_a_halved_axis_are_those_of_rfftfreq) {
  EXPECT_EQ(all({6, true}), (List{0, 1, 2, 3}));
  EXPECT_EQ(all({5, true}), (List{0, 1, 2}));
  EXPECT_EQ(all({1, true}), (List{0}));
}

TEST(Wavenumbers, of_a_part_go_by_local_index) {
  EXPECT_EQ(Wavenumbers(6, false).over({2, 5}), (List{2, -3, -2}));
}

TEST(Wavenumbers, tell_the_alternating_wave) {
  EXPECT_TRUE(Wavenumbers(6, false).is_nyquist(3));
  EXPECT_TRUE(Wavenumbers(6, true).is_nyquist(3));
  EXPECT_FALSE(Wavenumbers(6, true).is_nyquist(2));
  EXPECT_FALSE(Wavenumbers(5, true).is_nyquist(2));
}
