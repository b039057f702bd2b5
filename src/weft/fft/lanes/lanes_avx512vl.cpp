// fft/lanes/lanes_avx512vl: lanes of 256 bits, with AVX-512's 32 registers.

#include "weft/fft/lanes/lanes_common.hpp"

#ifdef WEFT_HAVE_LANES_X86

#define WEFT_LANES lanes_avx512vl
#define WEFT_LANES_BYTES 32
#define WEFT_LANES_MASKS 512
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq,fma,avx2"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,fma,avx2,prefer-vector-width=256")
#endif
#include "weft/fft/lanes/lanes_kernel.hpp"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace weft {

std::unique_ptr<Kernel> make_lanes_avx512vl(const Lines& lines, const Lines::Loop* across) {
  return lanes_avx512vl::make_lanes(lines, across);
}

}  // namespace weft

#endif
