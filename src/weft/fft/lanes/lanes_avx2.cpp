// fft/lanes/lanes_avx2: lanes of 256 bits, with AVX2.

#include "weft/fft/lanes/lanes_common.hpp"

#ifdef WEFT_HAVE_LANES_X86

#define WEFT_LANES lanes_avx2
#define WEFT_LANES_BYTES 32
#define WEFT_LANES_MASKS 2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
#include "weft/fft/lanes/lanes_kernel.hpp"
#include "weft/fft/lanes/point_lanes_kernel.hpp"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace weft {

std::unique_ptr<Kernel> make_lanes_avx2(const Lines& lines, const Lines::Loop* across) {
  return lanes_avx2::make_lanes(lines, across);
}

std::unique_ptr<Kernel> make_point_lanes_avx2(const Lines& lines) {
  return lanes_avx2::make_point_lanes(lines);
}

}  // namespace weft

#endif
