// faces/reshape: every element is found where it must be, bit by bit, and back.

#include "weft/reshape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>

#include "support/asked.hpp"
#include "support/random_problem.hpp"
#include "support/subject.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

// Any bits, those of numbers that are none included; other ones for every byte of every element.
std::byte byte_of(std::int64_t element, std::int64_t byte) {
  std::uint64_t x = static_cast<std::uint64_t>(element * 64 + byte) + 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return static_cast<std::byte>(x >> 56);
}

// The bytes of the elements of `boxes`, one box after another.
std::vector<std::byte> bytes_of(const Extents& extents, const std::vector<Box>& boxes,
                                std::int64_t element_bytes) {
  std::vector<std::byte> bytes;
  for (const Box& box : boxes) {
    Dims at = box.lo;
    for (std::int64_t i = 0; i < box.volume(); ++i) {
      std::int64_t number = 0;
      for (int a = 0; a < extents.size(); ++a) number = number * extents[a] + at[a];
      for (std::int64_t b = 0; b < element_bytes; ++b) bytes.push_back(byte_of(number, b));
      for (int a = box.axes() - 1; a >= 0; --a) {
        if (++at[a] < box.hi[a]) break;
        at[a] = box.lo[a];
      }
    }
  }
  return bytes;
}

// Where the elements of this rank's boxes lie in its array, in the order of `bytes_of`.
std::vector<std::int64_t> places_of(const Distribution& distribution, std::int64_t elements) {
  std::vector<std::int64_t> places;
  if (!distribution.has_arrays()) {
    for (std::int64_t i = 0; i < elements; ++i) places.push_back(i);
    return places;
  }
  const UserArray& array = distribution.arrays_of_rank()[static_cast<std::size_t>(rank_of_world())];
  for (std::size_t i = 0; i < array.layouts.size(); ++i) {
    const Layout& layout = array.layouts[i];
    Dims at = Dims::filled(layout.extents.size(), 0);
    for (std::int64_t left = volume(layout.extents); left > 0; --left) {
      places.push_back(array.offsets[i] + layout.at(at));
      for (int a = at.size() - 1; a >= 0 && ++at[a] == layout.extents[a]; --a) at[a] = 0;
    }
  }
  return places;
}

// An array of elements whose bytes are `packed` where they lie, and `between` elsewhere.
std::vector<std::byte> spread(const std::vector<std::byte>& packed,
                              const std::vector<std::int64_t>& places, std::int64_t elements,
                              std::byte between) {
  std::vector<std::byte> array(static_cast<std::size_t>(elements), between);
  if (places.empty()) return array;
  const std::size_t size = packed.size() / places.size();
  for (std::size_t i = 0; i < places.size(); ++i)
    std::copy_n(
        packed.begin() + static_cast<std::ptrdiff_t>(i * size), size,
        array.begin() + static_cast<std::ptrdiff_t>(places[i]) * static_cast<std::ptrdiff_t>(size));
  return array;
}

// As each rank would pass its own.
Distribution of_this_rank(const Distribution& all) {
  const auto rank = static_cast<std::size_t>(rank_of_world());
  return Distribution::of_my_boxes(all.boxes_of_rank()[rank], all.arrays_of_rank()[rank]);
}

AnyReshape reshape_of(bool in_place, const Extents& extents, std::int64_t bytes,
                      const Distribution& from, const Distribution& to, const Options& options) {
  if (in_place) return AnyReshape::in_place(MPI_COMM_WORLD, extents, bytes, from, to, options);
  return {MPI_COMM_WORLD, extents, bytes, from, to, options};
}

// Both sides in one array, there and back. Bytes of neither side, and what is behind the array,
// stay as they are.
void expect_moved_in_place(AnyReshape& reshape, const std::vector<std::byte>& before,
                           const std::vector<std::byte>& after,
                           const std::vector<std::int64_t>& from_places,
                           const std::vector<std::int64_t>& to_places, std::int64_t element_bytes,
                           const std::string& trace) {
  const std::byte gap{0x6d};
  const std::int64_t elements = reshape.from_elements();
  EXPECT_EQ(elements, reshape.to_elements()) << trace;
  std::vector<std::byte> both = spread(before, from_places, elements * element_bytes + 8, gap);
  std::vector<bool> is_used(both.size(), false);
  for (const auto* places : {&from_places, &to_places})
    for (const std::int64_t place : *places)
      for (std::int64_t b = 0; b < element_bytes; ++b)
        is_used[static_cast<std::size_t>(place * element_bytes + b)] = true;
  const auto expect_in = [&](const std::vector<std::byte>& packed,
                             const std::vector<std::int64_t>& places) {
    for (std::size_t i = 0; i < packed.size(); ++i) {
      const auto size = static_cast<std::size_t>(element_bytes);
      const auto place = static_cast<std::size_t>(places[i / size]);
      ASSERT_EQ(both[place * size + i % size], packed[i]) << trace;
    }
    for (std::size_t i = 0; i < both.size(); ++i)
      if (!is_used[i]) {
        ASSERT_EQ(both[i], gap) << trace;
      }
  };
  reshape.forward(both.data(), both.data());
  expect_in(after, to_places);
  reshape.backward(both.data(), both.data());
  expect_in(before, from_places);
}

// Strides of their own, with room between elements that nobody may write to.
void expect_moved_in_strides(Dice& dice, const Extents& extents, std::int64_t element_bytes,
                             const Distribution& from, const Distribution& to,
                             const Options& options, const std::string& trace) {
  const bool by_rank = dice.chance(50), in_place = dice.chance(50);
  AnyReshape reshape = reshape_of(in_place, extents, element_bytes,
                                  by_rank && from.has_arrays() ? of_this_rank(from) : from,
                                  by_rank && to.has_arrays() ? of_this_rank(to) : to, options);
  const auto before = bytes_of(extents, reshape.from_boxes(), element_bytes);
  const auto after = bytes_of(extents, reshape.to_boxes(), element_bytes);
  const auto from_places = places_of(from, std::ssize(before) / element_bytes);
  const auto to_places = places_of(to, std::ssize(after) / element_bytes);
  if (in_place)
    expect_moved_in_place(reshape, before, after, from_places, to_places, element_bytes, trace);
  const auto source_bytes = reshape.from_elements() * element_bytes;
  const auto target_bytes = reshape.to_elements() * element_bytes;
  const std::byte gap{0x6d};
  const auto source = spread(before, from_places, source_bytes, gap);
  const auto wanted = spread(after, to_places, target_bytes, gap);
  std::vector<std::byte> target(wanted.size(), gap), back(source.size(), gap);
  reshape.forward(source.data(), target.data());
  EXPECT_EQ(target, wanted) << trace;
  reshape.backward(target.data(), back.data());
  EXPECT_EQ(back, source) << trace;
}

void expect_moved(const Extents& extents, std::int64_t element_bytes, const Distribution& from,
                  const Distribution& to, const Options& options, bool in_place,
                  const std::string& trace) {
  AnyReshape reshape = reshape_of(in_place, extents, element_bytes, from, to, options);
  const auto before = bytes_of(extents, reshape.from_boxes(), element_bytes);
  const auto after = bytes_of(extents, reshape.to_boxes(), element_bytes);
  const std::int64_t there = std::ssize(before) / element_bytes,
                     here = std::ssize(after) / element_bytes;
  ASSERT_EQ(in_place ? std::max(there, here) : there, reshape.from_elements()) << trace;
  ASSERT_EQ(in_place ? std::max(there, here) : here, reshape.to_elements()) << trace;
  if (in_place)
    expect_moved_in_place(reshape, before, after, places_of(from, there), places_of(to, here),
                          element_bytes, trace);
  std::vector<std::byte> source(before.size() + 16), target(after.size() + 16);
  std::copy(before.begin(), before.end(), source.begin());
  reshape.forward(source.data(), target.data());
  EXPECT_TRUE(std::equal(after.begin(), after.end(), target.begin())) << trace;
  std::fill(source.begin(), source.end(), std::byte{0x5a});
  reshape.backward(target.data(), source.data());
  EXPECT_TRUE(std::equal(before.begin(), before.end(), source.begin())) << trace;
  EXPECT_EQ(target.back(), std::byte{0}) << trace;
}

}  // namespace

TEST(Reshape, between_random_distributions) {
  using D = Distribution;
  const int pairs = ranks_of_world() > 4 ? 40 : 200;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(pairs); ++seed) {
    Dice dice(seed);
    const Extents extents = random_extents(dice, 600);
    auto bytes = dice.pick<std::int64_t>({4, 8, 16, 12, 24, 40});
    if (extents.size() == 8) bytes = std::min<std::int64_t>(bytes, 8);
    std::vector<D::Form> forms{D::slab, D::pencil, D::brick, D::boxes};
    const Distribution from = random_distribution(dice, extents, ranks_of_world(), forms);
    const Distribution to = random_distribution(dice, extents, ranks_of_world(), forms);
    Options options;
    options.effort = Effort::estimate;
    options.threads = static_cast<int>(dice.between(1, 2));
    // With so little of it, stores bypass the cache.
    if (dice.chance(50)) options.pretend.shared_cache_bytes = 4096;
    options.exchange = dice.pick<std::string>({"", "p2p", "alltoallv", "node", "alltoallw"});
    expect_moved(extents, bytes, from, to, options, dice.chance(50), fmt::format("seed {}", seed));
    if (HasFailure()) return;
  }
}

TEST(Reshape, between_strides_of_each_rank) {
  const int pairs = ranks_of_world() > 4 ? 40 : 200;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(pairs); ++seed) {
    Dice dice(seed + 1000);
    const Extents extents = random_extents(dice, 600);
    auto bytes = dice.pick<std::int64_t>({4, 8, 16, 12, 24, 40});
    if (extents.size() == 8) bytes = std::min<std::int64_t>(bytes, 8);
    const auto side = [&] {
      Distribution boxes = Distribution::of_boxes(random_tiling(dice, extents, ranks_of_world()));
      return dice.chance(75) ? scattered(dice, boxes, 1) : boxes;
    };
    const Distribution from = side(), to = side();
    Options options;
    options.effort = Effort::estimate;
    options.threads = static_cast<int>(dice.between(1, 2));
    options.exchange = dice.pick<std::string>({"", "p2p", "alltoallv", "node", "alltoallw"});
    expect_moved_in_strides(dice, extents, bytes, from, to, options, fmt::format("seed {}", seed));
    if (HasFailure()) return;
  }
}

// Strides that are too large for any memory once they count the numbers of an element.
TEST(Reshape, of_an_array_beyond_any_memory_is_refused) {
  const Extents extents{4, 4};
  Box mine{{0, 0}, {0, 0}};
  if (rank_of_world() == 0) mine = Box::whole(extents);
  UserArray array = UserArray::strided(mine, {std::int64_t{1} << 61, 1});
  try {
    AnyReshape(MPI_COMM_WORLD, extents, 40, Distribution::of_my_boxes({mine}, array),
               Distribution::slab);
    FAIL() << "no error";
  } catch (const Error& refused) {
    expect_error(refused.what(), "do not lie in its array");
  }
}

// What is no number, or next to nothing, counts as something else where it is multiplied.
TEST(Reshape, moves_the_bits_of_integers) {
  const Extents extents{24, 16, 20};
  for (const std::int64_t shared : {std::int64_t{1} << 24, std::int64_t{4096}}) {
    Options options;
    options.effort = Effort::estimate;
    options.pretend.shared_cache_bytes = shared;
    Reshape<std::uint32_t> reshape(MPI_COMM_WORLD, extents, Distribution::slab,
                                   {Distribution::brick, {1, 1, ranks_of_world()}}, options);
    std::vector<std::uint32_t> from(static_cast<std::size_t>(reshape.from_elements())),
        to(static_cast<std::size_t>(reshape.to_elements()));
    std::size_t i = 0;
    const auto visit = [&](const std::vector<Box>& boxes, const auto& body) {
      i = 0;
      for (const Box& box : boxes)
        for (auto x = box.lo[0]; x < box.hi[0]; ++x)
          for (auto y = box.lo[1]; y < box.hi[1]; ++y)
            for (auto z = box.lo[2]; z < box.hi[2]; ++z, ++i) {
              const auto number = static_cast<std::uint32_t>((x * 16 + y) * 20 + z);
              // Signalling ones that are no numbers, and denormal ones.
              body(number % 2 == 0 ? 0x7f800001U + number : number);
            }
    };
    visit(reshape.from_boxes(), [&](std::uint32_t bits) { from[i] = bits; });
    reshape.forward(from.data(), to.data());
    visit(reshape.to_boxes(), [&](std::uint32_t bits) { EXPECT_EQ(to[i], bits); });
  }
}

TEST(Reshape, of_structures_from_boxes_that_each_rank_gives) {
  struct Cell {
    float density, velocity[2];
    std::int32_t kind;
    double energy;
  };
  const Extents extents{6, 5};
  std::vector<Box> mine;
  for (std::int64_t row = rank_of_world(); row < 6; row += ranks_of_world())
    mine.push_back({{row, 0}, {row + 1, 5}});
  Options options;
  options.effort = Effort::estimate;
  Reshape<Cell> reshape(MPI_COMM_WORLD, extents, Distribution::of_my_boxes(mine),
                        Distribution::slab, options);
  EXPECT_EQ(reshape.from_boxes(), mine);
  std::vector<Cell> from(static_cast<std::size_t>(reshape.from_elements())),
      to(static_cast<std::size_t>(reshape.to_elements()));
  std::size_t i = 0;
  for (const Box& box : mine)
    for (std::int64_t column = 0; column < 5; ++column)
      from[i++] = {1, {2, 3}, static_cast<std::int32_t>(10 * box.lo[0] + column), -4.0};
  reshape.start_forward(from.data(), to.data()).wait();
  i = 0;
  for (const Box& box : reshape.to_boxes())
    for (std::int64_t row = box.lo[0]; row < box.hi[0]; ++row)
      for (std::int64_t column = box.lo[1]; column < box.hi[1]; ++column, ++i) {
        EXPECT_EQ(to[i].kind, 10 * row + column);
        EXPECT_EQ(to[i].energy, -4.0);
      }
}

// Elements of 8 bytes are one number, also where their addresses are those of numbers of 4.
TEST(Reshape, of_complex_numbers_on_as_many_axes_as_there_can_be) {
  const Extents extents{4, 1, 2, 1, 3, 1, 1, 5};
  Options options;
  options.effort = Effort::estimate;
  Reshape<std::complex<float>> reshape(MPI_COMM_WORLD, extents, Distribution::slab,
                                       Distribution::brick, options);
  const auto from = bytes_of(extents, reshape.from_boxes(), 8),
             expected = bytes_of(extents, reshape.to_boxes(), 8);
  // A place for elements at an address that 8 does not divide.
  std::vector<std::complex<float>> in(from.size() / 8 + 1), out(expected.size() / 8 + 1);
  auto* const first_in = reinterpret_cast<std::byte*>(in.data()) + 4;
  auto* const first_out = reinterpret_cast<std::byte*>(out.data()) + 4;
  std::ranges::copy(from, first_in);
  reshape.forward(reinterpret_cast<std::complex<float>*>(first_in),
                  reinterpret_cast<std::complex<float>*>(first_out));
  EXPECT_TRUE(std::ranges::equal(std::span(first_out, expected.size()), expected));
}

TEST(Reshape, that_cannot_be_is_refused) {
  const auto error = [](std::int64_t bytes, const Distribution& from, const Extents& extents) {
    try {
      AnyReshape(MPI_COMM_WORLD, extents, bytes, from, Distribution::slab);
    } catch (const Error& refused) {
      return std::string(refused.what());
    }
    return std::string("no error");
  };
  expect_error(error(6, Distribution::slab, {4, 4}), "elements of 6 bytes cannot be moved");
  expect_error(error(0, Distribution::slab, {4, 4}), "elements of 0 bytes cannot be moved");
  expect_error(error(8, Distribution::free, {4, 4}),
               "'free', which does not say where the data are");
  expect_error(error(24, Distribution::slab, {2, 1, 1, 1, 1, 1, 1, 2}),
               "need one axis more than 8");
  expect_error(error(24, Distribution::slab, {4, 0}), "axis 1 of 4x0 has 0 points");
  if (ranks_of_world() == 1) return;
  expect_error(error(rank_of_world() == 1 ? 24 : 40, Distribution::slab, {4, 4}), "ranks disagree");
  expect_error(error(rank_of_world() == 1 ? 7 : 8, Distribution::slab, {4, 4}),
               "elements of 7 bytes");
}

// A transpose, as FFTW's, and of as few rows as some ranks have none.
TEST(Reshape, in_place_transposes) {
  for (const Extents& extents : {Extents{7, 12}, Extents{2, 5}}) {
    const int axis_ranks = ranks_of_world();
    Distribution columns(Distribution::brick, {1, axis_ranks});
    columns.storage.order = {1, 0};
    for (const char* exchange : {"", "p2p", "alltoallw", "alltoallv", "node"}) {
      Options options = quick();
      options.exchange = exchange;
      auto reshape = Reshape<std::complex<float>>::in_place(MPI_COMM_WORLD, extents,
                                                            Distribution::slab, columns, options);
      std::vector<std::complex<float>> u(static_cast<std::size_t>(reshape.from_elements()));
      std::size_t i = 0;
      for (const Box& box : reshape.from_boxes())
        for (auto x = box.lo[0]; x < box.hi[0]; ++x)
          for (auto y = box.lo[1]; y < box.hi[1]; ++y) u[i++] = {float(x), float(y)};
      const std::vector before(u.begin(), u.begin() + static_cast<std::ptrdiff_t>(i));
      reshape.forward(u, u);
      i = 0;
      for (const Box& box : reshape.to_boxes())
        for (auto y = box.lo[1]; y < box.hi[1]; ++y)
          for (auto x = box.lo[0]; x < box.hi[0]; ++x)
            EXPECT_EQ(u[i++], std::complex(float(x), float(y))) << exchange;
      reshape.backward(u, u);
      EXPECT_TRUE(std::ranges::equal(before, std::span(u).first(before.size()))) << exchange;
    }
  }
}

TEST(Reshape, of_two_arrays_refuses_one) {
  Reshape<double> reshape(MPI_COMM_WORLD, {7, 12}, Distribution::slab,
                          {Distribution::brick, {1, ranks_of_world()}}, quick());
  std::vector<double> u(
      static_cast<std::size_t>(std::max(reshape.from_elements(), reshape.to_elements())));
  EXPECT_THAT(message_thrown_by([&] { reshape.forward(u, u); }),
              testing::HasSubstr("the plan is not in place"));
}
