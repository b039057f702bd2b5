// fft/radices: the short transforms that make up a long one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace weft {

/// A transform of a few points, and what a stage of it costs for each point, in nanoseconds: as
/// measured where columns are transformed between loads and stores.
struct Radix {
  int points;
  double cost;
};
inline constexpr std::array radices{Radix{3, .25},   Radix{4, .25},  Radix{5, .31},
                                    Radix{6, .33},   Radix{8, .34},  Radix{9, .36},
                                    Radix{10, .365}, Radix{12, .39}, Radix{16, .47}};

/// The cheapest radices for `n` points, the shortest first, as that order is the fastest; none if n
/// has other factors than 2, 3 and 5, or is one or two.
std::vector<int> radices_of(std::int64_t n);

}  // namespace weft
