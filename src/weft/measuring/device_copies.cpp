// measuring/device_copies: large copies, of which a device and its bus do one after the other.

#include "weft/measuring/device_copies.hpp"

#include <algorithm>
#include <cstring>

#include "weft/base/trace.hpp"
#include "weft/device/device_buffer.hpp"
#include "weft/device/device_queue.hpp"
#include "weft/measuring/bus_peak.hpp"
#include "weft/measuring/repeat.hpp"
#include "weft/memory/buffer.hpp"

namespace weft {

namespace {

constexpr std::int64_t page_bytes = 4096;
// Of the memory that is free. There are two arrays on a device and three in the processor's memory.
constexpr std::int64_t device_part = 8, host_part = 3;
constexpr int fewest_copies = 2, most_copies = 15;
// Copies within a device that follow each other, as each takes less than a tenth of a millisecond.
constexpr int copies_of_device = 8;

// The arrays and streams of a device, and its speeds one by one.
class DeviceCopies {
 public:
  DeviceCopies(const Device& device, std::int64_t bytes)
      : bytes_(bytes),
        here_(*device.driver, bytes),
        there_(*device.driver, bytes),
        source_(*device.driver, bytes, Memory::registered),
        target_(*device.driver, bytes, Memory::registered),
        pageable_(bytes),
        first_(device),
        second_(device) {
    for (void* const memory : {source_.data(), target_.data()})
      std::memset(memory, 0, static_cast<std::size_t>(bytes));
    std::memset(pageable_.data(), 0, static_cast<std::size_t>(bytes));
  }

  double within(const TimeLimit& limit) {
    const double seconds = seconds_of_copies(limit, [&] {
      for (int i = 0; i < copies_of_device; ++i)
        enqueue(first_, i % 2 == 0 ? there_.data() : here_.data(),
                i % 2 == 0 ? here_.data() : there_.data());
      first_.mark();
      first_.await_mark();
    });
    return 2 * copies_of_device * static_cast<double>(bytes_) / seconds;
  }
  double up(void* from, const TimeLimit& limit) { return one_way(here_.data(), from, limit); }
  double down(void* to, const TimeLimit& limit) { return one_way(to, here_.data(), limit); }
  double both_ways(const TimeLimit& limit) {
    const double seconds = seconds_of_copies(limit, [&] {
      enqueue(first_, here_.data(), source_.data());
      enqueue(second_, target_.data(), there_.data());
      first_.mark();
      second_.mark();
      first_.await_mark();
      second_.await_mark();
    });
    return 2 * static_cast<double>(bytes_) / seconds;
  }

  void* pageable() { return pageable_.data(); }
  void* registered() { return source_.data(); }

 private:
  void enqueue(DeviceQueue& queue, void* to, const void* from) const {
    queue.driver().copy(queue.stream(), to, from, bytes_);
  }
  double one_way(void* to, const void* from, const TimeLimit& limit) {
    const double seconds = seconds_of_copies(limit, [&] {
      enqueue(first_, to, from);
      first_.mark();
      first_.await_mark();
    });
    return static_cast<double>(bytes_) / seconds;
  }

  std::int64_t bytes_;
  DeviceBuffer here_, there_, source_, target_;
  Buffer pageable_;
  DeviceQueue first_, second_;
};

}  // namespace

std::int64_t CopySize::bytes(const DeviceDriver& driver) const {
  const std::int64_t bytes =
      std::min({most_bytes, driver.free_bytes() / device_part, spare_bytes / host_part});
  return std::max(page_bytes, bytes / page_bytes * page_bytes);
}

double seconds_of_copies(const TimeLimit& limit, const std::function<void()>& copies) {
  copies();
  std::vector<double> all;
  for (int done = 0; limit.allows(done, fewest_copies, most_copies); ++done) {
    const double start = now();
    copies();
    all.push_back(now() - start);
  }
  return repeated(all).best;
}

DeviceSpeed measure_device(const Device& device, const CopySize& size, const TimeLimit& limit) {
  const SelectedDevice selected(device);
  const DeviceTraits traits = device.driver->traits(device.number);
  DeviceSpeed speed{0, traits.name, traits.bus, {}};
  DeviceSpeed::Figures& figures = speed.figures;
  figures.number = device.number;
  figures.memory_peak = traits.memory_bytes_per_second;
  figures.bus_peak = bus_peak(traits.bus);
  DeviceCopies copies(device, size.bytes(*device.driver));
  int left = 6;
  const auto share = [&] { return limit.part(limit.left() / left--); };
  figures.copy = copies.within(share());
  figures.up_pageable = copies.up(copies.pageable(), share());
  figures.up_registered = copies.up(copies.registered(), share());
  figures.down_pageable = copies.down(copies.pageable(), share());
  figures.down_registered = copies.down(copies.registered(), share());
  figures.both_ways = copies.both_ways(share());
  return speed;
}

}  // namespace weft
