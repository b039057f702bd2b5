// run/schedule: items run once each, when what they need has happened, the most urgent first.

#include "weft/run/schedule.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace weft {
namespace {

using testing::ElementsAre;

/// Runs all that is ready, and what becomes so: the order.
std::vector<int> run_ready(Schedule& schedule) {
  std::vector<int> order;
  for (int item = schedule.take(); item >= 0; item = schedule.take()) {
    order.push_back(item);
    schedule.done(item);
  }
  return order;
}

int draw(std::mt19937& dice, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(dice);
}

}  // namespace

TEST(Schedule, that_is_empty_is_done) {
  Schedule schedule;
  schedule.begin();
  EXPECT_TRUE(schedule.is_done());
  EXPECT_EQ(schedule.take(), -1);
  EXPECT_EQ(schedule.urgency(), Schedule::none);
}

TEST(Schedule, takes_the_most_urgent_and_of_equals_the_first_added) {
  Schedule schedule;
  for (int urgency : {2, 0, 1, 0, 2}) schedule.add_item(urgency);
  schedule.begin();
  EXPECT_EQ(schedule.urgency(), 0);
  EXPECT_THAT(run_ready(schedule), ElementsAre(1, 3, 2, 0, 4));
  EXPECT_TRUE(schedule.is_done());
}

TEST(Schedule, an_item_that_becomes_ready_goes_before_those_less_urgent) {
  Schedule schedule;
  const int arrived = schedule.add_event(1);
  for (int urgency : {1, 1, 0}) schedule.add_item(urgency);
  schedule.needs(2, arrived);
  schedule.begin();
  EXPECT_EQ(schedule.take(), 0);
  schedule.happens(arrived);
  EXPECT_EQ(schedule.urgency(), 0);
  EXPECT_EQ(schedule.take(), 2);
  EXPECT_EQ(schedule.take(), 1);
}

TEST(Schedule, an_item_waits_for_all_it_needs) {
  Schedule schedule;
  const int item = schedule.add_item(0);
  const int here = schedule.add_event(1), there = schedule.add_event(1);
  schedule.needs(item, here);
  schedule.needs(item, there);
  schedule.begin();
  schedule.happens(there);
  EXPECT_EQ(schedule.take(), -1);
  schedule.happens(here);
  EXPECT_EQ(schedule.take(), item);
}

TEST(Schedule, an_event_happens_when_all_its_causes_have) {
  Schedule schedule;
  const int first = schedule.add_item(0), second = schedule.add_item(0);
  const int event = schedule.add_event(2);  // and two items
  const int last = schedule.add_item(0);
  schedule.causes(first, event);
  schedule.causes(second, event);
  schedule.needs(last, event);
  schedule.begin();
  EXPECT_THAT(run_ready(schedule), ElementsAre(first, second));
  schedule.happens(event);
  EXPECT_FALSE(schedule.has_happened(event));
  EXPECT_FALSE(schedule.is_done());
  schedule.happens(event);
  EXPECT_TRUE(schedule.has_happened(event));
  EXPECT_THAT(run_ready(schedule), ElementsAre(last));
  EXPECT_TRUE(schedule.is_done());
}

TEST(Schedule, an_item_that_is_taken_but_not_done_brings_nothing_about) {
  Schedule schedule;
  const int item = schedule.add_item(0);
  const int event = schedule.add_event();
  schedule.causes(item, event);
  schedule.begin();
  EXPECT_EQ(schedule.take(), item);
  EXPECT_FALSE(schedule.has_happened(event));
  EXPECT_FALSE(schedule.is_done());
  schedule.done(item);
  EXPECT_TRUE(schedule.has_happened(event));
}

TEST(Schedule, events_bring_events_about_whatever_their_order) {
  Schedule schedule;
  const int third = schedule.add_event(), first = schedule.add_event(1),
            second = schedule.add_event();
  const int item = schedule.add_item(0);
  schedule.causes_event(first, second);
  schedule.causes_event(second, third);
  schedule.needs(item, third);
  schedule.begin();
  EXPECT_EQ(schedule.take(), -1);
  schedule.happens(first);
  EXPECT_TRUE(schedule.has_happened(third));
  EXPECT_EQ(schedule.take(), item);
}

TEST(Schedule, what_has_no_cause_has_happened_at_the_beginning_with_all_that_follows) {
  for (const bool is_backward : {false, true}) {
    Schedule schedule;
    const int a = schedule.add_event(), b = schedule.add_event(), c = schedule.add_event();
    const int first = is_backward ? c : a, last = is_backward ? a : c;
    schedule.causes_event(first, b);
    schedule.causes_event(b, last);
    schedule.causes_event(first, last);
    const int item = schedule.add_item(0);
    schedule.needs(item, last);
    schedule.needs(item, first);
    schedule.begin();
    EXPECT_TRUE(schedule.has_happened(last));
    EXPECT_THAT(run_ready(schedule), ElementsAre(item));
    EXPECT_TRUE(schedule.is_done());
  }
}

TEST(Schedule, begins_again_wherever_it_was) {
  Schedule schedule;
  const int arrived = schedule.add_event(1), passed = schedule.add_event();
  for (int urgency : {1, 0, 0}) schedule.add_item(urgency);
  schedule.needs(1, arrived);
  schedule.causes(0, passed);
  schedule.needs(2, passed);
  for (int run = 0; run < 3; ++run) {
    schedule.begin();
    EXPECT_FALSE(schedule.has_happened(arrived));
    EXPECT_THAT(run_ready(schedule), ElementsAre(0, 2));
    if (run == 1) continue;  // an error ended it
    schedule.happens(arrived);
    EXPECT_THAT(run_ready(schedule), ElementsAre(1));
    EXPECT_TRUE(schedule.is_done());
  }
}

namespace {

/// The same by definition: everything is looked at again after every step.
struct Model {
  struct Item {
    int urgency;
    std::vector<int> needs, causes;
    bool is_taken = false, is_done = false;
  };
  struct Event {
    int outside;               // how often it is yet to be told
    std::vector<int> earlier;  // events
  };
  std::vector<Item> items;
  std::vector<Event> events;

  bool has_happened(int event) const {
    const Event& one = events[static_cast<std::size_t>(event)];
    return one.outside == 0 &&
           std::all_of(one.earlier.begin(), one.earlier.end(),
                       [&](int earlier) { return has_happened(earlier); }) &&
           std::all_of(items.begin(), items.end(), [&](const Item& item) {
             return item.is_done || std::count(item.causes.begin(), item.causes.end(), event) == 0;
           });
  }
  int next() const {
    int best = -1;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto is_there = [&](int event) { return has_happened(event); };
      if (items[i].is_taken || !std::all_of(items[i].needs.begin(), items[i].needs.end(), is_there))
        continue;
      if (best < 0 || items[i].urgency < items[static_cast<std::size_t>(best)].urgency)
        best = static_cast<int>(i);
    }
    return best;
  }
};

/// A schedule and its model: items need events of lower numbers, and bring about those of higher
/// ones.
struct Both {
  Schedule schedule;
  Model model;

  explicit Both(std::mt19937& dice) {
    const int levels = draw(dice, 1, 12), items = draw(dice, 0, 20);
    std::vector<int> numbers(static_cast<std::size_t>(levels));  // of events, by level
    std::vector<int> shuffled(numbers.size());
    for (std::size_t i = 0; i < shuffled.size(); ++i) shuffled[i] = static_cast<int>(i);
    std::shuffle(shuffled.begin(), shuffled.end(), dice);
    model.events.resize(numbers.size());
    for (int level : shuffled) {
      const int outside = draw(dice, 0, 2);
      const int event = schedule.add_event(outside);
      numbers[static_cast<std::size_t>(level)] = event;
      model.events[static_cast<std::size_t>(event)].outside = outside;
    }
    const auto at = [&](int level) { return numbers[static_cast<std::size_t>(level)]; };
    for (int later = 1; later < levels; ++later)
      for (int earlier = 0; earlier < later; ++earlier)
        if (draw(dice, 0, 4) == 0) {
          schedule.causes_event(at(earlier), at(later));
          model.events[static_cast<std::size_t>(at(later))].earlier.push_back(at(earlier));
        }
    for (int i = 0; i < items; ++i) {
      Model::Item item{draw(dice, 0, 3), {}, {}};
      schedule.add_item(item.urgency);
      const int level = draw(dice, 0, levels);
      for (int l = 0; l < levels; ++l) {
        if (draw(dice, 0, 3) != 0) continue;
        if (l < level) schedule.needs(i, at(l));
        if (l >= level) schedule.causes(i, at(l));
        (l < level ? item.needs : item.causes).push_back(at(l));
      }
      model.items.push_back(item);
    }
  }
};

// Until all is done; what is told from outside and what is run come in random order.
void run(Schedule& schedule, Model model, std::mt19937& dice) {
  schedule.begin();
  std::vector<int> running, outside;
  for (std::size_t e = 0; e < model.events.size(); ++e)
    outside.insert(outside.end(), static_cast<std::size_t>(model.events[e].outside),
                   static_cast<int>(e));
  std::shuffle(outside.begin(), outside.end(), dice);
  while (true) {
    for (std::size_t e = 0; e < model.events.size(); ++e)
      ASSERT_EQ(schedule.has_happened(static_cast<int>(e)),
                model.has_happened(static_cast<int>(e)));
    const int next = model.next();
    ASSERT_EQ(schedule.urgency(),
              next < 0 ? Schedule::none : model.items[static_cast<std::size_t>(next)].urgency);
    const bool all_done = std::all_of(model.items.begin(), model.items.end(),
                                      [](const Model::Item& item) { return item.is_done; });
    ASSERT_EQ(schedule.is_done(), all_done);
    const int choice = draw(dice, 0, 2);
    if (choice == 0 && !outside.empty()) {
      schedule.happens(outside.back());
      --model.events[static_cast<std::size_t>(outside.back())].outside;
      outside.pop_back();
    } else if (choice == 1 && !running.empty()) {
      const int item = running.back();
      running.pop_back();
      schedule.done(item);
      model.items[static_cast<std::size_t>(item)].is_done = true;
    } else if (next >= 0 || choice == 2) {
      ASSERT_EQ(schedule.take(), next);
      if (next >= 0) {
        running.insert(running.begin() + draw(dice, 0, static_cast<int>(running.size())), next);
        model.items[static_cast<std::size_t>(next)].is_taken = true;
      }
    }
    if (outside.empty() && running.empty() && model.next() < 0) break;
  }
  EXPECT_TRUE(schedule.is_done());
}

}  // namespace

TEST(Schedule, does_as_the_model_does_run_after_run) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 dice(seed);
    Both both(dice);
    for (int times = 0; times < 3 && !testing::Test::HasFatalFailure(); ++times)
      run(both.schedule, both.model, dice);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace weft
