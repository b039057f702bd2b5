// choose/turns: who runs in which turn, and which difference counts.

#include "weft/choose/turns.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

using namespace weft;

namespace {

// A candidate that took so many seconds turn by turn.
Times taken(std::initializer_list<double> turns) {
  Entrant one;
  int turn = 0;
  for (const double seconds : turns) one.add(turn++, std::array{seconds});
  return one.times;
}

// Candidates that take as long in every turn, and the order in which they ran: "ab ab a".
class Field {
 public:
  Field& with(std::size_t group, double seconds) {
    entrants_.emplace_back().group = group;
    seconds_.push_back(seconds);
    return *this;
  }
  // Time is up after so many runs.
  std::string run(int runs) {
    std::vector<Entrant*> all;
    for (Entrant& one : entrants_) all.push_back(&one);
    std::string order;
    int ran = 0, last_turn = 0;
    run_in_turns(
        all,
        [&](std::size_t number, int turn) {
          if (turn != last_turn) order += ' ';
          last_turn = turn;
          order += static_cast<char>('a' + static_cast<int>(number));
          ++ran;
          entrants_[number].add(turn, std::array{seconds_[number]});
        },
        [&] { return ran >= runs; });
    return order;
  }

 private:
  std::vector<Entrant> entrants_;
  std::vector<double> seconds_;
};

}  // namespace

TEST(Turns, a_difference_counts_from_a_twentieth_of_the_time_on) {
  const Times usual = taken({1, 1, 1});
  EXPECT_TRUE(is_faster(taken({0.94, 0.94, 0.94}), usual));
  EXPECT_FALSE(is_faster(taken({0.96, 0.96, 0.96}), usual));
  EXPECT_FALSE(is_faster(usual, usual));
}

TEST(Turns, a_difference_counts_if_it_is_there_in_most_turns) {
  const Times usual = taken({1, 1, 1, 1, 1});
  EXPECT_TRUE(is_faster(taken({0.5, 0.9, 0.9, 1.1, 1.1}), usual));
  EXPECT_FALSE(is_faster(taken({0.5, 0.9, 1.1, 1.1, 1.1}), usual));
}

TEST(Turns, one_run_tells_nothing) {
  EXPECT_FALSE(is_faster(taken({0.1}), taken({1, 1})));
  EXPECT_FALSE(is_faster(taken({0.1, 0.1}), taken({1})));
  EXPECT_FALSE(is_faster(taken({}), taken({1, 1})));
}

TEST(Turns, parts_of_a_run_are_as_fast_as_each_has_been) {
  Entrant one;
  one.add(0, std::array{3.0, 1.0});
  one.add(1, std::array{2.0, 4.0});
  EXPECT_EQ(one.times.seconds, 2 + 1);
  EXPECT_EQ(one.times.turns[0], 4);
  EXPECT_EQ(one.times.turns[1], 6);
  EXPECT_EQ(one.times.count(), 2);
}

TEST(Turns, keep_the_first_in_doubt_and_else_the_fastest) {
  const Times usual = taken({1, 1}), little = taken({0.97, 0.97}), much = taken({0.8, 0.8});
  EXPECT_EQ(kept(std::array{usual, little}), 0);
  EXPECT_EQ(kept(std::array{usual, little, much}), 2);
  EXPECT_EQ(kept(std::array{usual, much, taken({0.7, 0.7})}), 2);
  EXPECT_EQ(kept(std::array{taken({}), much}), 0) << "nothing to compare with";
}

TEST(Turns, keep_the_fastest_of_peers) {
  const Times usual = taken({1, 1}), little = taken({0.97, 0.97}), other = taken({0.94, 0.94});
  EXPECT_EQ(kept(std::array{usual, little, other}, 2), 1) << "0.94 is not below 0.95 of 0.97";
  EXPECT_EQ(kept(std::array{usual, little, taken({0.9, 0.9})}, 2), 2);
}

TEST(Turns, all_run_in_turn_until_there_is_no_time) {
  EXPECT_EQ(Field().with(0, 1).with(0, 1).run(1000), "ab ab ab ab ab ab ab ab");
  EXPECT_EQ(Field().with(0, 1).with(0, 1).run(5), "ab ab a");
}

TEST(Turns, the_hopeless_do_not_run_again) {
  EXPECT_EQ(Field().with(0, 1).with(0, 1.3).with(0, 1.2).run(1000), "abc acb acb ac ac ac ac ac");
  // Compared with those of their group only.
  EXPECT_EQ(Field().with(0, 1).with(1, 9).run(1000), "ab ab ab ab ab ab ab ab");
}

TEST(Turns, the_first_two_of_each_group_are_tried_in_any_case) {
  EXPECT_EQ(Field().with(0, 1).with(0, 1).with(0, 1).with(1, 1).with(1, 1).run(0), "abde adbe");
}
