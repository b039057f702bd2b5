// plan/device_speeds: a few copies, which all ranks time together.

#include "weft/plan/device_speeds.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "weft/base/simulation.hpp"
#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/device/device_buffer.hpp"
#include "weft/device/device_queue.hpp"
#include "weft/planning/constants.hpp"

namespace weft {

namespace {

// Choices: a copy over the bus takes a fraction of a millisecond, and one within the device more
// than its caches hold. Few: the late device needs the processor for them.
constexpr std::int64_t bus_bytes = std::int64_t{4} << 20,
                       most_device_bytes = std::int64_t{32} << 20;
constexpr std::int64_t part_of_free = 16;
constexpr int copies = 3;

class Copies {
 public:
  Copies(const Device& device, int sharing)
      : selected_(device),
        bytes_(std::clamp(device.driver->free_bytes() / part_of_free / sharing, bus_bytes,
                          most_device_bytes)),
        here_(*device.driver, bytes_),
        there_(*device.driver, bytes_),
        registered_(*device.driver, bus_bytes, Memory::registered),
        queue_(device) {
    std::memset(registered_.data(), 0, static_cast<std::size_t>(bus_bytes));
    for (const auto& each : {&Copies::to_device, &Copies::from_device, &Copies::within})
      (this->*each)();
  }

  // In bytes per second.
  double to_device() { return copied(here_.data(), registered_.data(), bus_bytes); }
  double from_device() { return copied(registered_.data(), here_.data(), bus_bytes); }
  double within() { return 2 * copied(there_.data(), here_.data(), bytes_); }

 private:
  double copied(void* to, const void* from, std::int64_t bytes) {
    const double start = now();
    for (int i = 0; i < copies; ++i) queue_.driver().copy(queue_.stream(), to, from, bytes);
    queue_.mark();
    queue_.await_mark();
    return copies * static_cast<double>(bytes) / (now() - start);
  }

  SelectedDevice selected_;  // while the others are made and released
  std::int64_t bytes_;
  DeviceBuffer here_, there_, registered_;
  DeviceQueue queue_;
};

DeviceSpeeds nominal(int sharing) {
  const double bus = constants::nominal_bus_bytes_per_second / sharing;
  return {bus, bus, constants::nominal_device_bytes_per_second / sharing, false};
}

}  // namespace

DeviceSpeeds device_speeds(const Communicator& comm, const Device& device, int sharing,
                           const Options& options) {
  if (is_simulated || options.effort == Effort::estimate || options.reproducible)
    return nominal(static_cast<int>(comm.max(std::int64_t{sharing})));
  DeviceSpeeds speeds;
  speeds.are_measured = true;
  std::unique_ptr<Copies> mine;
  agree(comm, [&] { mine = std::make_unique<Copies>(device, sharing); });
  const auto slowest = [&](double (Copies::*copy)()) {
    comm.barrier();
    const double rate = agree(comm, [&] { return ((*mine).*copy)(); });
    return -comm.max(-rate);
  };
  speeds.to_device = slowest(&Copies::to_device);
  speeds.from_device = slowest(&Copies::from_device);
  speeds.memory = slowest(&Copies::within);
  return speeds;
}

}  // namespace weft
