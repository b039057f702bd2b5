// grid/rank_list: printing and parsing.

#include "weft/grid/rank_list.hpp"

#include <gtest/gtest.h>

#include "support/dice.hpp"

using namespace weft;
using namespace weft::test;

namespace {

std::string error_in_list(const std::string& text) {
  try {
    parse_ranks(text, "the list");
  } catch (const Error& error) {
    return error.message();
  }
  return "none";
}

}  // namespace

TEST(RankList, consecutive_ranks_are_ranges) {
  EXPECT_EQ(to_text({0, 1, 2, 3, 0, 1, 2, 3}), "0-3,0-3");
  EXPECT_EQ(to_text({0, 2, 1, 3}), "0,2,1,3");
  EXPECT_EQ(to_text({4, 5}), "4,5");
  EXPECT_EQ(to_text({7}), "7");
  EXPECT_EQ(parse_ranks("5-70004", "it", most_owners).size(), 70000);
  EXPECT_EQ(parse_ranks("0-3,7,5-5", "it"), (std::vector<int>{0, 1, 2, 3, 7, 5}));
}

TEST(RankList, prints_and_parses) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Dice dice(seed);
    std::vector<int> ranks;
    for (auto left = dice.between(1, 20); left > 0; --left)
      ranks.push_back(dice.chance(60) && !ranks.empty() ? ranks.back() + 1
                                                        : static_cast<int>(dice.between(0, 12)));
    ASSERT_EQ(parse_ranks(to_text(ranks), "it"), ranks) << "seed " << seed;
  }
}

TEST(RankList, text_that_cannot_be_parsed_is_refused) {
  for (const char* text : {"", ",", "1,", "a", "1-", "-1", "1--2", "1 2", "1;2", "99999999999"})
    EXPECT_EQ(error_in_list(text), std::string("the list is '") + text + "', not a list of ranks");
  EXPECT_EQ(error_in_list("1,5-3"), "the list is '1,5-3', where 5-3 runs backwards");
  EXPECT_EQ(error_in_list("0-65536"), "the list is '0-65536', more than 65536 ranks");
  EXPECT_EQ(error_in_list("0-65535"), "none");
  EXPECT_EQ(error_in_list("0-65534,1,2"), "the list is '0-65534,1,2', more than 65536 ranks");
}

TEST(RankList, recognizes_consecutive_ranks) {
  EXPECT_TRUE(is_consecutive({0, 1, 2}, 3));
  EXPECT_FALSE(is_consecutive({0, 1, 2}, 4));
  EXPECT_FALSE(is_consecutive({1, 2, 3}, 3));
}
