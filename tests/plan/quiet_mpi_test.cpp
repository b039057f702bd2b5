// plan/quiet: running a plan allocates nothing. Every operator new of this program counts, but for
// those of the late device, whose streams and kernels are no part of weft.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/exchanges_here.hpp"
#include "weft/device/late.hpp"
#include "weft/weft.hpp"

using namespace weft;

// The thread sanitizer has operators of its own, and nothing is counted.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEFT_TEST_COUNTS_NOTHING
#endif
#endif

namespace {
std::atomic<std::int64_t> allocations = 0;
}

#ifndef WEFT_TEST_COUNTS_NOTHING
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  if (!LateDriver::is_called_here()) ++allocations;
  return std::malloc(bytes);
}
void* operator new(std::size_t bytes) {
  if (void* memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
// GCC takes these for a mismatch where it inlines one of a pair alone.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

// Invariant 6, quiet execution.
TEST(Plan, running_allocates_nothing) {
  for (const ExchangeEntry& row : test::exchanges_here())
    for (int threads : {1, 3}) {
      Options options;
      options.exchange = row.name;
      options.threads = threads;
      options.pretend.cache_bytes = 8192;
      auto plan = Plan(MPI_COMM_WORLD, c2c({24, 20, 18}), options);
      auto u = plan.make_input();
      auto v = plan.make_output();
      plan.forward(u, v);  // others' arrays are mapped when they are first seen
      plan.backward(v, u);
      const std::int64_t before = allocations;
      plan.forward(u, v);
      plan.backward(v, u);
      EXPECT_EQ(allocations, before) << row.name << ", " << threads << " threads";
    }
}

// The same for transforms in flight, cut into chunks.
TEST(Plan, starting_and_taking_further_allocates_nothing) {
  for (const ExchangeEntry& row : test::exchanges_here()) {
    if (row.applies({}, {2, {0, 1}}) && row.shares_memory) continue;
    Options options;
    options.exchange = row.name;
    options.threads = 1;
    options.chunks = 4;
    options.in_flight = 2;
    auto plan = Plan(MPI_COMM_WORLD, c2c({24, 20, 18}), options);
    auto u = plan.make_input();
    auto v = plan.make_output(), w = plan.make_output();
    const auto both = [&] {
      auto first = plan.start_forward(u, v), second = plan.start_forward(u, w);
      second.wait();
      while (!first.test()) {
      }
    };
    both();
    const std::int64_t before = allocations;
    both();
    EXPECT_EQ(allocations, before) << row.name;
  }
}
