// device/stream_times: spans of streams, of which the late device does one thing a second.

#include "weft/device/stream_times.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "weft/device/late.hpp"

using namespace weft;

namespace {

struct Streams {
  LateDriver driver{LateDriver::Settings{}};
  DeviceStream first = driver.make_stream(0), second = driver.make_stream(0);
  std::vector<double> here = std::vector<double>(4), there = std::vector<double>(4);

  void copy(DeviceStream stream, int times) {
    for (int i = 0; i < times; ++i) driver.copy(stream, there.data(), here.data(), 32);
  }
};

}  // namespace

TEST(StreamTimes, are_those_between_what_was_enqueued) {
  Streams on;
  StreamTimes times({&on.driver, 0}, 3);
  times.begin(on.first);
  on.copy(on.first, 1);
  timed(&times, on.first, {StreamSpan::copy_up, -1, 32}, [&] { on.copy(on.first, 2); });
  EXPECT_TRUE(times.spans().empty());  // it has not happened
  on.driver.await(on.first);
  timed(&times, on.second, {StreamSpan::passes, 4}, [&] { on.copy(on.second, 3); });
  on.driver.await(on.second);
  const std::vector<StreamSpan> spans = times.spans();
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].bytes, 32);
  EXPECT_NEAR(spans[0].seconds, 2, 1e-6);
  EXPECT_EQ(spans[1].step, 4);
  EXPECT_NEAR(spans[1].seconds, 3, 1e-6);
  EXPECT_NEAR(spans[1].start - spans[0].start, 2, 1e-6);
}

TEST(StreamTimes, are_not_known_of_runs_with_too_many) {
  Streams on;
  StreamTimes times({&on.driver, 0}, 1);
  for (const int spans : {2, 1}) {
    times.begin(on.first);
    for (int i = 0; i < spans; ++i)
      timed(&times, on.first, {StreamSpan::copy_down}, [&] { on.copy(on.first, 1); });
    on.driver.await(on.first);
    EXPECT_EQ(times.spans().size(), spans == 1 ? 1U : 0U);
  }
}

TEST(StreamTimes, none_are_recorded_without_a_place_for_them) {
  Streams on;
  timed(nullptr, on.first, {}, [&] { on.copy(on.first, 1); });
  on.driver.await(on.first);
  EXPECT_EQ(on.driver.done(), 1);
}

TEST(CopyTimes, are_hidden_where_passes_run) {
  const auto span = [](StreamSpan::Work work, double start, double end) {
    return StreamSpan{work, -1, 0, start, end - start};
  };
  const CopyTimes times = copy_times(
      {span(StreamSpan::copy_up, 0, 4), span(StreamSpan::copy_down, 3, 6),  // 1 s with the first
       span(StreamSpan::passes, 2, 3), span(StreamSpan::passes, 5, 9),
       span(StreamSpan::copy_down, 8, 10)});
  EXPECT_EQ(times.seconds, 8);
  EXPECT_EQ(times.hidden_seconds, 1 + 1 + 1);
  EXPECT_EQ(copy_times({span(StreamSpan::passes, 0, 1)}).seconds, 0);
}
