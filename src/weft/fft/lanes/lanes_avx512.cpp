// fft/lanes/lanes_avx512: lanes of 512 bits, with AVX-512.

#include "weft/fft/lanes/lanes_common.hpp"

#ifdef WEFT_HAVE_LANES_X86

#define WEFT_LANES lanes_avx512
#define WEFT_LANES_BYTES 64
#define WEFT_LANES_MASKS 512
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,fma,avx2"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,fma,avx2,prefer-vector-width=512")
#endif
#include "weft/fft/lanes/lanes_kernel.hpp"
#include "weft/fft/lanes/point_lanes_kernel.hpp"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace weft {

std::unique_ptr<Kernel> make_lanes_avx512(const Lines& lines, const Lines::Loop* across) {
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): it loses what LaneBuffer owns.
  return lanes_avx512::make_lanes(lines, across);
}

std::unique_ptr<Kernel> make_point_lanes_avx512(const Lines& lines) {
  return lanes_avx512::make_point_lanes(lines);
}

}  // namespace weft

#endif
