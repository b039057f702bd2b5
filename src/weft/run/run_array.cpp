// run/run_array: finds where arrays are, and copies those that are elsewhere.

#include "weft/run/run_array.hpp"

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

}  // namespace

const RegionMemory& StandIn::memory() {
  if (memory_.bytes() == 0) memory_ = RegionMemory(planned_bytes_, device_);
  return memory_;
}

RunArray::RunArray(std::byte* given, std::int64_t bytes, const ArrayPoints& points,
                   StandIn* stand_in, bool is_shared)
    : given_(given), data_(given), bytes_(bytes), points_(&points) {
  if (stand_in == nullptr || !stand_in->is_needed()) return;
  const Device& device = stand_in->device();
  bool is_usable = !device;
  if (device) {
    driver_ = device.driver;
    const MemoryPlace place = device.driver->place_of(given);
    kind_ = place.kind;
    is_usable =
        kind_ == Memory::managed || (kind_ == Memory::device && place.device == device.number);
  }
  if (is_usable && !is_shared) return;
  if (is_usable) shared_ = shared_place(given, device);
  if (shared_) return;
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
