// memory/box_copy: loading and storing boxes against an element-by-element copy.

#include "weft/memory/box_copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <vector>

#include "support/decompositions.hpp"
#include "weft/layout.hpp"
#include "weft/memory/buffer.hpp"

using namespace weft;
using namespace weft::test;

namespace {

template <class T>
T value_at(std::size_t i);
template <>
float value_at<float>(std::size_t i) {
  return static_cast<float>(i % 977) + 0.5F;
}
template <>
double value_at<double>(std::size_t i) {
  return static_cast<double>(i % 977) + 0.5;
}
template <>
std::complex<float> value_at<std::complex<float>>(std::size_t i) {
  return {value_at<float>(i), -value_at<float>(i + 1)};
}
template <>
std::complex<double> value_at<std::complex<double>>(std::size_t i) {
  return {value_at<double>(i), -value_at<double>(i + 1)};
}

template <class T>
void copies_every_point(std::uint64_t seed) {
  Dice dice(seed);
  const Extents extents = random_extents(dice, 3000);
  std::vector<int> order;
  for (int a = 0; a < extents.size(); ++a) order.push_back(a);
  const auto random_layout = [&] {
    Extents room = extents;
    for (auto& n : room) n += dice.between(0, 2);
    if (dice.chance(50)) return Layout::padded(extents, room);
    dice.shuffle(order);
    return Layout::ordered(extents, order);
  };
  const Layout near = random_layout(), far = random_layout();
  const auto skew = static_cast<std::size_t>(dice.between(0, 5));
  std::vector<T> tile(static_cast<std::size_t>(near.span())),
      memory(static_cast<std::size_t>(far.span()) + skew, T(-1));
  for (std::size_t i = 0; i < tile.size(); ++i) tile[i] = value_at<T>(i);
  const BoxCopy copy(extents, near.strides, far.strides);
  auto* const there = reinterpret_cast<std::byte*>(memory.data() + skew);
  const double factor = dice.chance(50) ? 1 : 0.25;
  copy.store(reinterpret_cast<const std::byte*>(tile.data()), there, scalar_of<T>::value, factor,
             dice.chance(50));
  finish_streaming();
  std::vector<T> expected(memory.size(), T(-1));
  for_each_index(Box::whole(extents), [&](const Dims& at) {
    using Real = decltype(std::abs(T()));
    expected[skew + static_cast<std::size_t>(far.at(at))] =
        tile[static_cast<std::size_t>(near.at(at))] * static_cast<Real>(factor);
  });
  ASSERT_EQ(memory, expected) << "seed " << seed;
  if (factor == 1 && copy.has_rows()) {
    std::vector<T> copied(memory.size(), T(-1));
    copy.copy(reinterpret_cast<const std::byte*>(tile.data()),
              reinterpret_cast<std::byte*>(copied.data() + skew),
              static_cast<std::int64_t>(sizeof(T)), dice.chance(50));
    finish_streaming();
    ASSERT_EQ(copied, expected) << "seed " << seed;
  }
  std::vector<T> loaded(tile.size(), T(-2));
  copy.load(reinterpret_cast<std::byte*>(loaded.data()), there,
            static_cast<std::int64_t>(sizeof(T)));
  for_each_index(Box::whole(extents), [&](const Dims& at) {
    ASSERT_EQ(loaded[static_cast<std::size_t>(near.at(at))],
              memory[skew + static_cast<std::size_t>(far.at(at))]);
  });
}

}  // namespace

TEST(BoxCopy, stores_and_loads_every_point_and_nothing_else) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    copies_every_point<float>(seed);
    copies_every_point<double>(seed);
    copies_every_point<std::complex<float>>(seed);
    copies_every_point<std::complex<double>>(seed);
  }
}

// 8 planes of 5 rows of 48 points, without gaps inside a plane: two loops suffice, and every box
// that needs the same two loops compares equal.
TEST(BoxCopy, is_the_same_for_boxes_that_need_the_same_loops) {
  const BoxCopy copy({8, 5, 48}, {240, 48, 1}, {1000, 48, 1});
  EXPECT_EQ(copy, BoxCopy({8, 1, 240}, {240, 7, 1}, {1000, 7, 1}));
  EXPECT_EQ(copy, BoxCopy({240, 8}, {1, 240}, {1, 1000}));
  EXPECT_NE(copy, BoxCopy({8, 5, 48}, {240, 48, 1}, {1001, 48, 1}));
  EXPECT_EQ(BoxCopy({1, 1}, {1, 1}, {9, 9}), BoxCopy({1}, {4}, {4}));
}

TEST(BoxCopy, has_rows_where_the_last_axis_is_contiguous_on_both_sides) {
  EXPECT_TRUE(BoxCopy({8, 48}, {48, 1}, {100, 1}).has_rows());
  EXPECT_FALSE(BoxCopy({8, 48}, {1, 8}, {100, 1}).has_rows());
  EXPECT_FALSE(BoxCopy({8, 48}, {96, 2}, {96, 2}).has_rows());
}

// A row of 1000 doubles is longer than what is prefetched at a time.
TEST(BoxCopy, copies_long_rows_from_array_to_array) {
  const BoxCopy copy({3, 1000}, {1000, 1}, {1007, 1});
  std::vector<double> from(3000), to(3 * 1007, -1), expected = to;
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] = static_cast<double>(i);
    expected[i / 1000 * 1007 + i % 1000] = from[i];
  }
  for (const bool streaming : {false, true}) {
    std::ranges::fill(to, -1);
    copy.copy(reinterpret_cast<const std::byte*>(from.data()),
              reinterpret_cast<std::byte*>(to.data()), 8, streaming);
    finish_streaming();
    EXPECT_EQ(to, expected);
  }
}

// Two 64-byte lines at a time: a row of 48 complex doubles takes 6 steps.
TEST(BoxCopy, queues_a_prefetch_of_every_row_that_a_load_reads) {
  const auto steps = [](const BoxCopy& copy) {
    PrefetchQueue queue;
    alignas(64) const std::byte first{};  // nothing is read
    copy.queue_prefetch(&first, 16, queue);
    int count = 0;
    for (; !queue.empty(); ++count) queue.prefetch(2);
    return count;
  };
  EXPECT_EQ(steps(BoxCopy({48}, {1}, {1})), 6);
  EXPECT_EQ(steps(BoxCopy({5, 48}, {48, 1}, {100, 1})), 5 * 6);
  EXPECT_EQ(steps(BoxCopy({3, 5, 48}, {240, 48, 1}, {9000, 100, 1})), 3 * 5 * 6);
  EXPECT_EQ(steps(BoxCopy({5, 48}, {48, 1}, {1000, 2})), 0);  // strided elements are not prefetched
}

TEST(Buffer, is_zeroed_and_aligned_to_cache_lines) {
  for (std::int64_t bytes : {1, 64, 1000, 5 << 20})
    for (int threads : {1, 3}) {
      const Buffer buffer(bytes, threads);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
      for (std::int64_t i = 0; i < bytes; ++i) ASSERT_EQ(buffer.data()[i], std::byte{0});
    }
}

TEST(Buffer, of_too_many_bytes_is_an_error_with_its_size) {
  try {
    const Buffer buffer(std::int64_t{1} << 56);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "cannot allocate 72057594037927936 bytes");
  }
}
