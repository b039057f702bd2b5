// device/late: things happen as late as events allow, threads of a block change at every
// synchronization, and the processor cannot touch the device's memory.

#include "weft/device/late.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>

#include "weft/base/ensure.hpp"
#include "weft/device/kernels.hpp"
#include "weft/device/late_block.hpp"
#include "weft/device/line_arguments.hpp"

using namespace weft;

namespace {

LateDriver::Settings with_seed(unsigned seed, Lateness lateness = Lateness::laziest) {
  LateDriver::Settings settings;
  settings.seed = seed;
  settings.lateness = lateness;
  return settings;
}

// Whether the system can read a byte here for this process.
bool is_readable(const void* address) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const bool is = write(ends[1], address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return is;
}

KernelLaunch blocks(std::int64_t count, int threads, std::int64_t shared_bytes = 0) {
  return {0, count, threads, shared_bytes, nullptr};
}

// Copies x up in one stream and back in another one; what comes back is right if the second waits
// for the first.
double there_and_back(unsigned seed, Lateness lateness, bool waits) {
  LateDriver driver(with_seed(seed, lateness));
  const DeviceStream up = driver.make_stream(0), down = driver.make_stream(0);
  const DeviceEvent arrived = driver.make_event();
  const double x = 42;
  double y = 0;
  void* const memory = driver.allocate(Memory::device, sizeof x);
  driver.copy(up, memory, &x, sizeof x);
  driver.record(up, arrived);
  if (waits) driver.wait(down, arrived);
  driver.copy(down, &y, memory, sizeof y);
  driver.await(down);
  driver.release(Memory::device, memory);
  return y;
}

}  // namespace

TEST(LateDevice, does_nothing_until_the_processor_waits) {
  LateDriver driver(with_seed(1));
  const DeviceStream stream = driver.make_stream(0);
  void* const memory = driver.allocate(Memory::device, 8);
  double x = 1;
  driver.copy(stream, memory, &x, sizeof x);
  double y = 0;
  driver.copy(stream, &y, memory, sizeof y);
  EXPECT_EQ(driver.done(), 0);
  x = 2;  // too early: the copy reads it later
  driver.await(stream);
  EXPECT_EQ(driver.done(), 2);
  EXPECT_EQ(y, 2);
  driver.release(Memory::device, memory);
}

TEST(LateDevice, does_what_another_stream_waits_for_and_no_more) {
  LateDriver driver(with_seed(1));
  const DeviceStream first = driver.make_stream(0), second = driver.make_stream(0);
  const DeviceEvent event = driver.make_event();
  int done = 0, more = 0;
  driver.launch(first, blocks(1, 1), [&](const LateGroup&, std::byte*) { ++done; });
  driver.record(first, event);
  driver.launch(first, blocks(1, 1), [&](const LateGroup&, std::byte*) { ++more; });
  driver.wait(second, event);
  driver.await(second);
  EXPECT_EQ(done, 1);
  EXPECT_EQ(more, 0);
}

TEST(LateDevice, shows_that_a_wait_is_missing) {
  for (const Lateness lateness : {Lateness::laziest, Lateness::random}) {
    int wrong = 0;
    for (unsigned seed = 1; seed <= 30; ++seed) {
      EXPECT_EQ(there_and_back(seed, lateness, true), 42);
      if (there_and_back(seed, lateness, false) != 42) ++wrong;
    }
    if (lateness == Lateness::laziest)
      EXPECT_EQ(wrong, 30);
    else
      EXPECT_GT(wrong, 0);
  }
}

TEST(LateDevice, waits_for_what_was_recorded_last) {
  LateDriver driver(with_seed(1));
  const DeviceStream first = driver.make_stream(0), second = driver.make_stream(0);
  const DeviceEvent event = driver.make_event();
  EXPECT_TRUE(driver.has_happened(event)) << "nothing was recorded";
  driver.wait(second, event);
  driver.await(second);
  driver.record(first, event);
  driver.await(event);
  int done = 0;
  driver.launch(first, blocks(1, 1), [&](const LateGroup&, std::byte*) { ++done; });
  driver.record(first, event);
  driver.wait(second, event);
  driver.await(second);
  EXPECT_EQ(done, 1);
}

TEST(LateDevice, answers_in_the_end_who_asks_again) {
  LateDriver driver(with_seed(5));
  const DeviceStream stream = driver.make_stream(0);
  const DeviceEvent event = driver.make_event();
  driver.record(stream, event);
  int asked = 0;
  while (!driver.has_happened(event) && asked < 1000) ++asked;
  EXPECT_LT(asked, 1000);
}

TEST(LateDevice, says_that_streams_wait_for_each_other) {
  LateDriver driver(with_seed(1));
  const DeviceStream stream = driver.make_stream(0), other = driver.make_stream(0);
  const DeviceEvent event = driver.make_event(), second = driver.make_event();
  driver.record(stream, event);
  driver.await(event);
  driver.record(other, second);  // so that something is recorded for it
  driver.wait(stream, second);
  driver.destroy(other);  // nobody will ever bring it
  EXPECT_THROW(driver.await(stream), Error);
}

TEST(LateDevice, keeps_a_destroyed_event_for_streams_that_wait_for_it_and_for_nobody_else) {
  LateDriver driver(with_seed(1));
  const DeviceStream first = driver.make_stream(0), second = driver.make_stream(0);
  const DeviceEvent event = driver.make_event();
  int done = 0;
  driver.launch(first, blocks(1, 1), [&](const LateGroup&, std::byte*) { ++done; });
  driver.record(first, event);
  driver.wait(second, event);
  driver.destroy(event);
  EXPECT_THROW(driver.record(first, event), Error);
  EXPECT_THROW(driver.has_happened(event), Error);
  driver.await(second);
  EXPECT_EQ(done, 1);
  driver.destroy(first);
  EXPECT_THROW(driver.await(first), Error);
}

// Each has selected a device of its own, and works on it while the other one does.
TEST(LateDevice, is_for_several_threads) {
  LateDriver::Settings settings = with_seed(2, Lateness::random);
  settings.devices = 2;
  LateDriver driver(settings);
  const auto copy_there_and_back = [&driver](int device, std::int64_t& back) {
    EXPECT_EQ(driver.selected(), 0) << "a thread has selected nothing yet";
    driver.select(device);
    const DeviceStream stream = driver.make_stream(0);
    const DeviceEvent end = driver.make_event();
    void* const memory = driver.allocate(Memory::device, sizeof back);
    for (std::int64_t number = 1; number <= 200; ++number) {
      driver.copy(stream, memory, &number, sizeof number);
      driver.copy(stream, &back, memory, sizeof back);
      driver.record(stream, end);
      driver.await(end);
      ASSERT_EQ(back, number);
    }
    driver.release(Memory::device, memory);
  };
  std::int64_t here = 0, there = 0;
  std::thread other([&] { copy_there_and_back(1, there); });
  copy_there_and_back(0, here);
  other.join();
  EXPECT_EQ(here + there, 400);
}

TEST(LateDevice, tells_what_of_a_program_it_takes_itself) {
  LateDriver driver(with_seed(1));
  const std::int64_t before = driver.descriptors();
  void* const memory = driver.allocate(Memory::device, 8);
  void* const registered = driver.allocate(Memory::registered, 8);
  EXPECT_EQ(driver.descriptors(), before + 1);
  driver.release(Memory::device, memory);
  driver.release(Memory::registered, registered);
  EXPECT_EQ(driver.descriptors(), before);
  const DeviceStream stream = driver.make_stream(0);
  bool is_called = false;
  driver.launch(stream, blocks(1, 1),
                [&](const LateGroup&, std::byte*) { is_called = LateDriver::is_called_here(); });
  EXPECT_FALSE(LateDriver::is_called_here());
  driver.await(stream);
  EXPECT_TRUE(is_called);
}

TEST(LateDevice, has_memory_that_the_processor_cannot_touch) {
  LateDriver driver(with_seed(1));
  void* const memory = driver.allocate(Memory::device, 5000);
  EXPECT_FALSE(is_readable(memory));
  EXPECT_EQ(driver.place_of(static_cast<std::byte*>(memory) + 4999),
            (MemoryPlace{Memory::device, 0}));
  const DeviceStream stream = driver.make_stream(0);
  double first = 0;
  driver.copy(stream, &first, memory, sizeof first);
  driver.await(stream);
  EXPECT_TRUE(std::isnan(first)) << "nobody has stored anything";
  EXPECT_FALSE(is_readable(memory));
  driver.release(Memory::device, memory);
  EXPECT_EQ(driver.place_of(memory).kind, Memory::host);
}

TEST(LateDevice, knows_where_addresses_are) {
  LateDriver::Settings settings;
  settings.devices = 2;
  LateDriver driver(settings);
  driver.select(1);
  void* const registered = driver.allocate(Memory::registered, 100);
  void* const managed = driver.allocate(Memory::managed, 100);
  std::vector<double> own(100);
  EXPECT_EQ(driver.place_of(registered), (MemoryPlace{Memory::registered, -1}));
  EXPECT_EQ(driver.place_of(managed), (MemoryPlace{Memory::managed, 1}));
  EXPECT_EQ(driver.place_of(own.data()), MemoryPlace{});
  driver.enlist(own.data(), 800);
  EXPECT_EQ(driver.place_of(own.data() + 99), (MemoryPlace{Memory::registered, -1}));
  EXPECT_EQ(driver.place_of(own.data() + 100), MemoryPlace{});
  auto* const enlisted = reinterpret_cast<std::byte*>(own.data());
  EXPECT_NE(driver.address_on_device(enlisted), enlisted) << "kernels see it elsewhere";
  EXPECT_EQ(driver.address_on_device(nullptr), nullptr);
  for (void* const memory : {registered, managed})
    EXPECT_EQ(driver.address_on_device(static_cast<std::byte*>(memory)), memory);
  driver.delist(own.data());
  EXPECT_EQ(driver.place_of(own.data()), MemoryPlace{});
  EXPECT_TRUE(is_readable(registered));
  EXPECT_TRUE(is_readable(managed));
  driver.release(Memory::registered, registered);
  driver.release(Memory::managed, managed);
  EXPECT_THROW(driver.select(2), Error);
}

TEST(LateDevice, has_no_more_memory_than_it_says) {
  LateDriver::Settings settings;
  settings.memory_bytes = 1 << 20;
  LateDriver driver(settings);
  void* const memory = driver.allocate(Memory::device, 600'000);
  try {
    driver.allocate(Memory::device, 600'000);
    FAIL() << "there is not enough";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("600000 bytes of device memory"), std::string::npos);
  }
  driver.release(Memory::device, memory);
  EXPECT_EQ(driver.free_bytes(), 1 << 20);
}

TEST(LateDevice, shares_memory_by_handles) {
  LateDriver driver(with_seed(1)), other(with_seed(2));
  const DeviceStream stream = driver.make_stream(0), others = other.make_stream(0);
  void* const memory = driver.allocate(Memory::device, 8);
  const double x = 7;
  driver.copy(stream, memory, &x, sizeof x);
  driver.await(stream);
  void* const opened = other.open(driver.handle_of(memory));
  EXPECT_FALSE(is_readable(opened));
  double y = 0;
  other.copy(others, &y, opened, sizeof y);
  other.await(others);
  EXPECT_EQ(y, 7);
  other.close(opened);
  driver.release(Memory::device, memory);
}

TEST(LateDevice, knows_the_allocation_of_every_address_that_others_can_map) {
  LateDriver driver(with_seed(1)), other(with_seed(2));
  auto* const memory = static_cast<std::byte*>(driver.allocate(Memory::device, 5000));
  void* const managed = driver.allocate(Memory::managed, 8);
  void* const of_pool = driver.allocate_of_pool(8);
  void* const opened = other.open(driver.handle_of(memory));
  const auto allocation = driver.shareable(memory + 4999);
  ASSERT_TRUE(allocation);
  EXPECT_EQ(allocation->address, memory);
  EXPECT_EQ(allocation->bytes, 5000);
  EXPECT_FALSE(driver.shareable(memory + 5000));
  EXPECT_FALSE(driver.shareable(managed));
  EXPECT_FALSE(driver.shareable(of_pool));
  EXPECT_EQ(driver.place_of(of_pool).kind, Memory::device);
  EXPECT_FALSE(driver.shareable(&driver));
  EXPECT_FALSE(other.shareable(opened)) << "it is not its own";
  other.close(opened);
  driver.release(Memory::device, memory);
  EXPECT_FALSE(driver.shareable(memory));
  void* const again = driver.allocate(Memory::device, 5000);
  EXPECT_NE(driver.shareable(again)->number, allocation->number);
  driver.release(Memory::device, again);
  driver.release(Memory::device, of_pool);
  driver.release(Memory::managed, managed);
}

TEST(LateDevice, opens_no_memory_of_a_device_out_of_reach) {
  LateDriver::Settings settings;
  settings.devices = 2;
  settings.reaches_others = false;
  LateDriver driver(settings), other(settings);
  EXPECT_TRUE(driver.reaches(1, 1));
  EXPECT_FALSE(driver.reaches(1, 0));
  driver.select(1);
  void* const memory = driver.allocate(Memory::device, 8);
  const DeviceMemoryHandle handle = driver.handle_of(memory);
  EXPECT_THROW(other.open(handle), Error);
  other.select(1);
  other.close(other.open(handle));
  driver.release(Memory::device, memory);
}

TEST(LateDevice, copies_rows_and_nothing_between_them) {
  LateDriver driver(with_seed(1));
  const DeviceStream stream = driver.make_stream(0);
  const std::vector<int> numbers{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<int> back(8, 0);
  void* const memory = driver.allocate(Memory::device, 32);
  driver.copy_rows(stream, memory, numbers.data(), {8, 3, 12});
  driver.copy_rows(stream, back.data(), memory, {8, 3, 12});
  EXPECT_EQ(back[0], 0) << "nothing happens before somebody waits";
  driver.await(stream);
  EXPECT_EQ(back, (std::vector{1, 2, 0, 4, 5, 0, 7, 8}));
  driver.release(Memory::device, memory);
}

// Every thread adds what its neighbour has stored: right only if all synchronize between.
TEST(LateBlock, shows_that_a_synchronization_is_missing) {
  constexpr int threads = 16;
  for (const bool synchronizes : {true, false}) {
    int wrong = 0;
    for (unsigned seed = 1; seed <= 30; ++seed) {
      std::mt19937 random(seed);
      LateBlock block(threads, threads * sizeof(double), random);
      std::vector<double> sums(threads);
      block.run(
          [&](const LateGroup& group, std::byte* shared) {
            auto* const values = reinterpret_cast<double*>(shared);
            values[group.thread()] = group.thread();
            if (synchronizes) group.sync();
            sums[static_cast<std::size_t>(group.thread())] =
                values[(group.thread() + 1) % threads] + static_cast<double>(group.block());
          },
          3, 5);
      for (int i = 0; i < threads; ++i)
        if (sums[static_cast<std::size_t>(i)] != (i + 1) % threads + 3) {
          ++wrong;
          break;
        }
    }
    EXPECT_EQ(wrong, synchronizes ? 0 : 30);
  }
}

TEST(LateBlock, says_that_a_thread_ends_while_others_wait) {
  std::mt19937 random(1);
  LateBlock block(4, 0, random);
  EXPECT_THROW(block.run(
                   [](const LateGroup& group, std::byte*) {
                     if (group.thread() != 2) group.sync();
                   },
                   0, 1),
               Error);
}

TEST(LateDevice, zeroes_memory_when_its_stream_comes_to_it) {
  LateDriver driver(with_seed(1));
  const DeviceStream stream = driver.make_stream(0);
  double x = 1;
  void* const memory = driver.allocate(Memory::managed, sizeof x);
  driver.zero(stream, memory, sizeof x);
  EXPECT_TRUE(std::isnan(*static_cast<double*>(memory)));
  driver.await(stream);
  EXPECT_EQ(*static_cast<double*>(memory), 0);
  driver.release(Memory::managed, memory);
}

TEST(LateDevice, launches_no_kernel_of_weft_that_was_not_loaded_before) {
  LateDriver driver(with_seed(1));
  const DeviceStream stream = driver.make_stream(0);
  const LineArguments<double> nothing;
  const KernelLaunch launch{lines_kernel(Precision::double_precision), 1, 1, 0, &nothing};
  driver.prepare(lines_kernel(Precision::single_precision));
  EXPECT_THROW(driver.launch(stream, launch), Error);
  driver.prepare(launch.kernel);
  EXPECT_NO_THROW(driver.launch(stream, launch));
}

TEST(LateDevice, tells_streams_of_another_device_from_those_of_its_own) {
  LateDriver::Settings settings = with_seed(1);
  settings.devices = 2;
  LateDriver driver(settings);
  const DeviceStream first = driver.make_stream(0);
  EXPECT_EQ(driver.why_not_in(first), "");
  driver.select(1);
  EXPECT_EQ(driver.why_not_in(first), "it is a stream of device 0");
  EXPECT_EQ(driver.why_not_in({&settings}), "late says that it is no stream");
}

TEST(LateDevice, does_what_was_captured_whenever_the_graph_is_launched) {
  LateDriver driver(with_seed(1));
  const DeviceStream stream = driver.make_stream(0), other = driver.make_stream(0);
  const DeviceEvent forked = driver.make_event(), joined = driver.make_event();
  std::string done;
  const auto launch = [&](DeviceStream in, char letter) {
    driver.launch(in, blocks(1, 1), [&, letter](const LateGroup&, std::byte*) { done += letter; });
  };
  EXPECT_EQ(driver.capture_of(stream), Capture::none);
  driver.begin_capture(stream);
  EXPECT_EQ(driver.capture_of(stream), Capture::under_way);
  launch(stream, 'a');
  driver.record(stream, forked);
  driver.wait(other, forked);
  EXPECT_EQ(driver.capture_of(other), Capture::under_way);
  launch(other, 'b');
  driver.record(other, joined);
  driver.wait(stream, joined);
  launch(stream, 'c');
  const LateDriver::Graph graph = driver.end_capture(stream);
  EXPECT_EQ(driver.capture_of(other), Capture::none);
  driver.await(stream);
  EXPECT_EQ(done, "");
  for (int times = 0; times < 2; ++times) driver.launch_graph(stream, graph);
  driver.await(stream);
  EXPECT_EQ(done, "abcabc");
}

TEST(LateDevice, has_no_graph_of_a_capture_that_did_what_cannot_be_captured) {
  LateDriver driver(with_seed(1));
  const DeviceStream stream = driver.make_stream(0), other = driver.make_stream(0);
  const DeviceEvent captured = driver.make_event(), free = driver.make_timed_event();
  void* const memory = driver.allocate(Memory::device, 8);
  std::vector<std::byte> here(8);
  driver.record(other, free);
  const auto expect_invalid = [&](const auto& call) {
    driver.begin_capture(stream);
    driver.record(stream, captured);
    EXPECT_THROW(call(), Error);
    EXPECT_EQ(driver.capture_of(stream), Capture::invalid);
    EXPECT_THROW(driver.zero(stream, memory, 8), Error);
    EXPECT_THROW(driver.end_capture(stream), Error);
    EXPECT_THROW(driver.has_happened(captured), Error);  // nor later
    driver.zero(stream, memory, 8);
  };
  expect_invalid([&] { driver.await(stream); });
  expect_invalid([&] { driver.await(captured); });
  expect_invalid([&] { driver.has_happened(captured); });
  expect_invalid([&] { driver.seconds_between(free, captured); });
  expect_invalid([&] { driver.wait(stream, free); });
  expect_invalid([&] { driver.allocate(Memory::device, 8); });
  expect_invalid([&] { driver.enlist(here.data(), 8); });
  expect_invalid([&] { driver.prepare(lines_kernel(Precision::double_precision)); });
  expect_invalid([&] { driver.copy(stream, memory, here.data(), 8); });
  // What has nothing to do with it leaves it as it is, but another stream has to come back.
  driver.begin_capture(stream);
  driver.record(stream, captured);
  driver.await(free);
  driver.await(other);
  EXPECT_EQ(driver.capture_of(stream), Capture::under_way);
  driver.wait(other, captured);
  EXPECT_THROW(driver.end_capture(stream), Error);
  driver.begin_capture(stream);
  driver.release(Memory::device, memory);
  EXPECT_THROW(driver.end_capture(stream), Error);
}

TEST(LateDevice, counts_what_has_been_done_between_timed_events) {
  LateDriver driver(with_seed(1));
  const DeviceStream stream = driver.make_stream(0);
  const DeviceEvent first = driver.make_timed_event(), second = driver.make_timed_event();
  driver.record(stream, first);
  for (int i = 0; i < 3; ++i)
    driver.launch(stream, blocks(1, 1), [](const LateGroup&, std::byte*) {});
  driver.record(stream, second);
  EXPECT_THROW(driver.seconds_between(first, second), Error);  // they have not happened
  driver.await(stream);
  EXPECT_EQ(driver.seconds_between(first, second), 3);
  EXPECT_THROW(driver.seconds_between(first, driver.make_event()), Error);
}
