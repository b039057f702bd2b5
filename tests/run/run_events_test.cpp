// tests/run/run_events: events of a run as numbers, and back.

#include <gtest/gtest.h>

#include "weft/run/run_events.hpp"

namespace weft {

namespace {

TEST(RunEvents, come_back_from_numbers_with_times_after_the_zero) {
  RunEvents events;
  events.events.push_back({Task::send, 1, 3, 7, false, 4096, 100.5, 0.25, 101.0, ""});
  events.events.push_back({Task::await, 2, -1, 4, true, 0, 100.25, 0.5, 0.0, "cell 3 stored"});
  events.waits.push_back({1, 100.75, 2.5});
  events.waits.push_back({RunWait::device, 103.5, 0.125});
  RunEvents expected = events;
  for (RunEvent& event : expected.events) event.start -= 100;
  expected.events[0].end = 1;  // the other one has not ended
  expected.waits[0].start = 0.75;
  expected.waits[1].start = 3.5;
  EXPECT_EQ(events_of(numbers_of(events, 100)), expected);
  EXPECT_EQ(events_of(numbers_of(RunEvents(), 5)), RunEvents());
}

}  // namespace

}  // namespace weft
