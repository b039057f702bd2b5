// device/region, device/region_memory: places in memory that ranks share, and mappings of it.

#include "weft/device/region_memory.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>

#include "weft/base/ensure.hpp"
#include "weft/device/late.hpp"

using namespace weft;

namespace {

// A driver that counts what it opens and closes; with `has_same_handles`, the handle of an
// allocation is its address, which the next one may have, too.
class CountingDriver : public LateDriver {
 public:
  explicit CountingDriver(int devices = 1, bool has_same_handles = false)
      : LateDriver(settings(devices)), has_same_handles_(has_same_handles) {}

  DeviceMemoryHandle handle_of(void* memory) override {
    const DeviceMemoryHandle handle = LateDriver::handle_of(memory);
    if (!has_same_handles_) return handle;
    DeviceMemoryHandle same;
    same.bytes[0] = std::byte{1};
    behind_same() = handle;
    return same;
  }
  void* open(const DeviceMemoryHandle& handle) override {
    ++opened;
    return LateDriver::open(has_same_handles_ ? behind_same() : handle);
  }
  void close(void* address) noexcept override {
    ++closed;
    LateDriver::close(address);
  }

  int opened = 0, closed = 0;

 private:
  static Settings settings(int devices) {
    Settings settings;
    settings.devices = devices;
    return settings;
  }
  static DeviceMemoryHandle& behind_same() {
    static DeviceMemoryHandle handle;
    return handle;
  }
  bool has_same_handles_;
};

void store(LateDriver& driver, void* to, std::int64_t number) {
  const DeviceStream stream = driver.make_stream(0);
  driver.copy(stream, to, &number, sizeof number);
  driver.await(stream);
  driver.destroy(stream);
}
std::int64_t loaded(LateDriver& driver, const void* from) {
  std::int64_t number = 0;
  const DeviceStream stream = driver.make_stream(0);
  driver.copy(stream, &number, from, sizeof number);
  driver.await(stream);
  driver.destroy(stream);
  return number;
}

}  // namespace

TEST(Region, is_found_by_any_address_in_an_allocation) {
  CountingDriver driver(2);
  driver.select(1);
  const DeviceBuffer memory(driver, 5000);
  const auto* const begin = static_cast<std::byte*>(memory.data());
  const Device device{&driver, 1};
  const auto first = place_in_region(begin, device), inside = place_in_region(begin + 77, device);
  ASSERT_TRUE(first && inside);
  EXPECT_EQ(first->region, inside->region);
  EXPECT_EQ(inside->offset, 77);
  EXPECT_EQ(first->region.memory.bytes, 5000);
  EXPECT_EQ(first->region.device, 1);
  EXPECT_STREQ(first->region.bus.data(), "0000:01:00.0");
  EXPECT_EQ(made_here(first->region), begin);
  EXPECT_FALSE(place_in_region(begin + 5000, device));
  EXPECT_FALSE(place_in_region(&driver, device));
}

TEST(Region, of_the_processor_is_that_of_a_shared_region) {
  const SharedRegion memory(100);
  const auto place = place_in_region(memory.data() + 5);
  ASSERT_TRUE(place);
  EXPECT_FALSE(place->region.is_of_device());
  EXPECT_EQ(place->region.memory, memory.handle());
  EXPECT_EQ(place->offset, 5);
  EXPECT_EQ(made_here(place->region), memory.data());
}

TEST(RegionMemory, is_opened_once_however_many_owners_it_has) {
  CountingDriver maker, other;
  const RegionMemory made(100, {&maker, 0});
  store(maker, made.data(), 42);
  const Region region = made.region();
  {
    RegionMemory first = RegionMemory::open(region, {&other, 0});
    RegionMemory second = RegionMemory::open(region, {&other, 0});
    EXPECT_EQ(first.data(), second.data());
    EXPECT_TRUE(first.maps(region));
    EXPECT_EQ(other.opened, 1);
    const RegionMemory moved = std::move(first);
    second = RegionMemory();
    EXPECT_EQ(other.closed, 0);
    EXPECT_EQ(loaded(other, moved.data()), 42);
  }
  EXPECT_EQ(other.closed, 1);
  const RegionMemory again = RegionMemory::open(region, {&other, 0});
  EXPECT_EQ(other.opened, 2);
}

TEST(RegionMemory, is_opened_on_each_device_that_uses_it) {
  CountingDriver maker, other(2);
  const RegionMemory made(100, {&maker, 0});
  const RegionMemory first = RegionMemory::open(made.region(), {&other, 0}),
                     second = RegionMemory::open(made.region(), {&other, 1});
  EXPECT_EQ(other.opened, 2);
  EXPECT_EQ(other.selected(), 0);
}

TEST(RegionMemory, is_opened_anew_where_another_allocation_has_the_same_handle) {
  CountingDriver maker(1, true), other(1, true);
  auto made = std::make_unique<RegionMemory>(100, Device{&maker, 0});
  store(maker, made->data(), 1);
  const RegionMemory before = RegionMemory::open(made->region(), {&other, 0});
  EXPECT_EQ(loaded(other, before.data()), 1);
  made = std::make_unique<RegionMemory>(100, Device{&maker, 0});
  store(maker, made->data(), 2);
  {
    const RegionMemory after = RegionMemory::open(made->region(), {&other, 0});
    EXPECT_EQ(other.closed, 1) << "nobody can use what was freed";
    EXPECT_EQ(before.data(), nullptr);
    EXPECT_EQ(loaded(other, after.data()), 2);
    EXPECT_FALSE(before.maps(made->region()));
  }
  EXPECT_EQ(other.closed, 2);
}

TEST(RegionMemory, that_cannot_be_opened_says_why) {
  LateDriver::Settings settings;
  settings.devices = 2;
  settings.reaches_others = false;
  LateDriver maker(settings), other(settings);
  const RegionMemory made(100, {&maker, 1});
  try {
    RegionMemory::open(made.region(), {&other, 0});
    FAIL() << "it is out of reach";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::unsupported);
    EXPECT_EQ(error.message(),
              fmt::format("cannot map the memory of process {} (100 bytes, on its device 1 at "
                          "0000:01:00.0) on device 0: late: device 0 cannot use the memory of "
                          "device 1",
                          getpid()));
  }
}

TEST(RegionMemory, of_no_bytes_needs_no_memory) {
  CountingDriver driver;
  const Device device{&driver, 0};
  const RegionMemory none(0, device);
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_EQ(RegionMemory::open(none.region(), device).data(), nullptr);
  EXPECT_EQ(driver.opened, 0);
}

// A process that dies leaves its memory to those that have opened it; others learn that it is gone.
TEST(RegionMemory, outlives_its_maker_where_it_is_opened) {
  int told[2], ends[2];
  ASSERT_EQ(pipe(told), 0);
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    CountingDriver maker;
    const RegionMemory made(100, {&maker, 0});
    store(maker, made.data(), 42);
    const Region region = made.region();
    char nothing = 0;
    const bool is_told = write(told[1], &region, sizeof region) == sizeof region;
    if (!is_told || read(ends[0], &nothing, 1) < 0) _exit(1);
    raise(SIGKILL);
  }
  Region region;
  ASSERT_EQ(read(told[0], &region, sizeof region), static_cast<ssize_t>(sizeof region));
  CountingDriver other;
  {
    const RegionMemory opened = RegionMemory::open(region, {&other, 0});
    ASSERT_EQ(write(ends[1], "x", 1), 1);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(loaded(other, opened.data()), 42);
  }
  EXPECT_EQ(other.closed, 1);
  EXPECT_THROW(RegionMemory::open(region, {&other, 0}), Error);
  for (const int end : {told[0], told[1], ends[0], ends[1]}) close(end);
}
