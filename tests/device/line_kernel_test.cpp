// device/line_kernel: lines of all lengths and forms in any layout, against direct sums, on the
// late device and on the devices that are here.

#include "weft/device/line_kernel.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <map>
#include <numbers>
#include <random>

#include "weft/device/kernels.hpp"
#include "weft/device/late.hpp"
#include "weft/device/late_block.hpp"
#include "weft/device/line_shape.hpp"
#include "weft/device/line_tables.hpp"
#include "weft/problem/line_transform.hpp"

using namespace weft;

namespace {

using Wide = std::complex<long double>;

// Memory of the device with the bytes of a vector.
class OnDevice {
 public:
  template <class T>
  OnDevice(DeviceDriver& driver, DeviceStream stream, const std::vector<T>& values)
      : driver_(driver), address_(driver.allocate(Memory::device, bytes_of(values))) {
    driver.copy(stream, address_, values.data(), bytes_of(values));
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { driver_.release(Memory::device, address_); }

  template <class T>
  T* as() const {
    return static_cast<T*>(address_);
  }
  template <class T>
  static std::int64_t bytes_of(const std::vector<T>& values) {
    return static_cast<std::int64_t>(values.size() * sizeof(T));
  }

 private:
  DeviceDriver& driver_;
  void* address_;
};

// Lines in memory in one of several ways: `first` numbers that are not theirs, and then, in chunks
// along the line as messages bring them, points of all lines, or lines of all points.
struct Lying {
  bool lines_first;
  std::vector<std::int64_t> cuts;  // from 0 to all points
  std::int64_t lines, first = 3;

  std::int64_t size() const { return first + lines * cuts.back(); }
  std::int64_t chunk_of(std::int64_t point) const {
    std::int64_t chunk = 0;
    while (point >= cuts[static_cast<std::size_t>(chunk) + 1]) ++chunk;
    return chunk;
  }
  LinePart part(std::int64_t chunk, std::int64_t first_line, std::int64_t count) const {
    const std::int64_t begin = cuts[static_cast<std::size_t>(chunk)],
                       points = cuts[static_cast<std::size_t>(chunk) + 1] - begin;
    LinePart part;
    part.far_point = lines_first ? lines : 1;
    part.far_line = lines_first ? 1 : points;
    part.far = first + begin * lines + first_line * part.far_line;
    part.first_point = static_cast<std::int32_t>(begin);
    part.points = static_cast<std::int32_t>(points);
    part.lines = static_cast<std::int32_t>(count);
    part.lines_first = lines_first ? 1 : 0;
    part.by_fastest = Divisor(lines_first ? count : points);
    return part;
  }
  std::size_t at(std::int64_t point, std::int64_t line) const {
    const LinePart p = part(chunk_of(point), 0, lines);
    return static_cast<std::size_t>(p.far + (point - p.first_point) * p.far_point +
                                    line * p.far_line);
  }
};

struct Case {
  LineWork work;
  std::int64_t lines = 7;
  bool source_lines_first = true, target_lines_first = true;
  std::vector<std::int64_t> source_cuts, target_cuts;  // none: one piece
  double factor = 1;
  LineTransform ends = {};  // what the ends of sums are multiplied by
  std::size_t shift = 0;  // real numbers before both arrays: with one, complex ones are not aligned
  unsigned seed = 1;
};

std::int64_t half(std::int64_t points) { return points / 2 + 1; }
std::int64_t source_points(const LineWork& work) {
  return work.form == LineForm::c2r ? half(work.points) : work.points;
}
std::int64_t target_points(const LineWork& work) {
  return work.form == LineForm::r2c ? half(work.points) : work.points;
}

Lying lying(bool lines_first, std::vector<std::int64_t> cuts, std::int64_t lines,
            std::int64_t points) {
  if (cuts.empty()) cuts = {0, points};
  return {lines_first, std::move(cuts), lines};
}

// exp(-2 pi i k / points)
std::vector<Wide> wide_roots(std::int64_t points) {
  std::vector<Wide> roots;
  for (std::int64_t k = 0; k < points; ++k)
    roots.push_back(
        std::polar(1.0L, -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                             static_cast<long double>(points)));
  return roots;
}

// What value k of a sum of cosines or sines is, as scipy.fft.dct and dst define it.
Wide direct_sum(const Case& c, std::vector<Wide> x, std::int64_t k) {
  const std::int64_t n = c.work.points;
  x.front() *= c.ends.first_in;
  x.back() *= c.ends.last_in;
  // The sum over j of 2 x_j cos(pi (j + j0 / 2) (k + k0 / 2) / whole), or of sines.
  const auto sum_of = [&](bool is_sine, std::int64_t j0, std::int64_t k0, std::int64_t whole) {
    Wide sum = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const long double angle =
          std::numbers::pi_v<long double> *
          static_cast<long double>((2 * j + j0) * (2 * k + k0) % (8 * whole)) /
          static_cast<long double>(4 * whole);
      sum += 2.0L * x[static_cast<std::size_t>(j)] * (is_sine ? std::sin(angle) : std::cos(angle));
    }
    return sum;
  };
  const long double sign = k % 2 == 0 ? 1 : -1;
  Wide sum = 0;
  switch (c.work.sum) {
    case LineSum::dct1:
      sum = sum_of(false, 0, 0, n - 1) - x.front() - sign * x.back();
      break;
    case LineSum::dct2:
      sum = sum_of(false, 1, 0, n);
      break;
    case LineSum::dct3:
      sum = sum_of(false, 0, 1, n) - x.front();
      break;
    case LineSum::dct4:
      sum = sum_of(false, 1, 1, n);
      break;
    case LineSum::dst1:
      sum = sum_of(true, 2, 2, n + 1);
      break;
    case LineSum::dst2:
      sum = sum_of(true, 1, 2, n);
      break;
    case LineSum::dst3:
      sum = sum_of(true, 2, 1, n) - sign * x.back();
      break;
    default:
      sum = sum_of(true, 1, 1, n);
  }
  if (k == 0) sum *= c.ends.first_out;
  if (k == n - 1) sum *= c.ends.last_out;
  return sum;
}

// What frequency or point k of a line is, by a direct sum.
Wide direct(const Case& c, const std::vector<Wide>& x, const std::vector<Wide>& roots,
            std::int64_t k) {
  const std::int64_t n = c.work.points;
  if (c.work.is_copy) return x[static_cast<std::size_t>(k)];
  if (c.work.sum != LineSum::none) return direct_sum(c, x, k);
  const bool is_positive = c.work.form == LineForm::c2r || c.work.backward;
  Wide sum = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    Wide value;
    if (c.work.form != LineForm::c2r) {
      value = x[static_cast<std::size_t>(j)];
    } else {
      value = j < half(n) ? x[static_cast<std::size_t>(j)]
                          : std::conj(x[static_cast<std::size_t>(n - j)]);
      if (j == 0 || 2 * j == n) value = value.real();
    }
    const Wide root = roots[static_cast<std::size_t>(j * k % n)];
    sum += value * (is_positive ? std::conj(root) : root);
  }
  return sum;
}

using LaunchOf = std::function<void(DeviceDriver&, DeviceStream, const KernelLaunch&)>;

// The largest error of the case, relative to the largest value; NaN where one is NaN. Numbers of
// the target that belong to no line must not change.
template <class Real>
double error_of(const Case& c, DeviceDriver& driver, const LaunchOf& launches) {
  const DeviceTraits traits = driver.traits(0);
  const auto launch = line_launch(c.work, {traits.shared_bytes, traits.threads, traits.warp});
  if (!launch) return -1;
  const Lying source = lying(c.source_lines_first, c.source_cuts, c.lines, source_points(c.work));
  const Lying target = lying(c.target_lines_first, c.target_cuts, c.lines, target_points(c.work));
  const bool reads_reals = c.work.form == LineForm::r2c || c.work.form == LineForm::r2r;
  const bool writes_reals = c.work.form == LineForm::c2r || c.work.form == LineForm::r2r;

  std::mt19937 random(c.seed);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<Real> in(static_cast<std::size_t>(source.size()) * (reads_reals ? 1 : 2));
  for (Real& value : in) value = static_cast<Real>(any(random));
  const Real untouched = 12345;
  const std::vector<Real> before(static_cast<std::size_t>(target.size()) * (writes_reals ? 1 : 2),
                                 untouched);

  std::vector<LineTile> tiles;
  std::vector<LinePart> parts;
  for (std::int64_t line = 0; line < c.lines; line += launch->shape.lines) {
    const std::int64_t count = std::min<std::int64_t>(launch->shape.lines, c.lines - line);
    LineTile tile;
    tile.lines = static_cast<std::int32_t>(count);
    tile.first_source = static_cast<std::int32_t>(parts.size());
    for (std::size_t i = 0; i + 1 < source.cuts.size(); ++i)
      parts.push_back(source.part(static_cast<std::int64_t>(i), line, count));
    tile.sources = static_cast<std::int32_t>(source.cuts.size()) - 1;
    tile.first_target = static_cast<std::int32_t>(parts.size());
    for (std::size_t i = 0; i + 1 < target.cuts.size(); ++i) {
      parts.push_back(target.part(static_cast<std::int64_t>(i), line, count));
      parts.back().buffer = 1;
    }
    tile.targets = static_cast<std::int32_t>(target.cuts.size()) - 1;
    tiles.push_back(tile);
  }

  const DeviceStream stream = driver.make_stream(0);
  const LineShape& shape = launch->shape;
  const LineTables<Real> tables(shape);
  std::vector<std::int32_t> places = tables.places();
  places.push_back(0);  // so that there is one
  std::vector<Real> given(c.shift), touched(c.shift, untouched);
  given.insert(given.end(), in.begin(), in.end());
  touched.insert(touched.end(), before.begin(), before.end());
  const OnDevice source_memory(driver, stream, given), target_memory(driver, stream, touched),
      numbers_memory(driver, stream, tables.numbers()), places_memory(driver, stream, places),
      tiles_memory(driver, stream, tiles), parts_memory(driver, stream, parts);
  const std::size_t shift_bytes = c.shift * sizeof(Real);
  const std::vector<std::byte*> addresses{source_memory.as<std::byte>() + shift_bytes,
                                          target_memory.as<std::byte>() + shift_bytes};
  const OnDevice buffers(driver, stream, addresses);
  LineArguments<Real> arguments;
  arguments.shape = shape;
  arguments.factor = static_cast<Real>(c.factor);
  arguments.buffers = buffers.as<std::byte*>();
  arguments.tiles = tiles_memory.as<LineTile>();
  arguments.tile_count = static_cast<std::int64_t>(tiles.size());
  arguments.parts = parts_memory.as<LinePart>();
  tables.bind(arguments, numbers_memory.as<Real>(), places_memory.as<std::int32_t>());
  arguments.first_in = static_cast<Real>(c.ends.first_in);
  arguments.last_in = static_cast<Real>(c.ends.last_in);
  arguments.first_out = static_cast<Real>(c.ends.first_out);
  arguments.last_out = static_cast<Real>(c.ends.last_out);
  launches(driver, stream,
           {lines_kernel(c.work.precision), 2, launch->threads, launch->shared_bytes, &arguments});
  std::vector<Real> out(before.size());
  driver.copy(stream, out.data(), addresses[1], OnDevice::bytes_of(out));
  driver.await(stream);
  driver.destroy(stream);

  const std::vector<Wide> all_roots = wide_roots(c.work.points);
  long double error = 0, largest = 0;
  std::vector<bool> is_of_line(static_cast<std::size_t>(target.size()), false);
  for (std::int64_t line = 0; line < c.lines; ++line) {
    std::vector<Wide> x;
    for (std::int64_t p = 0; p < source_points(c.work); ++p) {
      const std::size_t at = source.at(p, line);
      x.push_back(reads_reals ? Wide(in[at]) : Wide(in[2 * at], in[2 * at + 1]));
    }
    for (std::int64_t k = 0; k < target_points(c.work); ++k) {
      const std::size_t at = target.at(k, line);
      is_of_line[at] = true;
      const Wide wanted = static_cast<long double>(c.factor) * direct(c, x, all_roots, k);
      const Wide got = writes_reals ? Wide(out[at]) : Wide(out[2 * at], out[2 * at + 1]);
      const long double off =
          writes_reals ? std::abs(wanted.real() - got.real()) : std::abs(wanted - got);
      if (!std::isnan(error) && !(off <= error)) error = off;
      largest = std::max(largest, std::abs(wanted));
    }
  }
  const std::size_t each = writes_reals ? 1 : 2;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!is_of_line[i / each] && out[i] != untouched) return std::nan("");
  return static_cast<double>(error / largest);
}

LateDriver late_driver(unsigned seed) {
  LateDriver::Settings settings;
  settings.seed = seed;
  return LateDriver(settings);
}

// On the late device, or on the device of a driver.
double error_of(const std::string& name, const Case& c) {
  const auto launch = [](DeviceDriver& on, DeviceStream stream, const KernelLaunch& what) {
    on.prepare(what.kernel);
    on.launch(stream, what);
  };
  LateDriver late = late_driver(c.seed);
  DeviceDriver& driver = name == "late" ? late : find_driver(name).get();
  return c.work.precision == Precision::single_precision ? error_of<float>(c, driver, launch)
                                                         : error_of<double>(c, driver, launch);
}

// The group of a thread that leaves out one of its synchronizations, and counts them.
class Forgetful {
 public:
  Forgetful(const LateGroup& group, int forgotten, int& count)
      : group_(group), forgotten_(forgotten), count_(count) {}
  int thread() const { return group_.thread(); }
  int threads() const { return group_.threads(); }
  std::int64_t block() const { return 0; }
  std::int64_t blocks() const { return 1; }
  std::byte* shared() const { return group_.shared(); }
  template <class T>
  T* of_device(T* address) const {
    return address;
  }
  void sync() const {
    if (calls_++ != forgotten_) group_.sync();
    count_ = calls_;
  }

 private:
  const LateGroup& group_;
  int forgotten_;
  int& count_;
  mutable int calls_ = 0;
};

// The error if synchronization `forgotten` of a block is left out, with all tiles in one block; and
// how many there are.
std::pair<double, int> error_without(const Case& c, int forgotten) {
  int count = 0;
  LateDriver late = late_driver(c.seed);
  const double error = error_of<double>(
      c, late, [&](DeviceDriver&, DeviceStream stream, const KernelLaunch& launch) {
        KernelLaunch one = launch;
        one.blocks = 1;
        one.threads += 5;  // so that a step takes no number that the same thread has stored
        const auto arguments = *static_cast<const LineArguments<double>*>(launch.arguments);
        late.launch(stream, one, [=, &count](const LateGroup& group, std::byte*) {
          device_lanes::run_lines(Forgetful(group, forgotten, count), arguments);
        });
      });
  return {error, count};
}

Case case_of(LineForm form, std::int64_t points, bool backward = false) {
  Case c;
  c.work.form = form;
  c.work.points = points;
  c.work.backward = backward || form == LineForm::c2r;
  c.work.lines = c.lines;
  return c;
}

std::string text(const Case& c) {
  return fmt::format("form {} sum {} points {} backward {} precision {} lines {} {} {}",
                     static_cast<int>(c.work.form), static_cast<int>(c.work.sum), c.work.points,
                     c.work.backward, to_string(c.work.precision), c.lines, c.source_lines_first,
                     c.target_lines_first);
}

constexpr std::array all_sums{LineSum::dct1, LineSum::dct2, LineSum::dct3, LineSum::dct4,
                              LineSum::dst1, LineSum::dst2, LineSum::dst3, LineSum::dst4};

class LineKernelOn : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "late") return;
    for (const DriverEntry& entry : device_drivers())
      if (const auto why_not = entry.applies(); entry.name == GetParam() && why_not)
        GTEST_SKIP() << *why_not;
  }
  static double error_of(const Case& c) { return ::error_of(GetParam(), c); }
};

}  // namespace

INSTANTIATE_TEST_SUITE_P(All, LineKernelOn, testing::Values("late", "cuda", "hip"),
                         [](const auto& tested) { return tested.param; });

TEST_P(LineKernelOn, transforms_every_length) {
  for (std::int64_t n = 1; n <= 130; ++n)
    for (const bool backward : {false, true}) {
      const Case c = case_of(LineForm::c2c, n, backward);
      EXPECT_LT(error_of(c), 1e-14) << text(c);
    }
}

// Some of them with steps, some by Rader's and by Bluestein's convolution.
TEST_P(LineKernelOn, transforms_long_lines) {
  for (const std::int64_t n : {243, 254, 256, 257, 300, 302, 343, 346, 486, 500, 509, 512, 576, 578,
                               1001, 1009, 1024, 1331})
    for (const LineForm form : {LineForm::c2c, LineForm::r2c, LineForm::c2r}) {
      Case c = case_of(form, n);
      c.lines = 3;
      EXPECT_LT(error_of(c), 1e-14) << text(c);
    }
}

TEST_P(LineKernelOn, transforms_real_lines_of_even_and_odd_length) {
  for (std::int64_t n = 1; n <= 70; ++n)
    for (const LineForm form : {LineForm::r2c, LineForm::c2r}) {
      const Case c = case_of(form, n);
      EXPECT_LT(error_of(c), 1e-14) << text(c);
    }
}

// Two real lines at a time, or complex ones; of 19 points, 38 and 254 by convolutions.
TEST_P(LineKernelOn, sums_cosines_and_sines) {
  for (const LineSum sum : all_sums)
    for (const LineForm form : {LineForm::r2r, LineForm::c2c})
      for (const std::int64_t n : {1, 2, 3, 5, 6, 12, 15, 19, 30, 38, 127}) {
        if (n == 1 && sum == LineSum::dct1) continue;
        Case c = case_of(form, n);
        c.work.sum = sum;
        c.lines = 5;
        c.ends = {Basis::fourier, 0.5, 2, 3, 0.25};
        EXPECT_LT(error_of(c), 2e-14) << text(c);
        c.work.precision = Precision::single_precision;
        c.lines = 4;
        EXPECT_LT(error_of(c), 2e-6) << text(c);
      }
}

TEST_P(LineKernelOn, copies_where_nothing_is_transformed) {
  for (const LineForm form : {LineForm::c2c, LineForm::r2r}) {
    Case c = case_of(form, 17);
    c.work.is_copy = true;
    c.target_lines_first = false;
    EXPECT_EQ(error_of(c), 0) << text(c);
  }
}

// Random lengths, forms, precisions, layouts of both sides, pieces, factors and orders of threads.
TEST_P(LineKernelOn, takes_lines_wherever_they_lie) {
  std::mt19937 random(7);
  const auto below = [&](int limit) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(limit));
  };
  const auto cuts = [&](std::int64_t points) {
    std::vector<std::int64_t> all{0};
    while (all.back() < points)
      all.push_back(std::min(points, all.back() + 1 + below(static_cast<int>(points))));
    return all;
  };
  const std::array forms{LineForm::c2c, LineForm::r2c, LineForm::c2r, LineForm::r2r};
  const std::array lengths{2,  3,  6,  8,  10, 12, 15, 16, 17, 21, 25, 26, 31,
                           32, 33, 34, 40, 46, 47, 48, 60, 64, 74, 77, 96};
  for (unsigned i = 0; i < 250; ++i) {
    Case c =
        case_of(forms[static_cast<std::size_t>(below(4))],
                lengths[static_cast<std::size_t>(below(static_cast<int>(lengths.size())))], false);
    if (c.work.form == LineForm::r2r || (c.work.form == LineForm::c2c && below(2) == 0))
      c.work.sum = all_sums[static_cast<std::size_t>(below(8))];
    c.work.backward =
        c.work.form == LineForm::c2r || (c.work.form == LineForm::c2c && below(2) == 0);
    c.seed = i + 1;
    c.lines = 1 + below(70);
    c.work.lines = c.lines;
    c.work.precision = below(2) == 0 ? Precision::single_precision : Precision::double_precision;
    c.work.lines_first = below(2) == 0;
    c.source_lines_first = below(2) == 0;
    c.target_lines_first = below(2) == 0;
    c.source_cuts = cuts(source_points(c.work));
    c.target_cuts = cuts(target_points(c.work));
    c.factor = below(2) == 0 ? 1 : 0.375;
    c.shift = static_cast<std::size_t>(below(2));
    const double limit = c.work.precision == Precision::single_precision ? 2e-6 : 2e-14;
    EXPECT_LT(error_of(c), limit) << text(c) << " seed " << c.seed;
  }
}

// In one of four layouts: where the same thread takes a number in two phases, it needs no
// synchronization between these.
void expect_to_need_every_synchronization(Case c) {
  c.lines = 2 * line_launch(c.work, {48 * 1024, 128, 8})->shape.lines;
  c.target_lines_first = false;
  const int count = error_without(c, -1).second;
  EXPECT_LT(error_without(c, -1).first, 1e-14) << text(c);
  for (int forgotten = 0; forgotten + 1 < count; ++forgotten) {
    bool is_noticed = false;
    for (c.seed = 1; c.seed <= 40 && !is_noticed; ++c.seed) {
      c.source_lines_first = c.seed % 2 == 0;
      c.work.lines_first = c.seed % 4 < 2;
      const auto [error, all] = error_without(c, forgotten);
      EXPECT_EQ(all, count);
      is_noticed = !(error < 1e-14);
    }
    EXPECT_TRUE(is_noticed) << text(c) << ": synchronization " << forgotten << " of " << count;
  }
}

// The same threads in another order give other results where they race: no synchronization can be
// left out, but the last of all.
TEST(LineKernel, needs_every_synchronization) {
  for (const LineForm form : {LineForm::c2c, LineForm::r2c, LineForm::c2r})
    for (const std::int64_t points : {60, 45, 61, 62, 51})
      expect_to_need_every_synchronization(case_of(form, points));
}
TEST(LineKernel, needs_every_synchronization_of_sums) {
  for (const LineSum sum : all_sums) {
    Case c = case_of(LineForm::r2r, 34);
    c.work.sum = sum;
    expect_to_need_every_synchronization(c);
  }
}

TEST(LineShape, is_nothing_where_a_line_does_not_fit_a_block) {
  LineWork work;
  work.points = 4096;
  EXPECT_FALSE(line_launch(work, {48 * 1024, 512, 32}));
  EXPECT_TRUE(line_launch(work, {128 * 1024, 512, 32}));
  EXPECT_FALSE(line_launch(work, {128 * 1024, 128, 32}));
  EXPECT_EQ(longest_line(work, {48 * 1024, 512, 32}), 3072);
}

// Every length to 4096 fits what a device of NVIDIA has, whatever is computed.
TEST(LineShape, is_something_for_all_lines_that_fit) {
  const BlockLimits limits{227 * 1024, 512, 32};
  for (std::int64_t n = 1; n <= 4096; n += n < 300 ? 1 : 13) {
    LineWork work;
    work.points = n;
    EXPECT_TRUE(line_launch(work, limits)) << n;
    work.form = LineForm::r2c;
    EXPECT_TRUE(line_launch(work, limits)) << n;
    if (n > 2048) continue;
    work.form = LineForm::r2r;
    for (const LineSum sum : all_sums) {
      work.sum = sum;
      if (n > 1 || sum != LineSum::dct1) {
        EXPECT_TRUE(line_launch(work, limits)) << n << " " << static_cast<int>(sum);
      }
    }
  }
}

// What a planner asks, which knows no kernel.
TEST(LineShape, is_something_for_the_lines_that_a_block_holds_and_for_no_others) {
  for (const BlockLimits& limits :
       {BlockLimits{48 * 1024, 128, 8}, BlockLimits{227 * 1024, 512, 32}})
    for (const Precision precision : {Precision::double_precision, Precision::single_precision})
      for (std::int64_t n = 1; n <= 20'000; n += n < 1000 ? 1 : 61) {
        LineWork work;
        work.points = n;
        work.precision = precision;
        const std::int64_t bytes = precision == Precision::double_precision ? 16 : 8;
        EXPECT_EQ(block_holds(n, bytes, limits), line_launch(work, limits).has_value()) << n;
      }
}

// A thread holds one butterfly of 9 points, but five of 3.
TEST(LineShape, takes_two_steps_of_3_for_one_of_9_where_threads_run_out) {
  const auto radices_of = [](std::int64_t points) {
    LineWork work;
    work.points = points;
    std::vector<int> radices;
    const auto launch = line_launch(work, {227 * 1024, 512, 32});
    for (int i = 0; launch && i < launch->shape.steps; ++i)
      radices.push_back(launch->shape.step[static_cast<std::size_t>(i)].radix);
    return radices;
  };
  EXPECT_EQ(radices_of(4608), (std::vector{16, 9, 8, 4}));
  EXPECT_EQ(radices_of(5040), (std::vector{16, 7, 5, 3, 3}));
  EXPECT_EQ(radices_of(7776), std::vector<int>{});
}

// All points of a tile have a thread that holds them.
TEST(LineShape, has_threads_for_all_butterflies) {
  for (std::int64_t n = 2; n <= 2048; n += n < 256 ? 1 : 7)
    for (const std::int64_t lines : {1, 5, 64})
      for (const bool lines_first : {false, true}) {
        LineWork work;
        work.points = n;
        work.lines = lines;
        work.lines_first = lines_first;
        const BlockLimits limits{96 * 1024, 512, 32};
        const auto launch = line_launch(work, limits);
        if (!launch) continue;
        EXPECT_LE(launch->threads, limits.threads);
        EXPECT_LE(launch->shared_bytes, limits.shared_bytes);
        for (int i = 0; i < launch->shape.steps; ++i) {
          const LineStep& step = launch->shape.step[static_cast<std::size_t>(i)];
          EXPECT_GE(launch->threads * butterflies_of_thread(step.radix),
                    step.butterflies * launch->shape.lines)
              << n << " " << step.radix;
        }
      }
}

TEST(Divisor, divides_all_numbers_below_its_limit) {
  for (std::int64_t divisor = 1; divisor < 65536; divisor = divisor * 17 / 16 + 1)
    for (std::int64_t number = 0; number < 65536; number += 7) {
      const Divisor by(divisor);
      ASSERT_EQ(device_lanes::quotient(static_cast<std::int32_t>(number), by), number / divisor)
          << number << " / " << divisor;
    }
}
