// run/run_array: finds where arrays are, and copies those that are elsewhere.

#include "weft/run/run_array.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/memory/buffer.hpp"

namespace weft {

std::shared_ptr<std::byte> field_memory(std::int64_t bytes, bool shared, int threads) {
  if (shared) {
    auto region = std::make_shared<SharedRegion>(bytes);
    return {region, region->data()};
  }
  auto buffer = std::make_shared<Buffer>(bytes, threads);
  return {buffer, buffer->data()};
}

namespace {

// Where others can map an array. That a driver refuses to share it is no error: it has a stand-in.
std::optional<RegionPlace> shared_place(const std::byte* array, const Device& device) {
  try {
    return place_in_region(array, device);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Whether kernels can work on all of an array in memory of the processor. If not, it is not
// registered here for them: the application may free it, and a device would then go on working on
// the pages that were there.
bool is_within_reach(const DeviceDriver& driver, const std::byte* array, std::int64_t bytes,
                     Memory kind) {
  if (kind != Memory::registered && kind != Memory::managed) return false;
  return driver.place_of(array + std::max<std::int64_t>(bytes - 1, 0)).kind == kind;
}

void require_copy_in_graph(Memory kind, const StandIn& stand_in) {
  if (kind == Memory::host)
    throw Error(Error::invalid,
                "a graph cannot copy an array in memory of the processor that is not registered",
                "capture runs of arrays in memory of the device, or in registered memory");
  if (stand_in.bytes() == 0)
    throw Error(Error::invalid,
                "the memory of the device that an array is copied to has not been allocated, which "
                "it cannot be while a stream is captured",
                "run the plan with arrays of this kind once before the capture begins");
}

}  // namespace

const RegionMemory& StandIn::memory() {
  if (memory_.bytes() == 0) {
    RegionMemory made(planned_bytes_, device_);
    if (through_) made.register_with(through_);
    memory_ = std::move(made);
  }
  return memory_;
}

RunArray::RunArray(std::byte* given, std::int64_t bytes, const ArrayPoints& points,
                   StandIn* stand_in, bool is_shared, bool in_graph)
    : given_(given), data_(given), bytes_(bytes), points_(&points) {
  if (stand_in == nullptr || !stand_in->is_needed()) return;
  const Device& device = stand_in->device();
  bool is_usable = !device;
  if (device) {
    driver_ = device.driver;
    const MemoryPlace place = device.driver->place_of(given);
    kind_ = place.kind;
    is_usable =
        stand_in->is_aligned(given) &&
        (kind_ == Memory::managed || (kind_ == Memory::device && place.device == device.number));
  }
  if (const Device& through = stand_in->through()) {
    kind_ = through.driver->place_of(given).kind;
    is_usable = is_within_reach(*through.driver, given, bytes, kind_);
  }
  if (is_usable && !is_shared) return;
  if (is_usable) shared_ = shared_place(given, device);
  if (shared_) return;
  if (in_graph) require_copy_in_graph(kind_, *stand_in);
  const RegionMemory& memory = stand_in->memory();
  data_ = memory.data();
  if (is_shared) shared_ = RegionPlace(memory.region(), 0);
}

bool RunArray::overlaps(const void* data, std::int64_t bytes) const {
  const auto* begin = static_cast<const std::byte*>(data);
  return given_ < begin + bytes && begin < given_ + bytes_;
}

void RunArray::copy(const std::byte* from, std::byte* to, DeviceStream stream) const {
  if (!is_copied()) return;
  if (driver_ == nullptr)
    points_->copy(from, to);
  else
    points_->enqueue_copy(*driver_, stream, from, to);
}

void RunArray::fill_stand_in(DeviceStream stream) const { copy(given_, data_, stream); }

void RunArray::take_from_stand_in(DeviceStream stream) const { copy(data_, given_, stream); }

}  // namespace weft
