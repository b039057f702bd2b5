// grid/view: batches and split axes, point by point.

#include "weft/grid/view.hpp"

#include <gtest/gtest.h>

#include "support/decompositions.hpp"

using namespace weft;
using namespace weft::test;

TEST(View, a_batch_is_the_first_axis) {
  const View view{{4, 6}, 3, {}, SplitOrder::first_slow};
  EXPECT_EQ(view.inner_extents(), (Extents{3, 4, 6}));
  EXPECT_EQ(view.inner_axis(1), 2);
}

TEST(View, a_split_axis_is_two) {
  const View view{{5, 12, 7}, 1, AxisSplit{1, 3, 4}, SplitOrder::first_slow};
  EXPECT_EQ(view.inner_extents(), (Extents{5, 3, 4, 7}));
  EXPECT_EQ(view.inner_axis(1), 1);
  EXPECT_EQ(view.inner_axis(2), 3);
}

TEST(View, a_stretch_of_a_split_axis_has_a_ragged_head_and_tail) {
  const View view{{12}, 1, AxisSplit{0, 3, 4}, SplitOrder::first_slow};
  const auto inner =
      view.inner(Decomposition::of_boxes({12}, {{{{0}, {2}}, {{11}, {12}}}, {{{2}, {11}}}}, "it"));
  std::string text;
  for (const Box& box : inner.boxes(1)) text += to_string(box) + " ";
  EXPECT_EQ(text, "[0,1)x[2,4) [1,2)x[0,4) [2,3)x[0,3) ");
}

// Every point of the user's array is in one patch, at its own address.
TEST(View, patches_reach_every_element_of_the_users_arrays) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Dice dice(seed);
    const Extents extents = random_extents(dice, 300);
    View view{extents, dice.between(1, 3), {}, SplitOrder::first_slow};
    const int axis = static_cast<int>(dice.between(0, extents.size() - 1));
    for (std::int64_t d = 2; d < extents[axis]; ++d)
      if (extents[axis] % d == 0) view.split = AxisSplit{axis, d, extents[axis] / d};
    if (dice.chance(50)) view.order = SplitOrder::first_fast;
    const auto owned = random_tiling(dice, extents, 2)[0];
    std::vector<Layout> layouts;
    std::vector<std::int64_t> offsets;
    std::int64_t field = 0;
    for (const Box& box : owned) {
      layouts.push_back(Layout::packed(box.extents()));
      offsets.push_back(field);
      field += box.volume();
    }
    std::vector<int> reached(static_cast<std::size_t>(field * view.batch), 0);
    for (const Patch& patch : view.patches(owned, layouts, offsets, field, 0))
      for_each_index(patch.box, [&](Dims at) {
        const std::int64_t element = patch.at(at);
        ++reached[static_cast<std::size_t>(element)];
        // Back to the user's index.
        std::int64_t batch = 0;
        if (view.has_batch_axis()) {
          batch = at[0];
          at.erase(0);
        }
        if (view.split) {
          const auto& s = *view.split;
          at[s.axis] = view.order == SplitOrder::first_slow ? at[s.axis] * s.second + at[s.axis + 1]
                                                            : at[s.axis + 1] * s.first + at[s.axis];
          at.erase(s.axis + 1);
        }
        for (std::size_t i = 0; i < owned.size(); ++i)
          if (owned[i].contains(at)) {
            Dims within = at;
            for (int a = 0; a < at.size(); ++a) within[a] -= owned[i].lo[a];
            ASSERT_EQ(element, batch * field + offsets[i] + layouts[i].at(within)) << seed;
          }
      });
    for (int count : reached) ASSERT_EQ(count, 1) << "seed " << seed;
  }
}
