// device/device_pass, device/library_pass: passes of programs on the late device, by weft's kernels
// or by a library, store what they store on the processor.

#include "weft/device/device_pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <variant>

#include "weft/compute/pass.hpp"
#include "weft/device/late.hpp"
#include "weft/device/late_fft.hpp"
#include "weft/device/library_pass.hpp"
#include "weft/making/maker.hpp"

using namespace weft;

namespace {

using Bytes = std::vector<std::byte>;

bool is_single(const SweepProgram& sweep) {
  return sweep.passes.front().spec.real_scalar.precision == Precision::single_precision;
}

Blueprint blueprint_of(Problem problem, const std::string& strategy, int ranks) {
  Machine machine;
  machine.ranks = ranks;
  for (int rank = 0; rank < ranks; ++rank) machine.node_of_rank.push_back(rank);
  return Blueprint::of(with_columns(validated(problem), ranks), parse_strategy(strategy), machine);
}

// The buffers that the passes of a sweep load from and store to, with random numbers in them, each
// as long as its patches.
std::vector<Bytes> buffers_of(const Program& program, const SweepProgram& sweep, unsigned seed) {
  std::vector<Bytes> buffers(program.buffers.size());
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    const auto number = static_cast<int>(b);
    std::int64_t bytes = 0;
    for (const PassProgram& pass : sweep.passes) {
      const PassSpec& spec = pass.spec;
      bytes = std::max({bytes, span_of(spec.source, number) * spec.source_scalar().bytes(),
                        span_of(spec.target, number) * spec.target_scalar().bytes()});
    }
    buffers[b].resize(static_cast<std::size_t>(bytes));
    const auto fill = [&](auto zero) {
      for (std::size_t at = 0; at + sizeof zero <= buffers[b].size(); at += sizeof zero) {
        const auto value = static_cast<decltype(zero)>(any(random));
        std::memcpy(buffers[b].data() + at, &value, sizeof value);
      }
    };
    if (is_single(sweep))
      fill(0.0F);
    else
      fill(0.0);
  }
  return buffers;
}

void run_on_processor(const SweepProgram& sweep, std::vector<Bytes>& buffers, double scale) {
  EngineSet engines("");
  Addresses addresses;
  for (Bytes& buffer : buffers) addresses.push_back(buffer.data());
  for (PassProgram program : sweep.passes) {
    program.spec.engines.clear();
    Pass pass(program, engines);
    const std::vector<TileMemory> memory = tile_memory(1, pass.group_bytes(), pass.tile_bytes());
    pass.make_kernels(memory, engines, Effort::estimate);
    pass.begin(scale);
    PrefetchQueue nothing;
    for (std::size_t tile = 0; tile < pass.tiles(); ++tile) pass.run(tile, 0, addresses, nothing);
  }
}

void run_on_device(const SweepProgram& sweep, std::vector<Bytes>& buffers, double scale,
                   unsigned seed) {
  LateDriver::Settings settings;
  settings.seed = seed;
  settings.lateness = seed % 2 == 0 ? Lateness::random : Lateness::laziest;
  LateDriver driver(settings);
  driver.give_fft(std::make_unique<LateFft>(driver, LateFft::Settings{}));
  DeviceQueue queue({&driver, 0});
  LibraryRoom room(queue, std::int64_t{1} << 30);
  std::vector<std::variant<DevicePass, LibraryPass>> passes;
  for (std::size_t p = 0; p < sweep.passes.size(); ++p)
    if (sweep.passes[p].spec.engines.empty())
      passes.emplace_back(DevicePass(sweep, p, driver));
    else
      passes.emplace_back(LibraryPass(sweep, p, buffers.size(), room));
  room.allocate();
  const DeviceStream stream = queue.stream();
  std::vector<DeviceBuffer> memory;
  std::vector<std::byte*> addresses;
  for (const Bytes& buffer : buffers) {
    const auto bytes = static_cast<std::int64_t>(buffer.size());
    memory.emplace_back(driver, bytes);
    driver.copy(stream, memory.back().data(), buffer.data(), bytes);
    addresses.push_back(static_cast<std::byte*>(memory.back().data()));
  }
  addresses.push_back(room.lines());
  const auto bytes = static_cast<std::int64_t>(addresses.size() * sizeof(std::byte*));
  const DeviceBuffer table(driver, bytes);
  driver.copy(stream, table.data(), addresses.data(), bytes);
  for (std::size_t item = 0; item < sweep.items.size(); ++item)
    for (const auto& pass : passes) {
      auto* const there = static_cast<std::byte* const*>(table.data());
      if (const auto* const by_library = std::get_if<LibraryPass>(&pass))
        by_library->enqueue(item, addresses, there, scale);
      else
        std::get<DevicePass>(pass).enqueue(stream, item, there, scale);
    }
  for (std::size_t b = 0; b < buffers.size(); ++b)
    driver.copy(stream, buffers[b].data(), memory[b].data(),
                static_cast<std::int64_t>(buffers[b].size()));
  driver.await(stream);
}

template <class Real>
double difference(const Bytes& a, const Bytes& b) {
  double largest = 0;
  for (std::size_t at = 0; at + sizeof(Real) <= a.size(); at += sizeof(Real)) {
    Real x, y;
    std::memcpy(&x, a.data() + at, sizeof x);
    std::memcpy(&y, b.data() + at, sizeof y);
    const double off = std::abs(static_cast<double>(x) - static_cast<double>(y));
    if (!std::isnan(largest) && !(off <= largest)) largest = off;
  }
  return largest;
}

bool only_copies(const SweepProgram& sweep) {
  return std::ranges::all_of(sweep.passes,
                             [](const PassProgram& pass) { return pass.spec.axes.empty(); });
}

// Compares all sweeps of the programs of all ranks in both directions. Returns how many passes
// there were.
int compare_all(const Problem& problem, const std::string& strategy, int ranks, double scale = 1) {
  const Blueprint blueprint = blueprint_of(problem, strategy, ranks);
  int compared = 0;
  for (const bool forward : {true, false})
    for (const Program& program : make_programs(blueprint, forward))
      for (const SweepProgram& sweep : program.sweeps) {
        compared += static_cast<int>(sweep.passes.size());
        const auto seed = static_cast<unsigned>(compared);
        std::vector<Bytes> on_processor = buffers_of(program, sweep, seed);
        // What is only copied may be integers, and numbers that are not.
        std::mt19937 random(seed);
        if (only_copies(sweep))
          for (Bytes& buffer : on_processor)
            std::ranges::generate(buffer, [&] { return static_cast<std::byte>(random()); });
        std::vector<Bytes> on_device = on_processor;
        run_on_processor(sweep, on_processor, scale);
        run_on_device(sweep, on_device, scale, seed);
        for (std::size_t b = 0; b < on_processor.size(); ++b) {
          if (only_copies(sweep)) {
            EXPECT_EQ(on_processor[b], on_device[b]) << strategy << " buffer " << b;
            continue;
          }
          const double off = is_single(sweep) ? difference<float>(on_processor[b], on_device[b])
                                              : difference<double>(on_processor[b], on_device[b]);
          EXPECT_LE(off, is_single(sweep) ? 1e-4 : 1e-12)
              << strategy << " rank " << program.rank << " forward " << forward << " buffer " << b;
        }
      }
  return compared;
}

Problem problem_of(const Extents& extents, Kind kind = Kind::c2c) {
  Problem problem;
  problem.extents = extents;
  problem.kind = kind;
  return problem;
}

}  // namespace

TEST(DevicePass, stores_what_a_pass_on_the_processor_stores) {
  EXPECT_GE(compare_all(problem_of({12, 10, 14}), "fftw | from 1x1x1 | fft 2 | fft 1 | fft 0", 1),
            6);
  EXPECT_GE(compare_all(problem_of({5, 9, 7}), "fftw | from 1x1x1 | fft 2 | fft 1 | fft 0", 1), 6);
}

TEST(DevicePass, loads_and_stores_messages_of_other_ranks) {
  EXPECT_GE(
      compare_all(problem_of({12, 10, 14}),
                  "fftw | from 2x2x1 | fft 2 | p2p to 2x1x2 | fft 1 | p2p to 1x2x2 | fft 0", 4),
      24);
  // Uneven boxes.
  EXPECT_GE(
      compare_all(problem_of({7, 11, 9}),
                  "fftw | from 3x2x1 | fft 2 | p2p to 3x1x2 | fft 1 | p2p to 1x3x2 | fft 0", 6),
      36);
}

TEST(DevicePass, halves_real_fields) {
  for (const std::int64_t last : {14, 15})
    EXPECT_GE(compare_all(problem_of({6, 10, last}, Kind::r2c),
                          "fftw | from 2x1x1 | fft 2 | fft 1 | p2p to 1x2x1 | fft 0", 2),
              8);
}

// What is known to be zero is not loaded, and what is not kept is not stored.
TEST(DevicePass, knows_what_is_kept_of_lines) {
  Problem modes = problem_of({12, 15, 16});
  modes.modes = {7, 10, 12};
  Problem half = problem_of({12, 15, 16}, Kind::r2c);
  half.modes = {8, 9, 11};
  Problem support = problem_of({12, 15, 16});
  support.support = {{3, 0, 1}, {9, 8, 9}};
  for (const Problem& problem : {modes, half, support})
    EXPECT_GE(compare_all(problem, "fftw | from 2x1x1 | fft 2 | fft 1 | p2p to 1x2x1 | fft 0", 2),
              8);
}

TEST(DevicePass, knows_batches_in_any_order_and_lines_alone) {
  Problem batch = problem_of({6, 10, 8});
  batch.batch = 3;
  EXPECT_GE(compare_all(batch, "fftw | from 1x1x1x1 | fft 3 | fft 2 | fft 1", 1), 6);
  EXPECT_GE(compare_all(problem_of({30}), "fftw | from 1 | fft 0", 1), 2);
}

TEST(DevicePass, takes_single_precision_and_the_scale_of_a_run) {
  Problem problem = problem_of({6, 10, 8});
  problem.precision = Precision::single_precision;
  EXPECT_GE(compare_all(problem, "fftw | from 1x1x1 | fft 2 | fft 1 | fft 0", 1, 0.25), 6);
}

// By convolutions.
TEST(DevicePass, transforms_lengths_with_large_prime_factors) {
  const std::string one_by_one = "fftw | from 2x1x1 | fft 2 | fft 1 | p2p to 1x2x1 | fft 0";
  EXPECT_GE(compare_all(problem_of({17, 34, 29}), one_by_one, 2), 8);
  EXPECT_GE(compare_all(problem_of({4, 23, 38}, Kind::r2c), one_by_one, 2), 8);
  EXPECT_GE(compare_all(problem_of({4, 6, 51}, Kind::r2c), one_by_one, 2), 8);
  Problem modes = problem_of({34, 5, 19});
  modes.modes = {9, 5, 8};
  EXPECT_GE(compare_all(modes, one_by_one, 2), 8);
}

// Of real fields two lines at a time; beside Fourier's axes, of complex numbers.
TEST(DevicePass, computes_all_bases) {
  const std::string one_by_one = "fftw | from 2x1x1 | fft 2 | fft 1 | p2p to 1x2x1 | fft 0";
  const std::array bases{Basis::dct1,      Basis::dct2,           Basis::dct3, Basis::dct4,
                         Basis::dst1,      Basis::dst2,           Basis::dst3, Basis::dst4,
                         Basis::chebyshev, Basis::chebyshev_gauss};
  for (const Basis basis : bases)
    for (const Norm norm : {Norm::backward, Norm::ortho}) {
      Problem problem = problem_of({7, 12, 5}, Kind::r2r);
      problem.bases = {basis, basis, basis};
      problem.norm = norm;
      EXPECT_GE(compare_all(problem, one_by_one, 2), 8);
      problem.kind = Kind::r2c;
      problem.bases = {basis, Basis::fourier, Basis::fourier};
      EXPECT_GE(compare_all(problem, one_by_one, 2), 8);
    }
}

TEST(DevicePass, keeps_some_coefficients_of_sums) {
  Problem problem = problem_of({12, 9, 10}, Kind::r2r);
  problem.bases = {Basis::dst2, Basis::chebyshev, Basis::dct2};
  problem.modes = {7, 5, 8};
  EXPECT_GE(compare_all(problem, "fftw | from 2x1x1 | fft 2 | fft 1 | p2p to 1x2x1 | fft 0", 2), 8);
}

// Boxes of several lengths, and lines that are longer than a tile.
TEST(DevicePass, copies) {
  Problem field = problem_of({3, 7, 300});
  field.output.form = Distribution::same;
  EXPECT_GE(
      compare_all(field,
                  "fftw | from 3x1x1 | fft 2 | fft 1 | p2p to 1x1x3 | fft 0 | p2p to output | copy",
                  3),
      18);
  Problem line = problem_of({2, 5000});
  line.axes = {0};
  EXPECT_GE(compare_all(line, "fftw | from 1x1 | copy | fft 0", 1), 2);
  Problem reals = problem_of({3, 7, 9}, Kind::r2r);
  reals.bases = {Basis::dct2, Basis::dct2, Basis::dct2};
  reals.output.form = Distribution::same;
  reals.precision = Precision::single_precision;
  EXPECT_GE(compare_all(reals,
                        "fftw | from 2x1x1 | fft 2 | fft 1 | p2p to 1x2x1 | fft 0 | p2p to output "
                        "| copy",
                        2),
            10);
}

// The four-step form: factors between the two halves of the axis.
TEST(DevicePass, transforms_axes_in_two_halves) {
  for (const Precision precision : {Precision::double_precision, Precision::single_precision}) {
    Problem line = problem_of({14 * 33});
    line.precision = precision;
    line.output.form = Distribution::same;
    EXPECT_GE(compare_all(line,
                          "fftw | split 0 as 33x14 | from input | alltoallw to 1x2 | fft 0 | "
                          "p2p to 2x1 | fft 1 | alltoallw to output",
                          2),
              8);
  }
  Problem field = problem_of({5, 6 * 7});
  field.output.form = Distribution::same;
  EXPECT_GE(compare_all(field,
                        "fftw | split 1 as 6x7 | from input | fft 1 | fft 2 | p2p to 1x2x1 "
                        "| fft 0 | p2p to output | copy",
                        2),
            8);
}

// Arrays that hold the waves of a sphere only, of several fields.
TEST(DevicePass, loads_and_stores_lists_of_waves) {
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const std::int64_t batch : {1, 3}) {
      Problem problem = problem_of({12, 10, 14}, kind);
      problem.cutoff = Cutoff::sphere(4);
      problem.batch = batch;
      const std::string one = batch == 1 ? "" : "1x";
      const int first = batch == 1 ? 0 : 1;
      EXPECT_GE(
          compare_all(problem,
                      fmt::format("fftw | from {0}2x1x1 | fft {3} | fft {2} | p2p to {0}1x2x1 "
                                  "| fft {1} | p2p to output | copy",
                                  one, first, first + 1, first + 2),
                      2),
          8);
    }
}

TEST(DevicePass, says_why_it_does_not_apply) {
  const Problem problem = problem_of({4, 34, 8});
  const Blueprint blueprint = blueprint_of(problem, "fftw | from 1x1x1 | fft 2,1 | fft 0", 1);
  const Program program = make_program(blueprint, true, 0);
  const PassSpec& two = program.sweeps.front().passes.front().spec;
  EXPECT_NE(DevicePass::why_not(two, {}).value_or("").find("one axis"), std::string::npos);
  const Blueprint single = blueprint_of(problem, "fftw | from 1x1x1 | fft 2 | fft 1 | fft 0", 1);
  // Bluestein's convolution of 34 points has 70.
  for (const SweepProgram& sweep : make_program(single, true, 0).sweeps)
    for (const PassProgram& pass : sweep.passes)
      EXPECT_EQ(
          DevicePass::why_not(pass.spec, {64 * 16, 512, 32}).value_or(""),
          pass.spec.axes.front() == 1
              ? "a line of 34 points does not fit a block of threads, which shares 1024 bytes "
                "and has at most 512 threads; the longest line of this kind that does has 64"
              : "");
}

// From array to array, and through the room: lines and planes whose points lie in other orders.
TEST(LibraryPass, stores_what_a_pass_on_the_processor_stores) {
  for (const char* const axes :
       {"fft 2,1,0 by latefft", "fft 2 by latefft | fft 1 by latefft | fft 0 by latefft",
        "fft 2,0 by latefft | fft 1", "fft 1 | fft 2,0 by latefft"})
    for (const Extents& extents : {Extents{6, 5, 7}, Extents{3, 4, 8}, Extents{1, 6, 5}}) {
      const std::string strategy = std::string("fftw | from 1x1x1 | ") + axes;
      EXPECT_GE(compare_all(problem_of(extents), strategy, 1, 0.75), 2);
      if (strategy.find("fft 1 | fft 2") == std::string::npos) {
        EXPECT_GE(compare_all(problem_of(extents, Kind::r2c), strategy, 1, -2), 2);
      }
    }
}

TEST(LibraryPass, knows_batches_precisions_and_norms) {
  Problem problem = problem_of({6, 5, 4}, Kind::r2c);
  problem.batch = 3;
  problem.precision = Precision::single_precision;
  for (const Norm norm : {Norm::backward, Norm::forward, Norm::none}) {
    problem.norm = norm;
    EXPECT_GE(compare_all(problem, "fftw | from 1x1x1x1 | fft 3,2,1 by latefft", 1), 2);
    EXPECT_GE(compare_all(problem, "fftw | from 1x1x1x1 | fft 3 | fft 2,1 by latefft", 1, 3), 2);
  }
}

// Uneven boxes, parts of patches, and more than one tile an item.
TEST(LibraryPass, loads_and_stores_messages_of_other_ranks) {
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    EXPECT_GE(
        compare_all(problem_of({7, 11, 9}, kind),
                    "fftw | from 3x1x1 | fft 2,1 by latefft | p2p to 1x3x1 | fft 0 by latefft", 3),
        12);
  EXPECT_GE(compare_all(problem_of({6, 8, 10}),
                        "fftw | from 2x2x1 | fft 2 by latefft | p2p to 2x1x2 in 2 | fft 1 by "
                        "latefft | p2p to 1x2x2 in 2 | fft 0",
                        4),
            24);
}

TEST(LibraryPass, says_why_it_does_not_apply) {
  const auto reason = [](const Problem& problem, const std::string& strategy) -> std::string {
    try {
      compare_all(problem, strategy, 1);
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  };
  Problem sums = problem_of({4, 5, 6}, Kind::r2r);
  sums.bases = {Basis::dct2, Basis::dct2, Basis::dct2};
  EXPECT_EQ(reason(sums, "fftw | from 1x1x1 | fft 2,1,0 by latefft"),
            "a library for devices cannot transform axes 2,1,0: not all of its transforms are "
            "Fourier transforms");
  EXPECT_EQ(reason(problem_of({2, 3, 2, 3}), "fftw | from 1x1x1x1 | fft 3,2,1,0 by latefft"),
            "a library for devices cannot transform axes 3,2,1,0: it has 4 axes, and libraries "
            "take 3");
  Problem modes = problem_of({4, 5, 6});
  modes.modes = {3, 4, 5};
  EXPECT_EQ(reason(modes, "fftw | from 1x1x1 | fft 2,1,0 by latefft"),
            "a library for devices cannot transform axes 2,1,0: not all points of its lines are "
            "stored");
}
