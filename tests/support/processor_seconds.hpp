// support/processor_seconds: whether what a function takes grows with what it is given, or with the
// square of that.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

namespace weft::test {

/// What this thread takes of a processor to run `body`: how busy the machine is hardly matters. The
/// shortest of three runs.
template <class Body>
double processor_seconds(const Body& body) {
  double shortest = 1e9;
  for (int i = 0; i < 3; ++i) {
    std::timespec begin{}, end{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    body();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    shortest = std::min(shortest, static_cast<double>(end.tv_sec - begin.tv_sec) +
                                      1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec));
  }
  return shortest;
}

/// Expects that `body(text_of(16 * count))` takes some 16 times as long as `body(text_of(count))`,
/// and not some 256 times.
template <class TextOf, class Body>
void expect_linear(int count, const TextOf& text_of, const Body& body) {
  constexpr int times = 16;
  const auto few = text_of(count), many = text_of(times * count);
  const double of_few = processor_seconds([&] { body(few); });
  const double of_many = processor_seconds([&] { body(many); });
  EXPECT_LT(of_many, 4 * times * of_few) << of_few << " s for " << count;
}

}  // namespace weft::test
