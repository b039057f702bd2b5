// fft/lanes/lanes_common: the sets of vector instructions that lanes are compiled for.
// Included before the instructions are switched on: what is in other headers must run on every
// processor.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numbers>
#include <utility>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/convolution.hpp"
#include "weft/fft/lanes/end_factors.hpp"
#include "weft/fft/lanes/lane_loops.hpp"
#include "weft/fft/lanes/radices.hpp"
#include "weft/fft/lanes/radix_chain.hpp"
#include "weft/fft/lanes/real_ends.hpp"

// GCC has the generic shuffles from version 12 on. A build may leave out the lanes, most of the
// time of its compilation (WEFT_LANES=off).
#if !defined(WEFT_NO_LANES) && (defined(__clang__) || __GNUC__ >= 12)
#define WEFT_HAVE_LANES_ANY 1
#ifdef __x86_64__
#define WEFT_HAVE_LANES_X86 1
#include <immintrin.h>
#endif
#ifdef __aarch64__
#include <arm_neon.h>
#endif
#endif

namespace weft {

/// A kernel of lanes that is compiled for one set of instructions; `across` is the loop of `lines`
/// whose lines are distributed over the lanes, null for a single line.
using MakeLanes = std::unique_ptr<Kernel> (*)(const Lines& lines, const Lines::Loop* across);
/// The same for contiguous lines of which adjacent points are in the lanes.
using MakePointLanes = std::unique_ptr<Kernel> (*)(const Lines& lines);

// Each function is defined in the file of its instructions.
#ifdef WEFT_HAVE_LANES_X86
std::unique_ptr<Kernel> make_lanes_avx512(const Lines& lines, const Lines::Loop* across);
std::unique_ptr<Kernel> make_point_lanes_avx512(const Lines& lines);
std::unique_ptr<Kernel> make_lanes_avx512vl(const Lines& lines, const Lines::Loop* across);
std::unique_ptr<Kernel> make_lanes_avx2(const Lines& lines, const Lines::Loop* across);
std::unique_ptr<Kernel> make_point_lanes_avx2(const Lines& lines);
#endif
#ifdef WEFT_HAVE_LANES_ANY
std::unique_ptr<Kernel> make_lanes_128(const Lines& lines, const Lines::Loop* across);
#endif

}  // namespace weft
