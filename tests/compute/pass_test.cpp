// compute/pass: transforms read arrays and write to them without copies, with the same bits.

#include "weft/compute/pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <string>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/lanes.hpp"
#include "weft/making/maker.hpp"

using namespace weft;

namespace {

using Complex = std::complex<double>;

Blueprint blueprint_of(const std::string& strategy, const Extents& extents,
                       const std::vector<int>& axes) {
  Problem problem;
  problem.extents = extents;
  problem.axes = axes;
  Machine machine;
  machine.ranks = 1;
  machine.node_of_rank = {0};
  return Blueprint::of(validated(problem), parse_strategy(strategy), machine);
}

// What run_pass() gives a pass to load.
std::vector<Complex> values(std::size_t points) {
  std::vector<Complex> all;
  for (std::size_t i = 0; i < points; ++i)
    all.emplace_back(static_cast<double>(i % 7) - 3, static_cast<double>(i % 11));
  return all;
}

// What became of an array, and whether the pass has written to the memory of its tiles and groups.
struct Ran {
  std::vector<Complex> result;
  bool used_tile, used_group;
};

// Runs the only pass of a strategy by one rank from an array to another one, or in place. The
// arrays begin `shift` bytes after a cache line.
Ran run_pass(const std::string& pass, bool in_place, std::size_t shift, const char* engine,
             const Extents& extents = {24, 24, 24}, double factor = 1) {
  const auto all_points = static_cast<std::size_t>(extents[0] * extents[1] * extents[2]);
  const Strategy strategy = parse_strategy("fftw | from 1x1x1 | " + pass);
  std::vector<int> axes = std::get<PassStage>(strategy.stages.front()).axes;
  std::ranges::sort(axes);
  const Blueprint blueprint = blueprint_of(to_string(strategy), extents, axes);
  Program program = make_program(blueprint, true, 0);
  program.sweeps.front().passes.front().spec.factor = factor;
  EngineSet engines(engine);
  Pass made(program.sweeps.front().passes.front(), engines);
  const std::vector<TileMemory> memory = tile_memory(1, made.group_bytes(), made.tile_bytes());
  made.make_kernels(memory, engines, Effort::estimate);
  const auto all = static_cast<std::size_t>(memory.front().bytes());
  constexpr std::byte fill{0xa5};
  std::fill_n(memory.front().group(), all, fill);

  Buffer arrays(static_cast<std::int64_t>(2 * all_points * sizeof(Complex) + 128), 1);
  std::byte* const source = arrays.data() + shift;
  std::byte* const target = in_place ? source : source + all_points * sizeof(Complex);
  std::memcpy(source, values(all_points).data(), all_points * sizeof(Complex));
  PrefetchQueue nothing;
  for (std::size_t tile = 0; tile < made.tiles(); ++tile)
    made.run(tile, 0, {source, target}, nothing);

  Ran ran{std::vector<Complex>(all_points), false, false};
  std::memcpy(static_cast<void*>(ran.result.data()), target, all_points * sizeof(Complex));
  const std::byte *const group = memory.front().group(), *const of_tile = memory.front().tile();
  const auto is_used = [](std::byte byte) { return byte != fill; };
  ran.used_group = std::any_of(group, of_tile, is_used);
  ran.used_tile = std::any_of(of_tile, group + all, is_used);
  return ran;
}

// Whether FFTW, as this build has it, runs from and to arrays that begin `shift` bytes later than
// those it made a plan for.
bool suits_fftw_after(std::size_t shift) {
  Lines lines;
  lines.n = 24;
  std::vector<Complex> in(25), out(25);
  const auto kernel = fftw_entry().make()->make(lines, in.data(), out.data(), Effort::estimate);
  const auto later = [&](std::vector<Complex>& points) {
    return reinterpret_cast<std::byte*>(points.data()) + shift;
  };
  return kernel->suits(later(in), later(out));
}

class DirectPass : public testing::Test {
 protected:
  void SetUp() override {
    if (no_lanes(128)) GTEST_SKIP() << *no_lanes(128);
  }
  const char* const engine = "weft128";
};

}  // namespace

TEST(Pass, without_axes_copies_from_array_to_array) {
  for (const std::size_t shift : {0, 8, 16}) {
    const Ran ran = run_pass("copy", false, shift, "fftw");
    EXPECT_FALSE(ran.used_tile);
    EXPECT_EQ(ran.result, values(24 * 24 * 24));
  }
}

TEST_F(DirectPass, along_one_axis_needs_no_tile) {
  for (const bool in_place : {false, true}) {
    const Ran buffered = run_pass("fft 0 buffered-loads buffered-stores", in_place, 0, engine);
    EXPECT_TRUE(buffered.used_tile);
    for (const std::size_t shift : {0, 16, 8}) {
      const Ran direct = run_pass("fft 0 direct-loads direct-stores", in_place, shift, engine);
      EXPECT_FALSE(direct.used_tile);
      EXPECT_FALSE(direct.used_group);
      EXPECT_EQ(direct.result, buffered.result);
      for (const char* const one :
           {"direct-loads buffered-stores", "buffered-loads direct-stores"}) {
        const Ran half = run_pass(std::string("fft 0 ") + one, in_place, shift, engine);
        EXPECT_TRUE(half.used_tile);
        EXPECT_EQ(half.result, buffered.result);
      }
    }
  }
}

// Lines along the middle axis are in two loops, of which the inner one does not fill its vectors.
TEST_F(DirectPass, may_be_in_place_with_incomplete_vectors) {
  for (const Extents& extents : std::vector<Extents>{{3, 24, 7}, {2, 21, 3}, {5, 27, 9}})
    for (const bool in_place : {false, true}) {
      const Ran buffered =
          run_pass("fft 1 buffered-loads buffered-stores", in_place, 0, engine, extents);
      const Ran direct = run_pass("fft 1 direct-loads direct-stores", in_place, 8, engine, extents);
      EXPECT_FALSE(direct.used_tile);
      EXPECT_EQ(direct.result, buffered.result);
    }
}

TEST_F(DirectPass, along_two_axes_needs_no_groups) {
  const Ran buffered = run_pass("fft 2,1 buffered-loads buffered-stores", false, 0, engine);
  EXPECT_TRUE(buffered.used_group);
  const Ran direct = run_pass("fft 2,1 direct-loads direct-stores", false, 0, engine);
  EXPECT_TRUE(direct.used_tile);
  EXPECT_FALSE(direct.used_group);
  EXPECT_EQ(direct.result, buffered.result);
}

// Kernels multiply by powers of two; other factors would change bits, so they need a copy.
TEST_F(DirectPass, needs_no_copy_for_a_factor_of_two) {
  for (const std::string axes : {"fft 0", "fft 1", "fft 2,1", "fft 0,2"})
    for (const double factor : {1.0 / 64, 8.0, 1.0 / 24}) {
      const Ran buffered = run_pass(axes + " buffered-loads buffered-stores", false, 0, engine,
                                    {24, 24, 24}, factor);
      const Ran direct =
          run_pass(axes + " direct-loads direct-stores", false, 0, engine, {24, 24, 24}, factor);
      EXPECT_EQ(direct.result, buffered.result) << axes << " times " << factor;
      if (axes == "fft 0,2") continue;  // whose last axis is FFTW's
      const bool is_copied = axes == "fft 2,1" ? direct.used_group : direct.used_tile;
      EXPECT_EQ(is_copied, factor == 1.0 / 24) << axes << " times " << factor;
    }
}

// A plan of FFTW is for one alignment of arrays: where these have another one, lines go through the
// buffer.
TEST_F(DirectPass, gives_the_same_bits_wherever_arrays_begin) {
  for (const EngineEntry& entry : engines()) {
    if (entry.applies()) continue;
    const char* const name = entry.name.c_str();
    const Ran buffered = run_pass("fft 2,1 buffered-loads buffered-stores", false, 0, name);
    for (const std::size_t shift : {0, 8, 16, 24, 48})
      EXPECT_EQ(run_pass("fft 2,1 direct-loads direct-stores", false, shift, name).result,
                buffered.result)
          << name << ", " << shift;
  }
  EXPECT_FALSE(run_pass("fft 2 direct-loads direct-stores", false, 16, "fftw").used_group);
  EXPECT_EQ(run_pass("fft 2 direct-loads direct-stores", false, 8, "fftw").used_group,
            !suits_fftw_after(8));
}

// Columns of FFTW are planned for the strides of the tile, which those of an array are not.
TEST_F(DirectPass, leaves_what_other_code_would_compute) {
  EXPECT_TRUE(run_pass("fft 0 direct-loads direct-stores", false, 0, "fftw").used_tile);
  EXPECT_TRUE(run_pass("fft 2,1 direct-stores", false, 0, "fftw").used_group);
}

TEST_F(DirectPass, leaves_stores_past_the_caches) {
  EXPECT_TRUE(run_pass("fft 2,1 streamed direct-loads direct-stores", false, 0, engine).used_group);
}
