// device/late: streams that run late.

#include "weft/device/late.hpp"

#include <sched.h>
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
  // As a device does, which ends all that is under way before it frees memory.
  const auto is_at_end = [](const auto& stream) { return stream->operations.empty(); };
  take_further_until([&] { return std::ranges::all_of(streams_, is_at_end); },
                     [this] { return step_any(); });
  const Call call(*this);
  const auto at = allocations_.find(static_cast<std::byte*>(address));
  ensure(at != allocations_.end() && at->second.kind == kind && !at->second.is_opened);
  allocations_.erase(at);
}

void LateDriver::enlist(void* address, std::int64_t bytes) {
  const Call call(*this);
  registered_[static_cast<const std::byte*>(address)] = bytes;
}
void LateDriver::delist(void* address) noexcept {
  const Call call(*this);
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

DeviceStream LateDriver::make_stream(int /*urgency*/) {
  const Call call(*this);
  streams_.push_back(std::make_unique<Stream>());
  streams_.back()->device = selected();
  return {streams_.back().get()};
}
void LateDriver::destroy(DeviceStream stream) noexcept {
  const Call call(*this);
  std::erase_if(streams_, [&](const auto& each) { return each.get() == stream.handle; });
}
std::string LateDriver::why_not_in(DeviceStream stream) const {
  const Call call(*this);
  for (const auto& each : streams_)
    if (each.get() == stream.handle)
      return each->device == selected() ? ""
                                        : fmt::format("it is a stream of device {}", each->device);
  return "late says that it is no stream";
}
DeviceEvent LateDriver::make_event() {
  const Call call(*this);
  auto event = std::make_shared<Event>();
  void* const handle = event.get();
  events_.emplace(handle, std::move(event));
  return {handle};
}
DeviceEvent LateDriver::make_timed_event() {
  const Call call(*this);
  const DeviceEvent event = make_event();
  event_of(event)->is_timed = true;
  return event;
}
// Streams may still wait for it, as with any driver.
void LateDriver::destroy(DeviceEvent event) noexcept {
  const Call call(*this);
  events_.erase(event.handle);
}

std::shared_ptr<LateDriver::Event> LateDriver::event_of(DeviceEvent event) const {
  const auto found = events_.find(event.handle);
  ensure(found != events_.end(), "there is no such event, or it is destroyed");
  return found->second;
}
LateDriver::Stream& LateDriver::stream_of(DeviceStream stream) const {
  const auto found = std::ranges::find(streams_, stream.handle, &std::unique_ptr<Stream>::get);
  ensure(found != streams_.end(), "there is no such stream, or it is destroyed");
  return **found;
}

// A device refuses kernels and events in the streams of another one.
LateDriver::Stream& LateDriver::entered(DeviceStream stream) const {
  Stream& entered = stream_of(stream);
  if (entered.device != selected())
    throw Error(Error::system,
                fmt::format("late: this is a stream of device {}, and device {} is selected",
                            entered.device, selected()));
  return entered;
}

void LateDriver::enqueue(DeviceStream stream, std::function<void()> action) {
  const Call call(*this);
  enqueue_until(stream, [action = std::move(action)] {
    action();
    return true;
  });
}

void LateDriver::enqueue_until(DeviceStream stream, std::function<bool()> attempt) {
  const Call call(*this);
  entered(stream).operations.push_back({std::move(attempt)});
  pass_time();
}

void LateDriver::copy(DeviceStream stream, void* to, const void* from, std::int64_t bytes) {
  if (bytes == 0) return;
  const Call call(*this);
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

void LateDriver::record(DeviceStream stream, DeviceEvent event) {
  const Call call(*this);
  const auto brought = event_of(event);
  entered(stream).operations.push_back({{}, nullptr, brought, ++brought->recorded});
  pass_time();
}
void LateDriver::wait(DeviceStream stream, DeviceEvent event) {
  const Call call(*this);
  const auto awaited = event_of(event);
  entered(stream).operations.push_back({{}, awaited, nullptr, awaited->recorded});
  pass_time();
}

bool LateDriver::is_ready(const Stream& stream) const {
  if (stream.operations.empty()) return false;
  const Operation& next = stream.operations.front();
  return next.awaited == nullptr || next.awaited->happened >= next.times;
}

// Returns whether something has happened: an action that is not over is tried again later.
bool LateDriver::step(Stream& stream) {
  Operation next = std::move(stream.operations.front());
  stream.operations.pop_front();
  if (next.action) {
    allow_access(true);
    const bool is_over = next.action();
    if (!is_over) {
      stream.operations.push_front(std::move(next));
      return false;
    }
    ++done_;
  }
  if (next.brought != nullptr) {
    next.brought->happened = std::max(next.brought->happened, next.times);
    next.brought->done = done_;
  }
  return true;
}

// Whether a stream waits for another process.
bool LateDriver::tries_again() const {
  return std::ranges::any_of(streams_, [](const auto& stream) {
    return !stream->operations.empty() && stream->operations.front().action;
  });
}

LateDriver::Stream* LateDriver::bringer_of(const Event& event, std::int64_t times) const {
  for (const auto& stream : streams_)
    for (const Operation& operation : stream->operations)
      if (operation.brought.get() == &event && operation.times >= times) return stream.get();
  return nullptr;
}

// Does what is next in a stream, or something that this waits for, and no more.
bool LateDriver::advance(Stream& stream, int depth) {
  if (stream.operations.empty() || depth > static_cast<int>(streams_.size())) return false;
  if (is_ready(stream)) return step(stream);
  const Operation& next = stream.operations.front();
  Stream* const bringer = bringer_of(*next.awaited, next.times);
  return bringer != nullptr && advance(*bringer, depth + 1);
}

bool LateDriver::step_any() {
  std::vector<Stream*> ready;
  for (const auto& stream : streams_)
    if (is_ready(*stream)) ready.push_back(stream.get());
  std::ranges::shuffle(ready, random_);
  return std::ranges::any_of(ready, [this](Stream* stream) { return step(*stream); });
}

void LateDriver::pass_time() {
  if (settings_.lateness == Lateness::random)
    while (random_() % 3 == 0 && step_any()) {
    }
}

bool LateDriver::has_happened(DeviceEvent event) {
  const Call call(*this);
  const auto asked = event_of(event);
  // Who asks again and again gets an answer in the end.
  if (asked->happened < asked->recorded && random_() % 4 == 0)
    while (step_any() && random_() % 4 != 0) {
    }
  return asked->happened >= asked->recorded;
}

// A second for each thing that a stream has done.
double LateDriver::seconds_between(DeviceEvent first, DeviceEvent second) {
  const Call call(*this);
  const auto from = event_of(first), to = event_of(second);
  for (const auto& event : {from, to})
    ensure(event->is_timed && event->happened > 0 && event->happened == event->recorded,
           "an event that has no time");
  return static_cast<double>(to->done - from->done);
}

// Takes streams further until `is_over`, by steps that tell whether something has happened. Where
// other processes are waited for, other threads have their turn.
template <class IsOver, class Step>
void LateDriver::take_further_until(const IsOver& is_over, const Step& step) {
  while (true) {
    {
      const Call call(*this);
      bool moves = true;
      while (moves && !is_over()) moves = step();
      if (moves) return;
      ensure(tries_again(), "streams wait for each other");
    }
    sched_yield();
  }
}

void LateDriver::await(DeviceEvent event) {
  std::shared_ptr<Event> awaited;
  std::int64_t times = 0;
  {
    const Call call(*this);
    awaited = event_of(event);
    times = awaited->recorded;
  }
  take_further_until([&] { return awaited->happened >= times; },
                     [&] {
                       Stream* const bringer = bringer_of(*awaited, times);
                       ensure(bringer != nullptr, "nobody brings an event");
                       return settings_.lateness == Lateness::laziest ? advance(*bringer)
                                                                      : step_any();
                     });
}

void LateDriver::await(DeviceStream stream) {
  take_further_until([&] { return stream_of(stream).operations.empty(); },
                     [&] {
                       return settings_.lateness == Lateness::laziest ? advance(stream_of(stream))
                                                                      : step_any();
                     });
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
