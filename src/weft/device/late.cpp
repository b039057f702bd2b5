// device/late: memory and copies of devices that run late.

#include "weft/device/late.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/device/late_block.hpp"

namespace weft {

namespace {

constexpr std::int64_t page_bytes = 4096;

std::int64_t in_pages(std::int64_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

// What this thread has selected last, and what is current for it: devices of one driver, and the
// first of all others.
struct Selection {
  const LateDriver* driver;
  int device;
};
thread_local Selection selection{}, current_selection{};

}  // namespace

LateDriver::LateDriver(const Settings& settings) : settings_(settings), random_(settings.seed) {}

LateDriver::~LateDriver() {
  allow_access(true);
  if (selection.driver == this) selection = {};
}

std::int64_t LateDriver::done() const {
  const Call call(*this);
  return done_;
}

DeviceTraits LateDriver::traits(int device) const {
  DeviceTraits traits;
  traits.name = "late device";
  traits.bus = fmt::format("{:04x}:{:02x}:00.0", settings_.domain, device);
  traits.memory_bytes = settings_.memory_bytes;
  traits.cache_bytes = 1 << 20;
  traits.shared_bytes = settings_.shared_bytes;
  traits.processors = settings_.processors;
  traits.threads = settings_.threads;
  traits.warp = 8;
  return traits;
}

void LateDriver::select(int device) {
  if (device < 0 || device >= settings_.devices)
    throw Error(Error::invalid,
                fmt::format("there is no device {}: there are {}", device, settings_.devices));
  selection = {this, device};
}
int LateDriver::selected() const { return selection.driver == this ? selection.device : 0; }
int LateDriver::current() const {
  return current_selection.driver == this ? current_selection.device : 0;
}

void LateDriver::within(const std::function<void()>& call) {
  struct Left {
    Selection before;
    ~Left() { current_selection = before; }
  } const left{std::exchange(current_selection, {this, selected()})};
  call();
}

std::int64_t LateDriver::free_bytes() const {
  const Call call(*this);
  std::int64_t bytes = settings_.memory_bytes;
  for (const auto& [address, allocation] : allocations_)
    if (allocation.device == selected() && !allocation.is_opened &&
        allocation.kind != Memory::registered)
      bytes -= in_pages(allocation.bytes);
  return bytes;
}

bool LateDriver::reaches(int device, int peer) {
  const bool are_there =
      device >= 0 && peer >= 0 && device < settings_.devices && peer < settings_.devices;
  return are_there && (settings_.reaches_others || device == peer);
}

// The processor can touch memory of a device only while streams do something. To change this takes
// longer than what they do.
void LateDriver::allow_access(bool is_allowed) const {
  if (is_allowed == is_accessible_) return;
  is_accessible_ = is_allowed;
  for (const auto& [address, allocation] : allocations_) set_access(address, allocation);
}

void LateDriver::set_access(std::byte* address, const Allocation& allocation) const {
  if (allocation.kind == Memory::device)
    mprotect(address, static_cast<std::size_t>(in_pages(allocation.bytes)),
             is_accessible_ ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void* LateDriver::allocate(Memory kind, std::int64_t bytes) {
  const Call call(*this);
  require_no_capture("to allocate memory");
  ensure(kind != Memory::host && bytes >= 0, static_cast<int>(kind), bytes);
  if (kind != Memory::registered && in_pages(bytes) > free_bytes())
    throw Error(Error::system,
                fmt::format("late: cannot allocate {} bytes of {} memory: {} of {} bytes are free",
                            bytes, to_string(kind), free_bytes(), settings_.memory_bytes));
  Allocation allocation{SharedRegion(in_pages(std::max<std::int64_t>(bytes, 1))), bytes, kind,
                        selected(), false};
  if (kind != Memory::device) allocation.region.close_descriptor();
  std::byte* const address = allocation.region.data();
  std::memset(address, 0xff, static_cast<std::size_t>(bytes));
  set_access(address, allocations_.emplace(address, std::move(allocation)).first->second);
  return address;
}

void* LateDriver::allocate_of_pool(std::int64_t bytes) {
  const Call call(*this);
  void* const address = allocate(Memory::device, bytes);
  Allocation& allocation = allocations_.find(static_cast<std::byte*>(address))->second;
  allocation.is_of_pool = true;
  allocation.region.close_descriptor();
  return address;
}

void LateDriver::release(Memory kind, void* address) noexcept {
  if (address == nullptr) return;
  end_captures();
  // As a device does, which ends all that is under way before it frees memory.
  await_all();
  const Call call(*this);
  const auto at = allocations_.find(static_cast<std::byte*>(address));
  ensure(at != allocations_.end() && at->second.kind == kind && !at->second.is_opened);
  allocations_.erase(at);
}

void LateDriver::enlist(void* address, std::int64_t bytes) {
  const Call call(*this);
  require_no_capture("to register memory");
  registered_[static_cast<const std::byte*>(address)] = bytes;
}
void LateDriver::delist(void* address) noexcept {
  const Call call(*this);
  end_captures();
  registered_.erase(static_cast<const std::byte*>(address));
}

const std::pair<std::byte* const, LateDriver::Allocation>* LateDriver::allocation_of(
    const void* address) const {
  const auto* const byte = static_cast<const std::byte*>(address);
  for (const auto& each : allocations_)
    if (byte >= each.first && byte < each.first + std::max<std::int64_t>(each.second.bytes, 1))
      return &each;
  return nullptr;
}

MemoryPlace LateDriver::place_of(const void* address) const {
  const Call call(*this);
  if (const auto* const each = allocation_of(address)) {
    const Allocation& allocation = each->second;
    return {allocation.kind, allocation.kind == Memory::registered ? -1 : allocation.device};
  }
  return is_enlisted(address) ? MemoryPlace{Memory::registered, -1} : MemoryPlace{};
}

bool LateDriver::is_enlisted(const void* address) const {
  const auto* const byte = static_cast<const std::byte*>(address);
  return std::ranges::any_of(registered_, [&](const auto& each) {
    return byte >= each.first && byte < each.first + each.second;
  });
}

std::byte* LateDriver::address_on_device(std::byte* address) const {
  const Call call(*this);
  return is_enlisted(address) ? late_address(address) : address;
}

std::optional<DeviceAllocation> LateDriver::shareable(const void* address) const {
  const Call call(*this);
  const auto* const each = allocation_of(address);
  if (each == nullptr) return std::nullopt;
  const Allocation& allocation = each->second;
  if (allocation.kind != Memory::device || allocation.is_opened || allocation.is_of_pool)
    return std::nullopt;
  return DeviceAllocation{each->first, allocation.bytes, allocation.region.handle().number};
}

namespace {

// What is in a handle.
struct HandleContents {
  SharedRegionHandle region;
  std::int64_t bytes;
  int device;
};

}  // namespace

DeviceMemoryHandle LateDriver::handle_of(void* device_memory) {
  const Call call(*this);
  const auto at = allocations_.find(static_cast<std::byte*>(device_memory));
  ensure(at != allocations_.end() && shareable(device_memory));
  DeviceMemoryHandle handle;
  const HandleContents contents{at->second.region.handle(), at->second.bytes, at->second.device};
  static_assert(sizeof contents <= sizeof handle.bytes);
  std::memcpy(handle.bytes.data(), &contents, sizeof contents);
  return handle;
}

void* LateDriver::open(const DeviceMemoryHandle& handle) {
  const Call call(*this);
  HandleContents contents;
  std::memcpy(&contents, handle.bytes.data(), sizeof contents);
  if (!reaches(selected(), contents.device))
    throw Error(Error::system, fmt::format("late: device {} cannot use the memory of device {}",
                                           selected(), contents.device));
  Allocation allocation{SharedRegion::open(contents.region), contents.bytes, Memory::device,
                        contents.device, true};
  std::byte* const address = allocation.region.data();
  set_access(address, allocations_.emplace(address, std::move(allocation)).first->second);
  return address;
}

void LateDriver::close(void* opened) noexcept {
  const Call call(*this);
  const auto at = allocations_.find(static_cast<std::byte*>(opened));
  ensure(at != allocations_.end() && at->second.is_opened);
  allocations_.erase(at);
}

std::int64_t LateDriver::descriptors() const {
  const Call call(*this);
  return std::ranges::count_if(allocations_, [](const auto& each) {
    return !each.second.is_opened && each.second.kind == Memory::device && !each.second.is_of_pool;
  });
}

void LateDriver::copy(DeviceStream stream, void* to, const void* from, std::int64_t bytes) {
  if (bytes == 0) return;
  const Call call(*this);
  if (const auto& captured = entered(stream).captured)
    for (const void* const end : {static_cast<const void*>(to), from})
      if (place_of(end).kind == Memory::host)
        refuse_in(*captured, "to copy memory that is not registered");
  enqueue(stream, [=] { std::memcpy(to, from, static_cast<std::size_t>(bytes)); });
}

void LateDriver::copy_rows(DeviceStream stream, void* to, const void* from, const RowCopy& rows) {
  const Call call(*this);
  enqueue(stream, [=] {
    for (std::int64_t row = 0; row < rows.rows; ++row)
      std::memcpy(static_cast<std::byte*>(to) + row * rows.apart,
                  static_cast<const std::byte*>(from) + row * rows.apart,
                  static_cast<std::size_t>(rows.row_bytes));
  });
}

void LateDriver::zero(DeviceStream stream, void* address, std::int64_t bytes) {
  const Call call(*this);
  const Memory kind = place_of(address).kind;
  ensure(kind == Memory::device || kind == Memory::managed, static_cast<int>(kind));
  enqueue(stream, [=] { std::memset(address, 0, static_cast<std::size_t>(bytes)); });
}

DeviceFft& LateDriver::fft() {
  if (fft_ == nullptr) throw Error(Error::unsupported, "the late device has no latefft");
  return *fft_;
}

namespace {

LateDriver::Settings settings_of_process;

LateDriver& late_driver_of_process() {
  static LateDriver driver(settings_of_process);
  return driver;
}

}  // namespace

DriverEntry late_entry(unsigned seed) {
  LateDriver::Settings settings;
  settings.seed = seed;
  settings.lateness = seed % 2 == 0 ? Lateness::random : Lateness::laziest;
  settings.devices = 2;
  return late_entry(settings);
}

DriverEntry late_entry(const LateDriver::Settings& settings) {
  settings_of_process = settings;
  return {"late",
          "late devices, for tests",
          []() -> std::optional<std::string> { return std::nullopt; },
          [] { return std::string("of tests"); },
          []() -> DeviceDriver& { return late_driver_of_process(); },
          [] { return true; },
          "latefft"};
}

}  // namespace weft
