// tests/base/trace: which waits a task explains; nothing is recorded unless it is asked for.

#include <gtest/gtest.h>

#include "weft/base/trace.hpp"

namespace weft {

namespace {

TEST(Trace, a_wait_is_for_the_task_that_completes_next) {
  Trace trace;
  trace.resize(1, 1);
  trace.record_tasks(3);
  trace.clear();
  trace.add_idle(10, 1);
  trace.add_idle(11, 2);  // goes on
  trace.add_idle(20, 1);  // after work of another run
  trace.complete_task(2);
  trace.complete_task(1);  // nobody waited
  trace.add_idle(30, 1);
  ASSERT_EQ(trace.waits().size(), 3U);
  EXPECT_EQ(trace.waits()[0].task, 2);
  EXPECT_EQ(trace.waits()[0].start, 10);
  EXPECT_EQ(trace.waits()[0].end, 13);
  EXPECT_EQ(trace.waits()[1].task, 2);
  EXPECT_EQ(trace.waits()[1].start, 20);
  EXPECT_EQ(trace.waits()[2].task, Trace::Idle::nobody);
  EXPECT_GT(trace.tasks()[1].completed, 0);
  EXPECT_EQ(trace.tasks()[0].completed, 0);
  trace.clear();
  EXPECT_TRUE(trace.waits().empty());
  EXPECT_EQ(trace.tasks()[1].completed, 0);
}

TEST(Trace, records_no_tasks_unless_it_is_told_to) {
  Trace trace;
  trace.resize(1, 1);
  trace.add_idle(10, 1);
  trace.complete_task(0);
  EXPECT_FALSE(trace.records_tasks());
  EXPECT_TRUE(trace.tasks().empty());
  EXPECT_TRUE(trace.waits().empty());
  EXPECT_EQ(trace.waits().capacity(), 0U);
}

TEST(Trace, recording_takes_no_memory_beyond_what_was_reserved) {
  Trace trace;
  trace.resize(1, 1);
  trace.record_tasks(2);
  const auto reserved = trace.waits().capacity();
  for (std::size_t i = 0; i < 2 * reserved; ++i) trace.add_idle(static_cast<double>(2 * i + 1), 1);
  EXPECT_EQ(trace.waits().size(), reserved);
  EXPECT_EQ(trace.waits().capacity(), reserved);
}

}  // namespace

}  // namespace weft
