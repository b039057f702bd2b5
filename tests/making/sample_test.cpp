// making/sample: a part of a sweep loads and stores the same tiles, in memory of its own.

#include "weft/making/sample.hpp"

#include <gtest/gtest.h>

#include <set>

#include "weft/making/maker.hpp"

namespace weft {
namespace {

// The sweeps of a transform there and back, of the last of `ranks` ranks.
std::vector<SweepProgram> sweeps_of(const Extents& extents, int ranks, const std::string& strategy,
                                    Kind kind, bool in_place) {
  Problem problem;
  problem.extents = extents;
  problem.kind = kind;
  problem.in_place = in_place;
  Machine machine;
  machine.ranks = ranks;
  machine.node_of_rank.assign(static_cast<std::size_t>(ranks), 0);
  machine.cache_bytes = std::int64_t{16} << 10;
  const Blueprint blueprint = Blueprint::of(validated(problem), parse_strategy(strategy), machine);
  std::vector<SweepProgram> sweeps;
  for (const bool forward : {true, false})
    for (const SweepProgram& sweep : make_program(blueprint, forward, ranks - 1).sweeps)
      sweeps.push_back(sweep);
  return sweeps;
}

std::vector<SweepProgram> many_sweeps() {
  std::vector<SweepProgram> all;
  for (const char* strategy :
       {"fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0",
        "fftw | from 2x1x1 | fft 2 | fft 1 | shared to 1x1x2 | fft 0 | copy"})
    for (const Kind kind : {Kind::c2c, Kind::r2c})
      for (const bool in_place : {false, true})
        for (SweepProgram& sweep : sweeps_of({32, 24, 20}, 2, strategy, kind, in_place))
          all.push_back(std::move(sweep));
  // Axes of one point, also after a cut, whose strides equal those of others.
  struct Shape {
    Extents extents;
    int ranks;
    const char* strategy;
  };
  for (const Shape& shape :
       {Shape{{12, 10, 8, 16}, 1, "fftw | from 1x1x1x1 | fft 3,2 | fft 1,0"},
        {{12, 10, 8, 16}, 2, "fftw | from 2x1x1x1 | fft 3,2 | shared to 1x1x1x2 | fft 1,0"},
        {{32, 1, 20}, 2, "fftw | from 2x1x1 | fft 2,1 | p2p to 1x1x2 | fft 0"},
        {{32, 24, 1}, 2, "fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0"},
        {{64, 20}, 4, "fftw | from 4x1 | fft 1 | p2p to 1x4 | fft 0"}})
    for (const Kind kind : {Kind::c2c, Kind::r2c})
      for (SweepProgram& sweep : sweeps_of(shape.extents, shape.ranks, shape.strategy, kind, false))
        all.push_back(std::move(sweep));
  return all;
}

// Every element that a patch holds is inside the memory of the sample, and in no other patch of the
// same side.
void expect_disjoint(const Patches& patches, std::int64_t element_bytes, const Sample& sample) {
  std::set<std::int64_t> seen;
  for (const Patch& patch : patches) {
    const std::int64_t begin = sample.buffers.at(static_cast<std::size_t>(patch.buffer));
    EXPECT_EQ(begin % 4096, 0);
    EXPECT_EQ(patch.message, Patch::resident);
    Dims at = patch.box.lo;
    while (true) {
      const std::int64_t element = begin / element_bytes + patch.at(at);
      EXPECT_TRUE(seen.insert(element).second);
      EXPECT_GE(element, 0);
      EXPECT_LE((element + 1) * element_bytes, sample.bytes);
      int a = at.size() - 1;
      for (; a >= 0; --a) {
        if (++at[a] < patch.box.hi[a]) break;
        at[a] = patch.box.lo[a];
      }
      if (a < 0) break;
    }
  }
}

std::int64_t points_in(const Patches& patches, const Box& box) {
  std::int64_t points = 0;
  for (const Patch& patch : patches) {
    const Box part = intersect(patch.box, box);
    if (!part.empty()) points += part.volume();
  }
  return points;
}

}  // namespace

TEST(Sample, holds_every_point_of_its_tiles_once) {
  for (const SweepProgram& sweep : many_sweeps())
    for (const std::int64_t least : {1, 20000, 1 << 30}) {
      const Sample sample = sample_of(sweep, least);
      ASSERT_EQ(sample.sweep.passes.size(), sweep.passes.size());
      for (const PassProgram& pass : sample.sweep.passes) {
        expect_disjoint(pass.spec.source, pass.spec.source_scalar().bytes(), sample);
        expect_disjoint(pass.spec.target, pass.spec.target_scalar().bytes(), sample);
        for (const Tile& tile : pass.tiles) {
          const bool forward = pass.spec.forward;
          EXPECT_EQ(points_in(pass.spec.source, forward ? tile.real : tile.spectral),
                    (forward ? tile.real : tile.spectral).volume());
          EXPECT_EQ(points_in(pass.spec.target, forward ? tile.spectral : tile.real),
                    (forward ? tile.spectral : tile.real).volume());
        }
      }
    }
}

// Both the first sample of a sweep and a sample of that.
TEST(Sample, takes_little_more_memory_than_its_points) {
  for (const SweepProgram& sweep : many_sweeps())
    for (const std::int64_t least : {20000, 1 << 30})
      for (const bool again : {false, true}) {
        Sample sample = sample_of(sweep, least);
        if (again) sample = sample_of(sample.sweep, least / 8);
        std::int64_t points = 0;
        std::size_t patches = 0;
        for (const PassProgram& pass : sample.sweep.passes)
          for (const Patches* side : {&pass.spec.source, &pass.spec.target}) {
            for (const Patch& patch : *side) points += patch.box.volume() * 16;
            patches += side->size();
          }
        EXPECT_LE(sample.bytes, 2 * points + 4096 * static_cast<std::int64_t>(patches));
        for (const PassProgram& pass : sample.sweep.passes) {
          expect_disjoint(pass.spec.source, pass.spec.source_scalar().bytes(), sample);
          expect_disjoint(pass.spec.target, pass.spec.target_scalar().bytes(), sample);
        }
      }
}

// The field is a part of an array of 1024x1024x1024 points, or of one whose rows are padded, or lie
// on pages of their own.
TEST(Sample, of_a_part_of_a_large_array_takes_a_few_times_the_memory_of_its_points) {
  constexpr std::int64_t bytes = std::int64_t{8} * 12 * 64 * 16;
  for (const Dims& strides : {Dims{1 << 20, 1 << 10, 1},
                              {1 << 20, (1 << 8) + 1, 1},
                              {(1 << 20) + 5, (1 << 12) + 3, 1},
                              {1, 1 << 10, 1 << 20},
                              {1 << 30, 1 << 21, 1 << 11}})
    for (const bool in_place : {false, true})
      for (SweepProgram& sweep :
           sweeps_of({8, 12, 64}, 1, "fftw | from 1x1x1 | fft 2,1 | fft 0", Kind::c2c, in_place)) {
        for (PassProgram& pass : sweep.passes)
          for (Patches* side : {&pass.spec.source, &pass.spec.target})
            for (Patch& patch : *side) patch.strides = strides;
        const Sample sample = sample_of(sweep, 1 << 30);
        EXPECT_LE(sample.bytes, 2 * 5 * bytes);
        for (const PassProgram& part : sample.sweep.passes)
          for (const Patches* side : {&part.spec.source, &part.spec.target}) {
            expect_disjoint(*side, 16, sample);
            for (const Patch& patch : *side)
              for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b)
                  EXPECT_EQ(patch.strides[a] < patch.strides[b], strides[a] < strides[b]);
          }
      }
}

TEST(Sample, is_as_small_as_it_may_be_and_at_most_the_whole) {
  for (const SweepProgram& sweep : many_sweeps()) {
    const Sample least = sample_of(sweep, 1), all = sample_of(sweep, 1 << 30);
    EXPECT_EQ(least.sweep.order.size(), 1);
    EXPECT_EQ(all.sweep.order, sweep.order);
    EXPECT_EQ(all.whole_bytes, all.bytes);
    EXPECT_GE(least.whole_bytes, least.bytes);
    for (std::size_t p = 0; p < sweep.passes.size(); ++p) {
      EXPECT_EQ(all.sweep.passes[p].tiles, sweep.passes[p].tiles);
      EXPECT_EQ(all.sweep.passes[p].first_tiles, sweep.passes[p].first_tiles);
    }
    ASSERT_EQ(all.sweep.items.size(), 1);
    EXPECT_EQ(all.sweep.items.front().last, all.sweep.order.size());
  }
}

// From one array to another of the same layout, so that what a transform does without copies it
// does in the sample, too.
TEST(Sample, has_points_at_the_same_place_in_two_buffers_where_the_sweep_has) {
  int found = 0;
  for (const SweepProgram& sweep :
       sweeps_of({8, 12, 64}, 1, "fftw | from 1x1x1 | fft 2,1 | fft 0", Kind::c2c, false)) {
    const PassSpec& whole = sweep.passes.front().spec;
    for (const std::int64_t least : {1, 1 << 30}) {
      const Sample sample = sample_of(sweep, least);
      const PassSpec& part = sample.sweep.passes.front().spec;
      EXPECT_EQ(part.source.front().buffer == part.target.front().buffer,
                whole.source.front().buffer == whole.target.front().buffer);
      EXPECT_EQ(part.source.front().offset, part.target.front().offset);
      EXPECT_EQ(part.source.front().strides, part.target.front().strides);
      found += whole.source.front().buffer != whole.target.front().buffer ? 1 : 0;
    }
  }
  EXPECT_EQ(found, 4);  // the first pass of each direction
}

// The user's two arrays are one, so what a pass stores goes to where it has loaded.
TEST(Sample, of_a_plan_in_place_has_one_array) {
  for (const char* strategy :
       {"fftw | from 1x1x1 | fft 2,1,0", "fftw | from 1x1x1 | fft 2,1 | fft 0"})
    for (const SweepProgram& sweep : sweeps_of({8, 12, 64}, 1, strategy, Kind::c2c, true)) {
      const Sample sample = sample_of(sweep, 1 << 30, /*in_place=*/true);
      for (const PassProgram& pass : sample.sweep.passes) {
        EXPECT_EQ(pass.spec.source.front().buffer, pass.spec.target.front().buffer);
        EXPECT_EQ(pass.spec.source.front().offset, pass.spec.target.front().offset);
      }
      EXPECT_EQ(sample.buffers.size(), 1);
      EXPECT_EQ(sample.bytes, 8 * 12 * 64 * 16);
    }
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const SweepProgram& sweep : sweeps_of(
             {32, 24, 20}, 2, "fftw | from 2x1x1 | fft 2,1 | p2p to 1x2x1 | fft 0", kind, true))
      for (const std::int64_t least : {1, 20000, 1 << 30}) {
        const Sample sample = sample_of(sweep, least, /*in_place=*/true);
        for (const PassProgram& pass : sample.sweep.passes) {
          expect_disjoint(pass.spec.source, pass.spec.source_scalar().bytes(), sample);
          expect_disjoint(pass.spec.target, pass.spec.target_scalar().bytes(), sample);
        }
      }
}

TEST(Sample, works_in_place_where_the_sweep_does) {
  for (const SweepProgram& sweep : many_sweeps()) {
    const Sample sample = sample_of(sweep, 1 << 30);
    for (std::size_t p = 1; p < sweep.passes.size(); ++p) {
      ASSERT_EQ(sample.sweep.passes[p].spec.source.size(),
                sample.sweep.passes[p - 1].spec.target.size());
      for (std::size_t i = 0; i < sample.sweep.passes[p].spec.source.size(); ++i)
        EXPECT_EQ(sample.sweep.passes[p].spec.source[i].offset,
                  sample.sweep.passes[p - 1].spec.target[i].offset);
    }
  }
}

}  // namespace weft
