// fft/lanes/lanes_x86: the kernels of a set of x86 instructions, with the functions that make them.
// Included once by the file of each set, which defines WEFT_LANES, the name of the set;
// WEFT_LANES_BYTES and WEFT_LANES_MASKS, as lanes_kernel has them; WEFT_LANES_TARGET, the
// instructions; and WEFT_LANES_WIDTH, how wide GCC's own vectors are to be. What is included before
// the instructions are switched on must run on every processor.
#pragma once

#include "weft/fft/lanes/lanes_common.hpp"

#ifdef WEFT_HAVE_LANES_X86

// _Pragma takes a literal, whose parts are macros here.
#define WEFT_LANES_PRAGMA_OF(...) _Pragma(#__VA_ARGS__)
#define WEFT_LANES_PRAGMA(...) WEFT_LANES_PRAGMA_OF(__VA_ARGS__)
#define WEFT_LANES_NAME_OF(what, set) what##set
#define WEFT_LANES_NAME(what, set) WEFT_LANES_NAME_OF(what, set)

// clang-format off
#ifdef __clang__
WEFT_LANES_PRAGMA(clang attribute push(__attribute__((target(WEFT_LANES_TARGET))), apply_to = function))
#else
#pragma GCC push_options
WEFT_LANES_PRAGMA(GCC target(WEFT_LANES_TARGET, WEFT_LANES_WIDTH))
#endif
// clang-format on
#include "weft/fft/lanes/lanes_kernel.hpp"
#ifdef WEFT_LANES_HAS_POINTS
#include "weft/fft/lanes/point_lanes_kernel.hpp"
#endif
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace weft {

std::unique_ptr<Kernel> WEFT_LANES_NAME(make_, WEFT_LANES)(const Lines& lines,
                                                           const Lines::Loop* across) {
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): it loses what LaneBuffer owns.
  return WEFT_LANES::make_lanes(lines, across);
}

#ifdef WEFT_LANES_HAS_POINTS
std::unique_ptr<Kernel> WEFT_LANES_NAME(make_point_, WEFT_LANES)(const Lines& lines) {
  return WEFT_LANES::make_point_lanes(lines);
}
#endif

}  // namespace weft

#endif
