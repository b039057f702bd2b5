// fft/lanes/lane_loops: what all kernels of lanes share: the nested loops over lines that they do
// not distribute over lanes. Include after all other headers, as fft/lanes/vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/fft/engine.hpp"

namespace weft::WEFT_LANES {

/// Loads and stores vectors at any addresses.
class KernelOfLanes : public Kernel {
 public:
  bool suits(const void* /*in*/, const void* /*out*/) const final { return true; }
};

/// Calls visit(in, out) with the first points of the lines of each turn of `loops`, whose strides
/// are in numbers of so many reals.
template <class Real, class Visit>
void for_each_turn(const std::vector<Lines::Loop>& loops, std::int64_t reals, Real* in, Real* out,
                   const Visit& visit, std::size_t level = 0) {
  if (level == loops.size()) {
    visit(in, out);
    return;
  }
  const Lines::Loop& loop = loops[level];
  for (std::int64_t i = 0; i < loop.count; ++i)
    for_each_turn(loops, reals, in + reals * i * loop.in_stride, out + reals * i * loop.out_stride,
                  visit, level + 1);
}

}  // namespace weft::WEFT_LANES
