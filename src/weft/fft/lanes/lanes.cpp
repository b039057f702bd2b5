// fft/lanes/lanes: which lines are transformed in lanes, and with which instructions.

#include "weft/fft/lanes/lanes.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/base/prime_factors.hpp"
#include "weft/fft/lanes/end_factors.hpp"
#include "weft/fft/lanes/lanes_common.hpp"
#include "weft/fft/processor_family.hpp"

namespace weft {

namespace {

// Lanes for one set of instructions, and the processors that have it.
struct Set {
  int bits;
  const char* instructions;
  bool (*is_here)();
  MakeLanes make;
  MakePointLanes make_points;  // null where these are not faster than FFTW
  // The longest real lines of an even number of points that it transforms faster than FFTW does
  // (docs/lab, "Real lines in lanes" and "Butterflies that hold few numbers").
  std::int64_t longest_real_bytes;
};

// Of several sets with the same width, the first that this processor has is taken.
const std::vector<Set>& sets() {
  static const std::vector<Set> all{
#ifdef WEFT_HAVE_LANES_X86
      {512, "AVX-512", has_avx512, make_lanes_avx512, make_point_lanes_avx512, 2560},
      {256, "AVX-512", has_avx512, make_lanes_avx512vl, nullptr, 2560},
      {256, "AVX2", has_avx2, make_lanes_avx2, make_point_lanes_avx2, 6144},
#endif
#ifdef WEFT_HAVE_LANES_ANY
      {128, "vectors", [] { return true; }, make_lanes_128, nullptr, 0},
#endif
  };
  return all;
}

const Set* set_of(int bits) {
  for (const Set& set : sets())
    if (set.bits == bits && set.is_here()) return &set;
  return nullptr;
}

// Numbers, real or imaginary parts, in a vector of `bits` bits.
int lanes_of(int bits, Precision precision) {
  return bits / (precision == Precision::single_precision ? 32 : 64);
}

// The complex points that lanes transform for a line of `n` points with these sums; 0 for sums that
// they do not transform.
std::int64_t complex_points(Basis sums, std::int64_t n) {
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

// The same for a line of `lines`: half of the points of real lines, if these are even in number.
std::int64_t complex_points(const Lines& lines) {
  if (lines.kind == LineKind::c2c) return lines.n;
  if (lines.kind == LineKind::r2r) return complex_points(lines.real.kind, lines.n);
  return lines.n % 2 == 0 ? lines.n / 2 : lines.n;
}

// Whether lanes of `bits` bits transform complex lines of which `count` are adjacent, and which are
// strided on both sides, faster than FFTW does, although they load and store them number by number.
// The lengths were measured (docs/lab, "First measurements of engines and kernels" and "Short
// lines, and rows of complex numbers"). Long lines, and lines that become convolutions, go in lanes
// only where there are enough of them; the number is a choice, two full vectors of most kinds. So
// their last bits depend on how many lines a tile has. For short lines the number does not matter,
// except that FFTW has a single one.
bool are_strided_lanes_worthwhile(const Lines& lines, std::int64_t count, int bits) {
  constexpr std::int64_t long_line = 241, longest = 1024, fewest_lines = 16, shortest = 27;
  const bool is_long = lines.n >= long_line;
  if (convolution_length(lines.n) > 0) return count >= fewest_lines;
  const bool is_single = lines.precision == Precision::single_precision;
  const int lanes = lanes_of(bits, lines.precision);
  if (lanes < 4 || lines.n < shortest || lines.n > longest) return false;
  if (is_long) return count >= fewest_lines && lines.n % 16 != 0;
  return lines.n % (is_single && lanes >= 8 ? 8 : 2) != 0;
}

// The most bytes of the data between steps.
constexpr std::int64_t most_intermediate_bytes = std::int64_t{512} << 10;

// FFTW transforms lines of so few points faster than any lanes.
constexpr std::int64_t longest_for_fftw = 20;

// Whether lanes of `bits` bits have steps for the `points` complex points that make up a line of
// `n` points, and whether so many points are worth it. Up to 20 points FFTW is faster; from 24
// points on, columns in lanes take 0.4 to 0.9 of its time, until their intermediate data, two
// vectors a point, exceed half of a level-2 cache of 1 MiB (docs/lab, "Long lines").
bool have_lanes(std::int64_t n, std::int64_t points, int bits) {
  const std::int64_t intermediate_bytes = points * 2 * bits / 8;
  return n > longest_for_fftw && intermediate_bytes <= most_intermediate_bytes &&
         !radices_of_steps(points).empty();
}

// Whether lanes of `bits` bits transform `n` complex points by a convolution faster than FFTW and
// oneMKL do: these have steps of their own for primes up to 13. Narrow lanes are faster only if the
// convolution is as short as the lines (docs/lab, "Primes in lanes").
bool have_convolved_lanes(std::int64_t n, int bits) {
  constexpr std::int64_t shortest = 19, shortest_for_narrow = 31, largest_of_libraries = 13;
  const std::int64_t point_bytes = std::int64_t{2} * bits / 8;
  if (n < shortest || n * point_bytes > most_intermediate_bytes) return false;
  if (prime_factors(n).back() <= largest_of_libraries) return false;
  const std::int64_t length = convolution_length(n);
  if (bits < 256 && (n < shortest_for_narrow || length > n)) return false;
  return length * point_bytes <= most_intermediate_bytes;
}

// Whether these lanes transform such real lines faster than FFTW does. They do with wide vectors,
// as long as the lines and the buffers of the lanes, two vectors for each point, about fit the
// level-1 cache. The number of lines does not matter, so that the last bits of a line do not depend
// on it.
bool are_real_lanes_worthwhile(const Lines& lines, const Set& set) {
  constexpr std::int64_t most_buffer_bytes = 24 << 10;
  if (set.bits < 256) return false;
  if (have_convolved_lanes(complex_points(lines), set.bits)) return true;
  if (lines.n % 2 != 0) return have_lanes(lines.n, lines.n, set.bits);
  const std::int64_t real_bytes = lines.precision == Precision::single_precision ? 4 : 8;
  return lines.n * real_bytes <= set.longest_real_bytes &&
         lines.n * set.bits / 8 <= most_buffer_bytes &&
         have_lanes(lines.n, complex_points(lines), set.bits);
}

// Whether these lanes take such lines one after the other, which is faster than FFTW, or about as
// fast, where the first step nearly fills a vector (docs/lab, "Adjacent points in lanes"). FFTW has
// a single step for powers of two up to 64, which is faster than four lanes.
bool have_point_lanes(const Lines& lines, const Set& set) {
  constexpr std::int64_t full = 8, least_full = 7;  // parts of a vector
  constexpr std::uint64_t longest_single_step = 64;
  if (set.make_points == nullptr || lines.kind == LineKind::r2r || lines.kept ||
      lines.in_stride != 1 || lines.out_stride != 1)
    return false;
  if (lines.kind != LineKind::c2c && lines.n % 2 != 0) return false;
  const std::int64_t points = complex_points(lines);
  const int real_bits = lines.precision == Precision::single_precision ? 32 : 64;
  if (points * 2 * real_bits / 8 > most_intermediate_bytes) return false;
  const int lanes = lanes_of(set.bits, lines.precision);
  const auto n = static_cast<std::uint64_t>(lines.n);
  if (lines.n <= longest_for_fftw ||
      (lanes <= 4 && std::has_single_bit(n) && n <= longest_single_step))
    return false;
  const std::vector<int> found = point_radices(points, lanes);
  return !found.empty() && points / found.front() * full >= least_full * lanes;
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
  if (have_lanes(n, complex_points(sums, n), bits)) return true;
  return sums == Basis::fourier && have_convolved_lanes(n, bits);
}

std::unique_ptr<Kernel> make_lanes(const Lines& lines, int bits) {
  const Set* const set = set_of(bits);
  ensure(set != nullptr, bits);
  const bool is_complex = lines.kind == LineKind::c2c, is_r2r = lines.kind == LineKind::r2r;
  if (lines.factor != 1 && (!is_complex || convolution_length(lines.n) > 0)) return nullptr;
  if (is_complex || is_r2r) {
    const Basis sums = is_r2r ? lines.real.kind : Basis::fourier;
    if (have_point_lanes(lines, *set)) return set->make_points(lines);
    if (!are_lanes_worthwhile(lines.n, bits, sums)) return nullptr;
  } else if (!are_real_lanes_worthwhile(lines, *set)) {
    return have_point_lanes(lines, *set) ? set->make_points(lines) : nullptr;
  }
  if (is_r2r && lines.kept) return nullptr;
  if (lines.loops.empty()) {
    if (is_complex) return nullptr;
    return with_end_factors(set->make(lines, nullptr), lines);
  }
  // Prefers the loop whose lines are adjacent on most sides, then the longest. Real and imaginary
  // parts are two adjacent lines, with which sines and cosines would leave most lanes empty.
  const std::int64_t lanes = lanes_of(bits, lines.precision);
  const auto preference = [&](const Lines::Loop& loop) {
    return std::tuple(is_r2r ? std::min(loop.count, lanes) : 0,
                      (loop.in_stride == 1 ? 1 : 0) + (loop.out_stride == 1 ? 1 : 0), loop.count);
  };
  const auto across = std::max_element(
      lines.loops.begin(), lines.loops.end(),
      [&](const Lines::Loop& a, const Lines::Loop& b) { return preference(a) < preference(b); });
  // FFTW takes several times as long for real sums, however their lines lie.
  const bool is_strided = across->in_stride != 1 && across->out_stride != 1;
  if (is_complex && is_strided && !are_strided_lanes_worthwhile(lines, across->count, bits))
    return nullptr;
  return with_end_factors(set->make(lines, &*across), lines);
}

}  // namespace weft
