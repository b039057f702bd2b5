// fft/lanes: which lines are transformed in lanes, and with which instructions.

#include "weft/fft/lanes.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/fft/end_factors.hpp"
#include "weft/fft/lanes_common.hpp"
#include "weft/fft/processor_family.hpp"

namespace weft {

namespace {

// Lanes for one set of instructions, and the processors that have it.
struct Set {
  int bits;
  const char* instructions;
  bool (*is_here)();
  MakeLanes make;
};

// Of equal widths, the first that is here is taken.
const std::vector<Set>& sets() {
  static const std::vector<Set> all{
#ifdef WEFT_HAVE_LANES_X86
      {512, "AVX-512", has_avx512, make_lanes_avx512},
      {256, "AVX-512", has_avx512, make_lanes_avx512vl},
      {256, "AVX2", has_avx2, make_lanes_avx2},
#endif
#ifdef WEFT_HAVE_LANES_ANY
      {128, "vectors", [] { return true; }, make_lanes_128},
#endif
  };
  return all;
}

const Set* set_of(int bits) {
  for (const Set& set : sets())
    if (set.bits == bits && set.is_here()) return &set;
  return nullptr;
}

// Whether lanes transform `lines` lines that are strided on both sides faster than FFTW does,
// although they load and store them number by number. The limits on the length were measured
// (docs/tried.md, "Lines in lanes"); the number of lines is a choice: at least two full
// vectors in either precision.
bool are_strided_lanes_worthwhile(std::int64_t n, std::int64_t lines) {
  constexpr std::int64_t shortest = 241, longest = 1024, lengths_for_fftw = 16, fewest_lines = 16;
  return n >= shortest && n <= longest && n % lengths_for_fftw != 0 && lines >= fewest_lines;
}

// The complex points that lanes transform for a line of `n` points; 0 if they do not.
std::int64_t points_in_lanes(Basis sums, std::int64_t n) {
  switch (sums) {
    case Basis::fourier:
      return n;
    case Basis::dct2:
    case Basis::dct3:
    case Basis::dst2:
    case Basis::dst3:
      return n % 2 == 0 ? n / 2 : 0;
    default:
      return 0;
  }
}

// Whether lanes of `bits` bits have steps for so many complex points, and are not slower than FFTW
// for their number alone: up to 20 points FFTW is faster; from 24 points on columns in lanes take
// 0.4 to 0.9 of its time, until their intermediate data, two vectors a point, exceed half of a
// level-2 cache of 1 MiB (docs/tried.md, "Long columns in lanes").
bool have_lanes(std::int64_t points, int bits) {
  constexpr std::int64_t longest_for_fftw = 20, most_intermediate_bytes = std::int64_t{512} << 10;
  const std::int64_t intermediate_bytes = points * 2 * bits / 8;
  return points > longest_for_fftw && intermediate_bytes <= most_intermediate_bytes &&
         !radices_of(points).empty();
}

// Whether FFTW's columns are faster than lanes on a processor with 16 registers, which lanes of
// long steps exceed: FFTW has a single step for these lengths (docs/tried.md, "Lanes of AVX2").
bool are_short_steps_faster(std::int64_t n) {
  constexpr std::int64_t longest = 64;
  return !has_32_registers() && n <= longest && (n & (n - 1)) == 0;
}

// Whether lanes of `bits` bits transform real lines of `n` points faster than FFTW does: with wide
// vectors, of doubles with 32 registers only, and as long as the lines and the lanes' buffers, two
// of a vector for each point, about fit the level-1 cache (docs/tried.md, "Real lines in lanes").
// The number of lines does not matter, so that the last bits of a line do not depend on it.
bool are_real_lanes_worthwhile(std::int64_t n, int bits, Precision precision) {
  constexpr std::int64_t longest_bytes = 2560, most_buffer_bytes = 24 << 10;
  const bool is_single = precision == Precision::single_precision;
  if (n % 2 != 0 || bits < 256 || (!is_single && !has_32_registers())) return false;
  return n * (is_single ? 4 : 8) <= longest_bytes && n * bits / 8 <= most_buffer_bytes &&
         have_lanes(n / 2, bits);
}

}  // namespace

const std::vector<int>& lane_widths() {
  static const std::vector<int> widths{512, 256, 128};
  return widths;
}

int usual_lane_width() {
  const int bits = processor_family().lane_bits;
  return bits > 0 && set_of(bits) != nullptr ? bits : 0;
}

std::optional<std::string> no_lanes(int bits) {
  if (set_of(bits) != nullptr) return std::nullopt;
  std::string needed;
  for (const Set& set : sets())
    if (set.bits == bits) needed += (needed.empty() ? "" : " nor ") + std::string(set.instructions);
  if (needed.empty())
    return fmt::format(
        "this build has no vectors of {} bits: it is for another processor, its compiler is older "
        "than GCC 12, or WEFT_LANES was off",
        bits);
  return "this processor has no " + needed;
}

bool are_lanes_worthwhile(std::int64_t n, int bits, Basis sums) {
  if (sums == Basis::fourier && are_short_steps_faster(n)) return false;
  return have_lanes(points_in_lanes(sums, n), bits);
}

std::unique_ptr<Kernel> make_lanes(const Lines& lines, int bits) {
  const bool is_complex = lines.kind == LineKind::c2c, is_r2r = lines.kind == LineKind::r2r;
  if (is_complex || is_r2r) {
    const Basis sums = is_r2r ? lines.real.kind : Basis::fourier;
    if (!are_lanes_worthwhile(lines.n, bits, sums)) return nullptr;
  } else if (!are_real_lanes_worthwhile(lines.n, bits, lines.precision)) {
    return nullptr;
  }
  if (is_r2r && lines.kept) return nullptr;
  if (lines.loops.empty()) {
    if (is_complex) return nullptr;
    return with_end_factors(set_of(bits)->make(lines, nullptr), lines);
  }
  // Prefers the loop whose lines are adjacent on most sides, then the longest.
  const auto preference = [](const Lines::Loop& loop) {
    return std::pair((loop.in_stride == 1 ? 1 : 0) + (loop.out_stride == 1 ? 1 : 0), loop.count);
  };
  const auto across = std::max_element(
      lines.loops.begin(), lines.loops.end(),
      [&](const Lines::Loop& a, const Lines::Loop& b) { return preference(a) < preference(b); });
  // FFTW takes several times as long for real sums, however their lines lie.
  const bool is_strided = across->in_stride != 1 && across->out_stride != 1;
  if (is_complex && is_strided && !are_strided_lanes_worthwhile(lines.n, across->count))
    return nullptr;
  const Set* const set = set_of(bits);
  ensure(set != nullptr, bits);
  return with_end_factors(set->make(lines, &*across), lines);
}

}  // namespace weft
