// fft/lanes/radices: the radices of the steps that make up a transform.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace weft {

/// A radix, and the time of a step with it in nanoseconds per point, as measured on an AMD Zen 4
/// with columns that are transformed between loads and stores.
struct Radix {
  int points;
  double cost;
};
inline constexpr std::array radices{Radix{3, .25},  Radix{4, .25}, Radix{5, .31}, Radix{6, .33},
                                    Radix{7, .35},  Radix{8, .34}, Radix{9, .36}, Radix{10, .365},
                                    Radix{12, .39}, Radix{16, .47}};

/// Of the cheapest radices for more than 9 points, in ascending order, none but the last is longer
/// than the first of these, and the last is not shorter than the second: only these steps are
/// compiled for lanes.
inline constexpr int longest_early_radix = 12, shortest_last_radix = 4;

/// The cheapest radices for `n` points in ascending order, which is the fastest order. Empty if n
/// is 1, 2 or twice a power of 7, or has factors other than 2, 3, 5 and 7.
std::vector<int> radices_of(std::int64_t n);

/// The same for at least two steps, which lanes need (fft/lanes/lane_transform).
std::vector<int> radices_of_steps(std::int64_t n);

/// The cheapest radices for `n` points of which adjacent ones are in `lanes` lanes in the first
/// step (fft/lanes/point_lanes), whose radix is a multiple of `lanes`. Empty if there are none.
std::vector<int> point_radices(std::int64_t n, std::int64_t lanes);

}  // namespace weft
