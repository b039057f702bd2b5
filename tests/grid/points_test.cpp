// grid/points: points and rows of a share, one by one, with algorithms and with threads.

#include "weft/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "weft/error.hpp"

using namespace weft;

namespace {

static_assert(std::forward_iterator<Points<double>::Iterator>);
static_assert(std::forward_iterator<Points<const double>::Iterator>);
static_assert(std::random_access_iterator<Rows<double>::Iterator>);

// Three boxes, one of them empty, whose rows have room for one element more.
Share padded_share() {
  Share share;
  share.boxes = {{{0, 0, 0}, {2, 3, 2}}, {{4, 4, 4}, {4, 4, 4}}, {{5, 1, 7}, {6, 3, 10}}};
  share.array = UserArray::of(share.boxes, {}, 1, 4);
  share.extents = {6, 4, 10};
  share.elements = share.array.field_stride;
  return share;
}

double number(const Dims& at) { return static_cast<double>(100 * at[0] + 10 * at[1] + at[2]); }

}  // namespace

TEST(Points, go_box_by_box_with_the_last_axis_fastest) {
  const Share share = padded_share();
  std::vector<double> data(static_cast<std::size_t>(share.elements));
  std::string order;
  for (auto [at, x] : Points<double>(data.data(), share)) order += to_string(at) + " ";
  EXPECT_EQ(order,
            "0x0x0 0x0x1 0x1x0 0x1x1 0x2x0 0x2x1 1x0x0 1x0x1 1x1x0 1x1x1 1x2x0 1x2x1 "
            "5x1x7 5x1x8 5x1x9 5x2x7 5x2x8 5x2x9 ");
  EXPECT_EQ(Points<double>(data.data(), share).size(), 18);
}

TEST(UserArray, that_cannot_be_is_refused) {
  const std::vector<Box> boxes{{{0, 0}, {3, 4}}};
  EXPECT_THROW(UserArray::of(boxes, {}, 0), Error);
  EXPECT_THROW(UserArray::of(boxes, {{20}, {}, {}, false}, 1), Error);
  EXPECT_THROW(UserArray::of(boxes, {{1, 1}, {}, {}, false}, 1), Error);
  EXPECT_THROW(UserArray::of(boxes, {{}, {1}, {}, false}, 1), Error);
  EXPECT_NO_THROW(UserArray::of(boxes, {{1, 0}, {1, 1}, {0, 2}, false}, 2));
}

TEST(UserArray, with_strides_counts_its_elements) {
  const Box box{{0, 0}, {3, 4}};
  EXPECT_EQ(UserArray::strided(box, {4, 1}, 2).elements, 24);
  EXPECT_EQ(UserArray::strided(box, {1, 5}, 2, 100).elements, 100 + 2 + 15 + 1);
  EXPECT_EQ(UserArray::strided({{0, 0}, {0, 4}}, {4, 1}, 2, 100).elements, 0);
  constexpr std::int64_t huge = std::int64_t{1} << 62, most = 2 * (huge - 1) + 1;
  EXPECT_EQ(UserArray::strided({{0}, {2}}, {most - 1}).elements, most);
  // More than 64 bits can count: -1, which a plan refuses on all ranks.
  EXPECT_EQ(UserArray::strided({{0}, {2}}, {most}).elements, -1);
  EXPECT_EQ(UserArray::strided(box, {huge, 1}).elements, -1);
  EXPECT_EQ(UserArray::strided(box, {4, 1}, 9, huge).elements, -1);
}

TEST(UserArray, of_more_elements_than_64_bits_count_is_refused) {
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  const std::vector<Box> small{{{0, 0}, {3, 4}}}, wide{{{-huge, 0}, {huge, 4}}},
      empty{{{0, 0}, {0, 4}}};
  EXPECT_THROW(UserArray::of(small, {}, huge), Error);
  EXPECT_THROW(UserArray::of(small, Storage::with_ghosts({huge, huge}, {huge, huge}), 1), Error);
  EXPECT_THROW(UserArray::of(empty, Storage::with_ghosts({huge, huge}, {huge, huge}), 1), Error);
  EXPECT_THROW(UserArray::of(wide, {}, 1), Error);
  EXPECT_EQ(UserArray::of(empty, Storage::with_ghosts({1, 0}, {1, 0}), 3).elements, 24);
}

TEST(Points, of_an_empty_box_are_none) {
  Share share;
  share.boxes = {{{3, 3}, {3, 5}}};
  share.array = UserArray::of(share.boxes, {}, 1);
  double none = 0;
  const Points<double> points(&none, share);
  EXPECT_TRUE(points.begin() == points.end());
  EXPECT_TRUE(points.empty());
  EXPECT_TRUE(points.rows().empty());
}

TEST(Points, are_a_range_for_algorithms) {
  const Share share = padded_share();
  std::vector<double> data(static_cast<std::size_t>(share.elements));
  const Points<double> points(data.data(), share);
  std::for_each(points.begin(), points.end(), [](auto point) { point.value = number(point.at); });
  EXPECT_EQ(std::ranges::count_if(points, [](auto point) { return point.at[0] == 5; }), 6);
  const auto largest = std::ranges::max_element(
      points, [](const auto& a, const auto& b) { return a.value < b.value; });
  EXPECT_EQ((*largest).at, (Dims{5, 2, 9}));
  EXPECT_EQ(std::accumulate(points.begin(), points.end(), 0.0,
                            [](double sum, auto point) { return sum + point.value; }),
            12 * 60.5 + 6 * 523);
}

TEST(Rows, are_found_by_number_and_are_contiguous) {
  const Share share = padded_share();
  std::vector<double> data(static_cast<std::size_t>(share.elements));
  for (auto [at, x] : Points<double>(data.data(), share)) x = number(at);
  const auto rows = Points<double>(data.data(), share).rows();
  ASSERT_EQ(rows.size(), 8);
  EXPECT_EQ(rows[3].at, (Dims{1, 0, 0}));
  EXPECT_EQ(rows[7].at, (Dims{5, 2, 7}));
  EXPECT_EQ(rows[7].values.size(), 3U);
  EXPECT_EQ(rows[7].values.data(), data.data() + 28);
  EXPECT_EQ(rows.end() - rows.begin(), 8);
  EXPECT_EQ(rows.begin()[5].at, (Dims{1, 2, 0}));
  for (const auto& [at, values] : rows)
    for (std::size_t j = 0; j < values.size(); ++j)
      EXPECT_EQ(values[j], number(at) + static_cast<double>(j));
}

TEST(Rows, are_shared_out_among_threads) {
  const Share share = padded_share();
  std::vector<double> data(static_cast<std::size_t>(share.elements));
  const auto rows = Points<double>(data.data(), share).rows();
#pragma omp parallel for num_threads(3)
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    auto [at, values] = rows[i];
    for (double& x : values) {
      x += number(at);
      ++at.back();
    }
  }
  for (auto [at, x] : Points<double>(data.data(), share)) EXPECT_EQ(x, number(at)) << to_string(at);
}
