// device/region_memory: counts who uses what was opened.

#include "weft/device/region_memory.hpp"

#include <list>
#include <mutex>
#include <utility>

#include "weft/base/ensure.hpp"

namespace weft {

// Memory of another process, as it is opened on a device of this one.
struct OpenedMemory {
  Device device;
  Region region;
  void* address = nullptr;  // null: closed, as the maker has freed it
  int owners = 0;
};

namespace {

// Never destroyed, because memory of static lifetime is released after other static objects.
struct AllOpened {
  std::mutex mutex;
  std::list<OpenedMemory> all;
};
AllOpened& all_opened() {
  static AllOpened& instance = *new AllOpened;
  return instance;
}

void close(OpenedMemory& opened) {
  if (opened.address == nullptr) return;
  const SelectedDevice selected(opened.device);
  opened.device.driver->close(std::exchange(opened.address, nullptr));
}

void* open_on(const Device& device, const Region& region) {
  const SelectedDevice selected(device);
  try {
    return device.driver->open(region.device_memory);
  } catch (const Error& error) {
    throw Error(Error::unsupported,
                fmt::format("cannot map the memory of process {} ({} bytes, on its device {} at "
                            "{}) on device {}: {}",
                            region.memory.process, region.memory.bytes, region.device,
                            region.bus.data(), device.number, error.message()),
                "let all ranks of a node see the same devices, or give every rank a node of its "
                "own: WEFT_NODE_SIZE=1");
  }
}

// Whether two regions have a byte in common. Allocations of a process that live do not.
bool overlap(const Region& a, const Region& b) {
  return a.memory.process == b.memory.process &&
         a.address_there < b.address_there + b.memory.bytes &&
         b.address_there < a.address_there + a.memory.bytes;
}

OpenedMemory* opened(const Region& region, const Device& device) {
  AllOpened& known = all_opened();
  const std::lock_guard lock(known.mutex);
  for (OpenedMemory& each : known.all) {
    if (each.device != device || each.address == nullptr) continue;
    if (each.region.memory == region.memory) {
      ++each.owners;
      return &each;
    }
    // The maker has freed that allocation, and made another one in its place, or with its handle.
    // CUDA opens no memory that is mapped already, whatever its handle is.
    if (each.region.device_memory == region.device_memory || overlap(each.region, region))
      close(each);
  }
  known.all.push_back({device, region, open_on(device, region), 1});
  return &known.all.back();
}

void let_go(const OpenedMemory* opened) {
  AllOpened& known = all_opened();
  const std::lock_guard lock(known.mutex);
  for (auto each = known.all.begin(); each != known.all.end(); ++each) {
    if (&*each != opened) continue;
    if (--each->owners == 0) {
      close(*each);
      known.all.erase(each);
    }
    return;
  }
}

}  // namespace

RegionMemory::RegionMemory(std::int64_t bytes, const Device& device) : device_(device) {
  const SelectedDevice selected(device);
  if (device)
    made_ = DeviceBuffer::to_share(*device.driver, bytes);
  else
    host_ = SharedRegion(bytes);
}

RegionMemory RegionMemory::open(const Region& region, const Device& device) {
  RegionMemory memory;
  memory.device_ = device;
  if (!region.is_of_device())
    memory.host_ = SharedRegion::open(region.memory);
  else if (region.memory.bytes > 0)
    memory.opened_ = opened(region, device);
  return memory;
}

RegionMemory::RegionMemory(RegionMemory&& other) noexcept
    : host_(std::move(other.host_)),
      registration_(std::move(other.registration_)),
      made_(std::move(other.made_)),
      opened_(std::exchange(other.opened_, nullptr)),
      device_(other.device_) {}

RegionMemory& RegionMemory::operator=(RegionMemory&& other) noexcept {
  if (this == &other) return *this;
  if (opened_ != nullptr) let_go(opened_);
  registration_ = std::move(other.registration_);  // before the memory of the one that ends
  host_ = std::move(other.host_);
  made_ = std::move(other.made_);
  opened_ = std::exchange(other.opened_, nullptr);
  device_ = other.device_;
  return *this;
}

RegionMemory::~RegionMemory() {
  if (opened_ != nullptr) let_go(opened_);
}

std::byte* RegionMemory::data() const {
  if (opened_ != nullptr) return static_cast<std::byte*>(opened_->address);
  return made_.data() != nullptr ? static_cast<std::byte*>(made_.data()) : host_.data();
}

std::int64_t RegionMemory::bytes() const {
  if (opened_ != nullptr) return opened_->region.memory.bytes;
  return made_.data() != nullptr ? made_.bytes() : host_.bytes();
}

Region RegionMemory::region() const {
  Region region;
  if (made_.data() == nullptr) {
    region.memory = host_.handle();
    if (device_) region.device = device_.number;
    return region;
  }
  const auto place = place_in_region(made_.data(), device_);
  if (!place) throw Error(Error::unsupported, "other processes cannot map memory of this device");
  return place->region;
}

bool RegionMemory::maps(const Region& region) const {
  if (opened_ != nullptr) return opened_->region == region;
  return !region.is_of_device() && host_.handle() == region.memory;
}

std::int64_t RegionMemory::number() const {
  return opened_ != nullptr ? opened_->region.memory.number : host_.handle().number;
}

}  // namespace weft
