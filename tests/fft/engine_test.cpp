// fft/engine: every engine against direct sums - kinds, precisions, strides, nested loops, sizes.

#include "weft/fft/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <map>
#include <memory>
#include <numbers>
#include <tuple>

#include "support/values.hpp"
#include "weft/base/ensure.hpp"
#include "weft/base/prime_factors.hpp"
#include "weft/fft/fftw_caveat.hpp"
#include "weft/fft/lanes/lanes.hpp"
#include "weft/fft/mkl_accuracy.hpp"
#include "weft/fft/processor_family.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// What is no number counts as the largest.
void keep_larger(long double& worst, long double error) {
  if (!std::isnan(worst) && !(error <= worst)) worst = error;
}

struct EngineSetting {
  std::int64_t n;
  Precision precision;
  LineKind kind;
  int sign;
  bool in_place;
  bool strided, strided_out;
  std::int64_t columns = 6;
};

// The transform of sample line (plane, column) of `n` points, by direct sums; computed once, as
// these sums take most of the time of these tests.
const std::vector<Wide>& direct_line(const WholeField& x, std::int64_t plane, std::int64_t column,
                                     bool is_complex, int sign, std::int64_t kept) {
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, bool, int, std::int64_t>;
  static std::map<Key, std::vector<Wide>> known;
  auto& values = known[{x.extents[0], plane, column, is_complex, sign, kept}];
  if (values.empty()) values = direct_dft(x, 0, sign, kept).values;
  return values;
}

// Lines as columns [n][6] or rows [6][n], each twice, padded.
double worst_error(Engine& engine, const EngineSetting& s) {
  const bool real_in = s.kind == LineKind::r2c, real_out = s.kind == LineKind::c2r;
  const std::int64_t half = s.n / 2 + 1, columns = s.columns, planes = 2;
  const std::int64_t n_in = real_out ? half : s.n, n_out = real_in ? half : s.n;
  const auto strides = [&](std::int64_t n, bool strided) {
    const std::int64_t pitch = strided ? columns + 1 : n + 3;
    return strided ? Dims{n * pitch, pitch, 1} : Dims{columns * pitch, 1, pitch};
  };
  const Dims in_strides = strides(s.in_place ? std::max(n_in, n_out) : n_in, s.strided);
  const Dims out_strides = s.in_place ? in_strides : strides(n_out, s.strided_out);
  const Scalar in_scalar{s.precision, !real_in}, out_scalar{s.precision, !real_out};
  std::vector<std::byte> in(
      static_cast<std::size_t>(planes * in_strides[0] * in_scalar.bytes() + 64));
  std::vector<std::byte> separate(
      static_cast<std::size_t>(planes * out_strides[0] * out_scalar.bytes() + 64));
  std::byte* out = s.in_place ? in.data() : separate.data();
  Lines lines{s.kind,
              s.precision,
              s.sign,
              s.n,
              in_strides[1],
              out_strides[1],
              {{planes, in_strides[0], out_strides[0]}, {columns, in_strides[2], out_strides[2]}}};
  auto kernel = engine.make(lines, in.data(), out, Effort::estimate);

  long double worst = 0, largest = 0;
  std::vector<std::vector<Wide>> expected;
  for (std::int64_t p = 0; p < planes; ++p)
    for (std::int64_t c = 0; c < columns; ++c) {
      WholeField x({s.n});
      for (std::int64_t j = 0; j < s.n; ++j)
        x.values[static_cast<std::size_t>(j)] = {
            static_cast<float>(sample(7, p, static_cast<std::size_t>(c * s.n + j), 0)),
            s.kind == LineKind::c2c
                ? static_cast<float>(sample(7, p, static_cast<std::size_t>(c * s.n + j), 1))
                : 0.0F};
      const std::vector<Wide>& y = direct_line(x, p, c * 1000 + columns, s.kind == LineKind::c2c,
                                               real_out ? -1 : s.sign, n_out > n_in ? half : n_out);
      const auto& from = real_out ? y : x.values;
      expected.push_back(real_out ? x.values : y);
      for (std::int64_t j = 0; j < n_in; ++j)
        put(in.data(), in_scalar, p * in_strides[0] + j * in_strides[1] + c * in_strides[2],
            from[static_cast<std::size_t>(j)]);
    }
  PrefetchQueue no_prefetches;
  kernel->run(in.data(), out, no_prefetches);
  const long double gain = real_out ? static_cast<long double>(s.n) : 1;
  for (std::int64_t p = 0; p < planes; ++p)
    for (std::int64_t c = 0; c < columns; ++c)
      for (std::int64_t k = 0; k < n_out; ++k) {
        const Wide want =
            gain * expected[static_cast<std::size_t>(p * columns + c)][static_cast<std::size_t>(k)];
        const Wide got =
            get(out, out_scalar, p * out_strides[0] + k * out_strides[1] + c * out_strides[2]);
        keep_larger(worst, std::abs(got - want));
        largest = std::max(largest, std::abs(want));
      }
  return static_cast<double>(worst / largest);
}

Wide root_of_unity(std::int64_t k, std::int64_t n) {
  const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                            static_cast<long double>(n);
  return {std::cos(angle), std::sin(angle)};
}

// exp(-2 pi i k / n) for all k < n; valid until the next call. Each is a product of two of about
// sqrt(n) roots that are computed, as there are millions of them; the error is that of long double.
const std::vector<Wide>& roots_of(std::int64_t n) {
  static std::vector<Wide> roots;
  if (roots.size() == static_cast<std::size_t>(n)) return roots;
  roots.clear();
  const auto step = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n))) + 1;
  std::vector<Wide> fine;
  for (std::int64_t k = 0; k < step; ++k) fine.push_back(root_of_unity(k, n));
  for (std::int64_t first = 0; first < n; first += step) {
    const Wide coarse = root_of_unity(first, n);
    for (std::int64_t k = 0; k < std::min(step, n - first); ++k) {
      const Wide& by = fine[static_cast<std::size_t>(k)];
      roots.emplace_back(coarse.real() * by.real() - coarse.imag() * by.imag(),
                         coarse.real() * by.imag() + coarse.imag() * by.real());
    }
  }
  return roots;
}

// The largest error of the spectrum of `columns` columns, each of which is zero but for a one at
// `place(column)`; of the first `kept` values of each.
template <class Real>
long double largest_error_of_spectra(const std::vector<std::byte>& spectra, std::int64_t n,
                                     std::int64_t columns, std::int64_t kept, const auto& place) {
  const auto* values = reinterpret_cast<const Real*>(spectra.data());
  const Wide* roots = roots_of(n).data();
  long double worst = 0;  // squared
  for (std::int64_t c = 0; c < columns; ++c)
    for (std::int64_t k = 0, turned = 0; k < kept; ++k) {
      const Real* value = values + 2 * (k * columns + c);
      const long double real = value[0] - roots[turned].real();
      const long double imaginary = value[1] - roots[turned].imag();
      keep_larger(worst, real * real + imaginary * imaginary);
      turned += place(c);
      if (turned >= n) turned -= n;
    }
  return std::sqrt(worst);
}

// In epsilons of the precision, of the transform of `columns` columns, each of which is zero but
// for a one at a point of its own.
double error_of_impulses(Engine& engine, std::int64_t n, Precision precision, LineKind kind,
                         std::int64_t columns = 1) {
  const Scalar in_scalar{precision, kind == LineKind::c2c};
  std::vector<std::byte> in(static_cast<std::size_t>(n * columns) * 16), out(in.size() + 16);
  Lines lines{kind, precision, -1, n, columns, columns, {}};
  if (columns > 1) lines.loops.push_back({columns, 1, 1});
  auto kernel = engine.make(lines, in.data(), out.data(), Effort::estimate);
  const auto place = [&](std::int64_t column) { return (n * 617 / 1000 + column * 97) % n; };
  std::fill(in.begin(), in.end(), std::byte{0});
  for (std::int64_t c = 0; c < columns; ++c) put(in.data(), in_scalar, place(c) * columns + c, 1);
  PrefetchQueue no_prefetches;
  kernel->run(in.data(), out.data(), no_prefetches);
  const std::int64_t kept = kind == LineKind::c2c ? n : n / 2 + 1;
  const bool is_single = precision == Precision::single_precision;
  const long double worst = is_single
                                ? largest_error_of_spectra<float>(out, n, columns, kept, place)
                                : largest_error_of_spectra<double>(out, n, columns, kept, place);
  return static_cast<double>(worst) / (is_single ? 0x1.0p-23 : 0x1.0p-52);
}

class EveryEngine : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> usable() {
  std::vector<std::string> names;
  for (const auto& entry : engines())
    if (!entry.applies()) names.push_back(entry.name);
  return names;
}

}  // namespace

TEST_P(EveryEngine, agrees_with_direct_sums) {
  auto engine = find_engine(GetParam()).make();
  // The lengths from 24 on with factors 2, 3, 5 and 7 use every radix of the engine weft.
  for (std::int64_t n : {1,  2,  3,  4,   5,   7,   8,   13,  16,  24,  25,  27,  30,  36,  48,
                         51, 75, 97, 100, 127, 128, 147, 162, 243, 251, 256, 300, 360, 375, 500})
    for (auto precision : {Precision::single_precision, Precision::double_precision})
      for (bool strided : {false, true}) {
        const double bound = precision == Precision::single_precision ? 2e-6 : 2e-15;
        for (int sign : {-1, 1})
          for (bool in_place : {false, true})
            EXPECT_LT(worst_error(*engine,
                                  {n, precision, LineKind::c2c, sign, in_place, strided, strided}),
                      bound)
                << "c2c " << n << " sign " << sign << (in_place ? " in place" : "");
        EXPECT_LT(worst_error(*engine, {n, precision, LineKind::r2c, -1, false, strided, strided}),
                  bound)
            << "r2c " << n;
        EXPECT_LT(worst_error(*engine, {n, precision, LineKind::c2r, 1, false, strided, strided}),
                  bound)
            << "c2r " << n;
      }
}

// Numbers of lines around the number of lanes; columns and rows as input and as output.
TEST_P(EveryEngine, takes_any_number_of_contiguous_or_strided_lines) {
  auto engine = find_engine(GetParam()).make();
  for (std::int64_t n : {27, 37, 58, 250})
    for (std::int64_t columns : {1, 3, 4, 5, 8, 13, 17})
      for (bool strided : {false, true})
        for (bool strided_out : {false, true})
          for (int sign : {-1, 1})
            for (auto precision : {Precision::single_precision, Precision::double_precision})
              EXPECT_LT(worst_error(*engine, {n, precision, LineKind::c2c, sign, false, strided,
                                              strided_out, columns}),
                        precision == Precision::single_precision ? 2e-6 : 2e-15)
                  << n << " times " << columns;
}

// Rows of lengths at which lanes take contiguous lines number by number, in place, too; numbers of
// rows around full vectors.
TEST_P(EveryEngine, agrees_with_direct_sums_at_rows_of_odd_lengths) {
  auto engine = find_engine(GetParam()).make();
  for (std::int64_t n : {27, 36, 45, 50, 75, 225})
    for (std::int64_t rows : {1, 5, 17, 35})
      for (int sign : {-1, 1})
        for (auto precision : {Precision::single_precision, Precision::double_precision})
          for (bool in_place : {false, true})
            EXPECT_LT(worst_error(*engine, {n, precision, LineKind::c2c, sign, in_place, false,
                                            false, rows}),
                      precision == Precision::single_precision ? 2e-6 : 2e-15)
                << n << " times " << rows << " sign " << sign << (in_place ? " in place" : "");
}

// Rows whose points lanes take several at a time: every radix, full and incomplete vectors, buffers
// that are cut (2048 points); numbers of rows around those that are transformed at once; both
// directions; in place.
TEST_P(EveryEngine, agrees_with_direct_sums_at_rows_of_many_lanes) {
  auto engine = find_engine(GetParam()).make();
  for (std::int64_t n :
       {56, 64, 80, 96, 120, 128, 200, 224, 240, 256, 288, 336, 400, 448, 1000, 2048})
    for (std::int64_t rows : {1, 2, 9, 19})
      for (int sign : {-1, 1})
        for (auto precision : {Precision::single_precision, Precision::double_precision})
          for (bool in_place : {false, true}) {
            if (rows > 2 && n > 128) continue;  // direct sums take too long
            EXPECT_LT(worst_error(*engine, {n, precision, LineKind::c2c, sign, in_place, false,
                                            false, rows}),
                      precision == Precision::single_precision ? 2e-6 : 2e-15)
                << n << " times " << rows << " sign " << sign << (in_place ? " in place" : "");
          }
}

// The same for r2c and c2r rows, with odd and even numbers of vectors in half of the spectrum.
TEST_P(EveryEngine, agrees_with_direct_sums_at_real_rows_of_many_lanes) {
  auto engine = find_engine(GetParam()).make();
  for (std::int64_t n :
       {24, 30, 32, 36, 112, 160, 384, 400, 464, 480, 512, 640, 736, 768, 1024, 1536, 2048})
    for (std::int64_t rows : {1, 2, 9})
      for (auto precision : {Precision::single_precision, Precision::double_precision})
        for (auto kind : {LineKind::r2c, LineKind::c2r}) {
          if (rows > 2 && n > 512) continue;  // direct sums take too long
          const int sign = kind == LineKind::r2c ? -1 : 1;
          EXPECT_LT(worst_error(*engine, {n, precision, kind, sign, false, false, false, rows}),
                    precision == Precision::single_precision ? 2e-6 : 2e-15)
              << (kind == LineKind::r2c ? "r2c " : "c2r ") << n << " times " << rows;
        }
}

// The transform of an impulse shows every factor by itself. Errors of Debian's FFTW and of oneMKL
// 2026.2 are below 1.4 epsilon (2 + log2 n) here; with oneMKL's kernels for AVX-512 they were up to
// 53 times as large, at 827 of these lengths in double precision. The longer ones are tried in one
// kind or precision, in turn.
TEST_P(EveryEngine, is_accurate_at_every_length) {
  // Single lines are FFTW's, but for those of the widest vectors, which take multiples of 8 points.
  const bool is_weft = GetParam() == "weft512";
  if (GetParam().starts_with("weft") && !is_weft) return;
  auto engine = find_engine(GetParam()).make();
  for (std::int64_t n = is_weft ? 8 : 1; n <= (is_weft ? 33000 : 2048);
       n += is_weft ? 8 * (1 + n / 1024) : 1)
    for (auto precision : {Precision::single_precision, Precision::double_precision})
      for (LineKind kind : {LineKind::c2c, LineKind::r2c}) {
        if (!is_weft && n > 1024 && (kind == LineKind::c2c) != (n % 2 == 0)) continue;
        if (n > 4096 && (precision == Precision::single_precision) != (n / 8 % 2 == 0)) continue;
        EXPECT_LT(error_of_impulses(*engine, n, precision, kind),
                  3 * (2 + std::log2(static_cast<double>(n))))
            << (kind == LineKind::c2c ? "c2c " : "r2c ") << n
            << (precision == Precision::single_precision ? " single" : " double");
      }
}

// Columns of every length that lanes may transform, and of some that are too long for them; from
// 2048 points on in one precision and the other in turn.
TEST_P(EveryEngine, is_accurate_at_long_columns) {
  auto engine = find_engine(GetParam()).make();
  bool is_single = false;
  for (std::int64_t n = 512; n <= 20000; ++n) {
    std::int64_t rest = n;
    for (const int factor : {2, 3, 5, 7})
      while (rest % factor == 0) rest /= factor;
    if (rest > 1) continue;
    is_single = !is_single;
    for (auto precision : {Precision::single_precision, Precision::double_precision}) {
      if (n > 2048 && (precision == Precision::single_precision) != is_single) continue;
      EXPECT_LT(error_of_impulses(*engine, n, precision, LineKind::c2c, 5 + n % 13),
                3 * (2 + std::log2(static_cast<double>(n))))
          << n << (precision == Precision::single_precision ? " single" : " double");
    }
  }
}

// Lengths with a prime factor above 13, which lanes transform as convolutions.
TEST_P(EveryEngine, is_accurate_at_columns_with_large_primes) {
  auto engine = find_engine(GetParam()).make();
  for (std::int64_t n = 17; n <= 1200; n += n < 300 ? 1 : 7) {
    if (prime_factors(n).back() <= 13) continue;
    for (auto precision : {Precision::single_precision, Precision::double_precision})
      for (auto kind : {LineKind::c2c, LineKind::r2c})
        EXPECT_LT(error_of_impulses(*engine, n, precision, kind, 5 + n % 13),
                  3 * (2 + std::log2(static_cast<double>(n))))
            << (kind == LineKind::c2c ? "c2c " : "r2c ") << n
            << (precision == Precision::single_precision ? " single" : " double");
  }
}

TEST_P(EveryEngine, says_its_version) { EXPECT_FALSE(find_engine(GetParam()).version().empty()); }

INSTANTIATE_TEST_SUITE_P(All, EveryEngine, ::testing::ValuesIn(usable()),
                         [](const auto& name) { return name.param; });

// Where there is AVX-512, lanes of 256 bits use its registers and masks; others have AVX2's.
TEST(Engine, lanes_of_256_bits_work_without_avx512) {
  pretend_at_most(VectorSet::avx2);
  for (const auto& entry : engines()) {
    if (entry.name != "weft256" || entry.applies()) continue;
    auto engine = entry.make();
    for (const std::int64_t n : {24, 30, 37, 58, 64, 75, 96, 250, 256, 300, 2048})
      for (const auto precision : {Precision::single_precision, Precision::double_precision})
        for (const int sign : {-1, 1})
          for (const bool in_place : {false, true})
            for (const std::int64_t columns : {1, 2, 3, 4, 5, 7, 8, 11, 17})
              for (const bool strided_in : {false, true})
                for (const bool strided_out : {false, true}) {
                  if (in_place && strided_out != strided_in) continue;
                  // Long lines are tried where they are contiguous: kernels with adjacent points in
                  // the lanes cut their intermediate data.
                  if (n > 300 && (strided_in || strided_out || columns > 2)) continue;
                  const double limit = precision == Precision::single_precision ? 1e-6 : 1e-14;
                  EXPECT_LT(worst_error(*engine, {n, precision, LineKind::c2c, sign, in_place,
                                                  strided_in, strided_out, columns}),
                            limit)
                      << n << " points, " << columns << " columns";
                }
  }
  pretend_at_most(VectorSet::avx512);
}

// oneMKL exports FFTW's functions too: linked in the wrong order, it would replace FFTW.
TEST(Engine, fftw_is_really_fftw) {
  for (const auto& entry : engines())
    if (entry.name == "fftw" && !entry.applies()) {
      EXPECT_EQ(entry.version().rfind("fftw-3", 0), 0U);
    }
}

TEST(Mkl, is_inaccurate_in_double_precision_at_products_with_large_primes) {
  // These lengths were measured with the kernels for AVX-512; 298 has the largest error.
  for (std::int64_t n : {34, 38, 298, 2 * 3 * 149, 17 * 17, 1018})
    EXPECT_TRUE(is_mkl_inaccurate(n, Precision::double_precision)) << n;
  for (std::int64_t n : {1, 2, 13, 17, 149, 1021, 1575, 11 * 13, 13 * 13, 2048})
    EXPECT_FALSE(is_mkl_inaccurate(n, Precision::double_precision)) << n;
  EXPECT_FALSE(is_mkl_inaccurate(298, Precision::single_precision));
}

TEST(Fftw, has_a_caveat_where_it_is_shared_or_replaced) {
  EXPECT_EQ(fftw_caveat("fftw-3.3.10-sse2-avx", false), std::nullopt);
  EXPECT_NE(fftw_caveat("fftw-3.3.10-sse2-avx", true)->find("shared with the application"),
            std::string::npos);
  for (bool is_shared : {false, true})
    EXPECT_NE(fftw_caveat("FFTW 3.3.4 wrappers to Intel oneMKL", is_shared)->find("replaced"),
              std::string::npos);
}

TEST(Engine, an_unknown_name_is_refused_with_the_list_of_engines) {
  try {
    find_engine("cufft");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("there is no engine 'cufft'"), std::string::npos);
    EXPECT_NE(error.hint().find("one of: "), std::string::npos);
  }
}

// FFTW keeps what trial runs have measured as wisdom, and follows it in later plans.
TEST(Engine, kernels_without_trial_runs_learn_nothing_from_those_with_them) {
  for (const EngineEntry& entry : engines()) {
    if (entry.applies()) continue;
    auto engine = entry.make();
    const auto transformed = [&](std::int64_t n, Effort effort) {
      const std::size_t points = static_cast<std::size_t>(n) * 8;
      std::vector<std::complex<double>> room(points + 4);
      void* aligned = room.data();
      std::size_t bytes = sizeof room[0] * room.size();
      std::align(64, sizeof room[0] * points, aligned, bytes);
      auto* data = static_cast<std::complex<double>*>(aligned);
      const Lines lines{LineKind::c2c, Precision::double_precision, -1, n, 8, 8, {{8, 1, 1}}};
      auto kernel = engine->make(lines, data, data, effort);
      for (std::size_t i = 0; i < points; ++i)
        data[i] = {static_cast<double>(sample(3, 0, i, 0)),
                   static_cast<double>(sample(3, 0, i, 1))};
      PrefetchQueue queue;
      kernel->run(data, data, queue);
      return std::vector<std::complex<double>>(data, data + points);
    };
    const std::array<std::int64_t, 14> lengths{15, 30, 36, 45,  48,  60,  64,
                                               72, 90, 96, 100, 120, 128, 180};
    std::vector<std::vector<std::complex<double>>> before;
    for (const std::int64_t n : lengths) before.push_back(transformed(n, Effort::estimate));
    // More plans than are kept to be used again, so that the last ones are made anew.
    for (std::int64_t n = 200; n < 270; ++n) transformed(n, Effort::estimate);
    for (const std::int64_t n : lengths) transformed(n, Effort::measure);
    for (std::size_t i = 0; i < lengths.size(); ++i)
      EXPECT_EQ(transformed(lengths[i], Effort::estimate), before[i])
          << entry.name << " " << lengths[i];
  }
}
