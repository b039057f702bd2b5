// exchange/copy_queue: enqueues copies.

#include "weft/exchange/copy_queue.hpp"

#include "weft/base/ensure.hpp"
#include "weft/program/index.hpp"

namespace weft {

// Copies are few, and others wait for them.
CopyQueue::CopyQueue(const DeviceMessages& device, Way way, std::size_t most)
    : way_(way), runs_(device.runs), queue_(device.device, nullptr, true), marks_(queue_, most) {}

void CopyQueue::begin() {
  ensure(is_empty());
  marks_.begin();
}

void CopyQueue::add(int number, std::span<const MirroredRun> runs, const Addresses& device,
                    const Addresses& mirror) {
  DeviceDriver& driver = queue_.driver();
  const auto copy = [&] {
    for (const MirroredRun& run : runs) {
      std::byte* const on_device = device[at(run.device.buffer)] + run.device.offset;
      std::byte* const mirrored = mirror[at(run.mirror.buffer)] + run.mirror.offset;
      if (way_ == down)
        driver.copy(queue_.stream(), mirrored, on_device, run.bytes);
      else
        driver.copy(queue_.stream(), on_device, mirrored, run.bytes);
    }
  };
  StreamSpan span{way_ == down ? StreamSpan::copy_down : StreamSpan::copy_up};
  for (const MirroredRun& run : runs) span.bytes += run.bytes;
  timed(runs_ != nullptr && !runs.empty() ? runs_->times() : nullptr, queue_.stream(), span, copy);
  marks_.add(number);
}

}  // namespace weft
