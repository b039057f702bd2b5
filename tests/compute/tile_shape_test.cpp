// compute/tile_shape: tiles of three and more axes that exceed the cache are transformed in slabs.

#include "weft/compute/tile_shape.hpp"

#include <gtest/gtest.h>

#include <numeric>

using namespace weft;

namespace {

TileTransform transform_along(std::vector<int> axes, std::int64_t cached_points = 0) {
  TileTransform transform;
  transform.axes = std::move(axes);
  transform.real_scalar = transform.spectral_scalar = {Precision::double_precision, true};
  transform.groups.points = 100;
  transform.cached_points = cached_points;
  return transform;
}

TileShape shape_of(const TileTransform& transform, const Dims& extents) {
  return {transform, extents, extents};
}

std::int64_t points_of(const Lines& lines) {
  return std::accumulate(
      lines.loops.begin(), lines.loops.end(), lines.n,
      [](std::int64_t points, const Lines::Loop& loop) { return points * loop.count; });
}

std::int64_t points_along(const TileShape& shape, int axis) {
  std::int64_t points = 0;
  for (const TileShape::Axis& one : shape.axes())
    if (one.axis == axis) points += points_of(one.lines);
  return points;
}

}  // namespace

// Groups of 100 points are planes of 8x12: 96 points.
TEST(TileShape, transforms_a_slab_when_its_groups_are_loaded) {
  const TileShape shape = shape_of(transform_along({2, 1, 0}), {10, 8, 12});
  ASSERT_EQ(shape.loads().size(), 10);
  ASSERT_EQ(shape.axes().size(), 10);
  EXPECT_TRUE(shape.loads_slabs());
  for (std::size_t i = 0; i < 10; ++i) {
    const TileShape::Axis& slab = shape.axes()[i];
    EXPECT_EQ(slab.axis, 1);
    EXPECT_EQ(slab.loads, i + 1);
    EXPECT_EQ(slab.stores, 0);
    EXPECT_EQ(slab.tile_offset, shape.loads()[i].tile_offset);
    EXPECT_EQ(points_of(slab.lines), 8 * 12);
  }
}

TEST(TileShape, transforms_every_point_of_uneven_slabs_and_of_more_axes) {
  TileTransform transform = transform_along({3, 2, 1, 0});
  transform.groups.points = 3 * 5 * 6 * 7;
  const TileShape shape = shape_of(transform, {8, 5, 6, 7});  // slabs of 3, 3 and 2
  EXPECT_TRUE(shape.loads_slabs());
  ASSERT_EQ(shape.axes().size(), 6);
  EXPECT_EQ(points_of(shape.axes().front().lines), 3 * 5 * 6 * 7);
  EXPECT_EQ(points_of(shape.axes().back().lines), 2 * 5 * 6 * 7);
  for (const int axis : {2, 1}) EXPECT_EQ(points_along(shape, axis), 8 * 5 * 6 * 7);
  for (std::size_t i = 0; i < 6; i += 2) {
    EXPECT_EQ(shape.axes()[i].axis, 2);
    EXPECT_EQ(shape.axes()[i + 1].axis, 1);
    EXPECT_EQ(shape.axes()[i].tile_offset, shape.axes()[i + 1].tile_offset);
  }
}

// Backward, r2c ends with the halved axis: the first axis needs the whole tile.
TEST(TileShape, transforms_a_slab_before_its_groups_are_stored) {
  TileTransform transform = transform_along({0, 1, 2});
  transform.forward = false;
  transform.half_axis = 2;
  transform.real_scalar.is_complex = false;
  const TileShape shape(transform, {10, 8, 12}, {10, 8, 7});
  ASSERT_EQ(shape.stores().size(), 10);
  ASSERT_EQ(shape.axes().size(), 11);
  EXPECT_FALSE(shape.loads_slabs());
  EXPECT_EQ(shape.axes()[0].axis, 0);
  EXPECT_EQ(points_of(shape.axes()[0].lines), 10 * 8 * 7);
  for (std::size_t i = 0; i < 10; ++i) {
    const TileShape::Axis& slab = shape.axes()[i + 1];
    EXPECT_EQ(slab.axis, 1);
    EXPECT_EQ(slab.loads, 0);
    EXPECT_EQ(slab.stores, i);
    EXPECT_EQ(slab.tile_offset, shape.stores()[i].tile_offset);
    EXPECT_EQ(points_of(slab.lines), 8 * 7);
  }
}

TEST(TileShape, is_transformed_as_a_whole_where_it_has_no_slabs) {
  const auto axes_of = [](const TileTransform& transform, const Dims& extents) {
    const TileShape shape = shape_of(transform, extents);
    EXPECT_FALSE(shape.loads_slabs());
    for (const TileShape::Axis& axis : shape.axes()) EXPECT_EQ(axis.tile_offset, 0);
    return shape.axes().size();
  };
  EXPECT_EQ(axes_of(transform_along({2, 1, 0}, 100000), {10, 8, 12}), 1);  // fits the cache
  EXPECT_EQ(axes_of(transform_along({2, 0, 1}), {10, 8, 12}), 1);  // axis 1 is not the outermost
  EXPECT_EQ(axes_of(transform_along({2, 1}), {10, 8, 12}), 0);     // only groups
  TileTransform split = transform_along({2, 1, 0});
  split.twiddle_axis = 0;
  EXPECT_EQ(axes_of(split, {10, 8, 12}), 1);
  TileTransform together = transform_along({2, 1, 0});
  together.groups.points = 10000;  // one group, and so one slab
  EXPECT_EQ(axes_of(together, {10, 8, 12}), 1);
}

// A group has 100 points, unless its rows would then be shorter than the long run that it may have.
// The length of the axis that is transformed last decides how long that is.
TEST(TileShape, has_groups_of_long_rows_as_long_as_they_are_small_enough) {
  const auto columns = [](const TileTransform& transform, const Dims& extents) {
    const TileShape shape = shape_of(transform, extents);
    EXPECT_FALSE(shape.stores().empty());
    std::int64_t all = 0;
    for (const TileShape::Group& group : shape.stores()) all += group.box.volume();
    EXPECT_EQ(all, volume(extents));
    return shape.stores().front().box.extent(extents.size() - 1);
  };
  TileTransform transform = transform_along({2, 1});
  EXPECT_EQ(columns(transform, {1, 20, 256}), 8);  // the fewest
  EXPECT_EQ(columns(transform, {1, 5, 256}), 20);  // 100 points
  transform.groups.long_run = 64;
  transform.groups.long_run_points = 20 * 64;
  EXPECT_EQ(columns(transform, {1, 20, 256}), 64);
  EXPECT_EQ(columns(transform, {1, 21, 256}), 32);
  EXPECT_EQ(columns(transform, {1, 41, 256}), 16);
  EXPECT_EQ(columns(transform, {1, 161, 256}), 8);
  EXPECT_EQ(columns(transform, {1, 20, 40}), 40);
  // Lines of one point are not transformed, so that the groups are those of axis 1.
  EXPECT_EQ(columns(transform_along({2, 1, 0}), {1, 20, 256}), 8);
  transform.axes = {2, 1, 0};
  EXPECT_EQ(columns(transform, {1, 20, 256}), 64);
  EXPECT_EQ(columns(transform, {1, 161, 256}), 8);
}
