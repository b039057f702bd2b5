// device/late: streams that run late.

#include "weft/device/late.hpp"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "weft/base/ensure.hpp"
#include "weft/device/kernels.hpp"
#include "weft/device/late_block.hpp"
#include "weft/device/line_kernel.hpp"

namespace weft {

namespace {

constexpr std::int64_t page_bytes = 4096;

std::int64_t in_pages(std::int64_t bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

template <class Real>
LateBody body_of_lines(const void* arguments) {
  return [copied = *static_cast<const LineArguments<Real>*>(arguments)](const LateGroup& group,
                                                                        std::byte* /*shared*/) {
    device_lanes::run_lines(group, copied);
  };
}

LateBody body_of(const KernelLaunch& launch) {
  switch (static_cast<DeviceKernel>(launch.kernel)) {
    case DeviceKernel::lines_single:
      return body_of_lines<float>(launch.arguments);
    case DeviceKernel::lines_double:
      return body_of_lines<double>(launch.arguments);
  }
  ensure(false, launch.kernel);
  return {};
}

// The addresses of what a kernel of lines begins and ends with, tile by tile and part by part.
template <class Real, class Visit>
void visit_ends(const LineArguments<Real>& arguments, const Visit& visit) {
  const LineForm form = arguments.shape.form;
  const auto visit_part = [&](const LinePart& part, bool is_real, bool is_mapped) {
    const std::byte* const buffer = arguments.buffers[part.buffer];
    if (is_mapped) return visit(buffer);
    const std::int64_t bytes = (is_real ? 1 : 2) * static_cast<std::int64_t>(sizeof(Real));
    const std::int64_t last =
        part.far + (part.points - 1) * part.far_point + (part.lines - 1) * part.far_line;
    visit(buffer + part.far * bytes);
    visit(buffer + last * bytes);
  };
  for (std::int64_t i = 0; i < arguments.tile_count; ++i) {
    const LineTile& tile = arguments.tiles[arguments.first_tile + i];
    for (std::int32_t p = 0; p < tile.sources; ++p)
      visit_part(arguments.parts[tile.first_source + p],
                 form == LineForm::r2c || form == LineForm::r2r,
                 arguments.source_elements != nullptr);
    for (std::int32_t p = 0; p < tile.targets; ++p)
      visit_part(arguments.parts[tile.first_target + p],
                 form == LineForm::c2r || form == LineForm::r2r,
                 arguments.target_elements != nullptr);
  }
}

}  // namespace

LateDriver::LateDriver(const Settings& settings) : settings_(settings), random_(settings.seed) {}

LateDriver::~LateDriver() { allow_access(true); }

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
  selected_ = device;
}

void LateDriver::within(const std::function<void()>& call) {
  struct Left {
    int& current;
    int before;
    ~Left() { current = before; }
  } const left{current_, std::exchange(current_, selected_)};
  call();
}

std::int64_t LateDriver::free_bytes() const {
  std::int64_t bytes = settings_.memory_bytes;
  for (const auto& [address, allocation] : allocations_)
    if (allocation.device == selected_ && !allocation.is_opened &&
        allocation.kind != Memory::registered)
      bytes -= in_pages(allocation.bytes);
  return bytes;
}

bool LateDriver::reaches(int device, int peer) {
  const bool are_there =
      device >= 0 && peer >= 0 && device < settings_.devices && peer < settings_.devices;
  return are_there && (settings_.reaches_others || device == peer);
}

// The processor can touch memory of a device only while a stream does something.
void LateDriver::allow_access(bool is_allowed) const {
  for (const auto& [address, allocation] : allocations_)
    if (allocation.kind == Memory::device)
      mprotect(address, static_cast<std::size_t>(in_pages(allocation.bytes)),
               is_allowed ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void* LateDriver::allocate(Memory kind, std::int64_t bytes) {
  ensure(kind != Memory::host && bytes >= 0, static_cast<int>(kind), bytes);
  if (kind != Memory::registered && in_pages(bytes) > free_bytes())
    throw Error(Error::system,
                fmt::format("late: cannot allocate {} bytes of {} memory: {} of {} bytes are free",
                            bytes, to_string(kind), free_bytes(), settings_.memory_bytes));
  Allocation allocation{SharedRegion(in_pages(std::max<std::int64_t>(bytes, 1))), bytes, kind,
                        selected_, false};
  std::byte* const address = allocation.region.data();
  std::memset(address, 0xff, static_cast<std::size_t>(bytes));
  allocations_.emplace(address, std::move(allocation));
  allow_access(false);
  return address;
}

void* LateDriver::allocate_of_pool(std::int64_t bytes) {
  void* const address = allocate(Memory::device, bytes);
  allocations_.find(static_cast<std::byte*>(address))->second.is_of_pool = true;
  return address;
}

void LateDriver::release(Memory kind, void* address) noexcept {
  if (address == nullptr) return;
  const auto at = allocations_.find(static_cast<std::byte*>(address));
  ensure(at != allocations_.end() && at->second.kind == kind && !at->second.is_opened);
  // As a device does, which ends all that is under way before it frees memory.
  while (std::ranges::any_of(streams_, [](const auto& each) { return !each->operations.empty(); }))
    spin_if(!step_any());
  allow_access(true);
  allocations_.erase(at);
  allow_access(false);
}

void LateDriver::enlist(void* address, std::int64_t bytes) {
  registered_[static_cast<const std::byte*>(address)] = bytes;
}
void LateDriver::delist(void* address) noexcept {
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
  return is_enlisted(address) ? late_address(address) : address;
}

std::optional<DeviceAllocation> LateDriver::shareable(const void* address) const {
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
  const auto at = allocations_.find(static_cast<std::byte*>(device_memory));
  ensure(at != allocations_.end() && shareable(device_memory));
  DeviceMemoryHandle handle;
  const HandleContents contents{at->second.region.handle(), at->second.bytes, at->second.device};
  static_assert(sizeof contents <= sizeof handle.bytes);
  std::memcpy(handle.bytes.data(), &contents, sizeof contents);
  return handle;
}

void* LateDriver::open(const DeviceMemoryHandle& handle) {
  HandleContents contents;
  std::memcpy(&contents, handle.bytes.data(), sizeof contents);
  if (!reaches(selected_, contents.device))
    throw Error(Error::system, fmt::format("late: device {} cannot use the memory of device {}",
                                           selected_, contents.device));
  Allocation allocation{SharedRegion::open(contents.region), contents.bytes, Memory::device,
                        contents.device, true};
  std::byte* const address = allocation.region.data();
  allocations_.emplace(address, std::move(allocation));
  allow_access(false);
  return address;
}

void LateDriver::close(void* opened) noexcept {
  const auto at = allocations_.find(static_cast<std::byte*>(opened));
  ensure(at != allocations_.end() && at->second.is_opened);
  allow_access(true);
  allocations_.erase(at);
  allow_access(false);
}

DeviceStream LateDriver::make_stream(int /*urgency*/) {
  streams_.push_back(std::make_unique<Stream>());
  streams_.back()->device = selected_;
  return {streams_.back().get()};
}
void LateDriver::destroy(DeviceStream stream) noexcept {
  std::erase_if(streams_, [&](const auto& each) { return each.get() == stream.handle; });
}
std::string LateDriver::why_not_in(DeviceStream stream) const {
  for (const auto& each : streams_)
    if (each.get() == stream.handle)
      return each->device == selected_ ? ""
                                       : fmt::format("it is a stream of device {}", each->device);
  return "late says that it is no stream";
}
DeviceEvent LateDriver::make_event() {
  events_.push_back(std::make_unique<Event>());
  return {events_.back().get()};
}
DeviceEvent LateDriver::make_timed_event() {
  events_.push_back(std::make_unique<Event>());
  events_.back()->is_timed = true;
  return {events_.back().get()};
}
// Streams may still wait for it, as with any driver.
void LateDriver::destroy(DeviceEvent /*event*/) noexcept {}

// A device refuses kernels and events in the streams of another one.
LateDriver::Stream& LateDriver::entered(DeviceStream stream) const {
  auto& entered = *static_cast<Stream*>(stream.handle);
  if (entered.device != selected_)
    throw Error(Error::system,
                fmt::format("late: this is a stream of device {}, and device {} is selected",
                            entered.device, selected_));
  return entered;
}

void LateDriver::enqueue(DeviceStream stream, std::function<void()> action) {
  enqueue_until(stream, [action = std::move(action)] {
    action();
    return true;
  });
}

void LateDriver::enqueue_until(DeviceStream stream, std::function<bool()> attempt) {
  entered(stream).operations.push_back({std::move(attempt)});
  pass_time();
}

void LateDriver::copy(DeviceStream stream, void* to, const void* from, std::int64_t bytes) {
  if (bytes == 0) return;
  enqueue(stream, [=] { std::memcpy(to, from, static_cast<std::size_t>(bytes)); });
}

void LateDriver::copy_rows(DeviceStream stream, void* to, const void* from, const RowCopy& rows) {
  enqueue(stream, [=] {
    for (std::int64_t row = 0; row < rows.rows; ++row)
      std::memcpy(static_cast<std::byte*>(to) + row * rows.apart,
                  static_cast<const std::byte*>(from) + row * rows.apart,
                  static_cast<std::size_t>(rows.row_bytes));
  });
}

void LateDriver::zero(DeviceStream stream, void* address, std::int64_t bytes) {
  const Memory kind = place_of(address).kind;
  ensure(kind == Memory::device || kind == Memory::managed, static_cast<int>(kind));
  enqueue(stream, [=] { std::memset(address, 0, static_cast<std::size_t>(bytes)); });
}

void LateDriver::prepare(int kernel) { prepared_.emplace(selected_, kernel); }

// Kernels reach memory that a driver has allocated, or that is registered where the device sees it,
// and no other.
template <class Real>
void LateDriver::require_reach(const void* arguments) {
  visit_ends(*static_cast<const LineArguments<Real>*>(arguments), [this](const std::byte* address) {
    const std::byte* const here = address_here(address);
    ensure(place_of(here).kind != Memory::host, "a kernel works on memory that is not registered");
    ensure(is_enlisted(here) == (here != address),
           "a kernel works on registered memory by its address on the processor");
  });
}

void LateDriver::launch(DeviceStream stream, const KernelLaunch& launch) {
  ensure(prepared_.contains({selected_, launch.kernel}), "a kernel is loaded in a run",
         launch.kernel);
  const bool is_single = static_cast<DeviceKernel>(launch.kernel) == DeviceKernel::lines_single;
  const auto* const given = static_cast<const std::byte*>(launch.arguments);
  std::vector<std::byte> copied(
      given, given + (is_single ? sizeof(LineArguments<float>) : sizeof(LineArguments<double>)));
  launch_after(stream, launch, body_of(launch), [this, is_single, copied = std::move(copied)] {
    is_single ? require_reach<float>(copied.data()) : require_reach<double>(copied.data());
  });
}

void LateDriver::launch(DeviceStream stream, const KernelLaunch& launch,
                        std::function<void(const LateGroup&, std::byte*)> body) {
  launch_after(stream, launch, std::move(body), [] {});
}

void LateDriver::launch_after(DeviceStream stream, const KernelLaunch& launch,
                              std::function<void(const LateGroup&, std::byte*)> body,
                              std::function<void()> check) {
  if (launch.threads < 1 || launch.threads > settings_.threads || launch.blocks < 1 ||
      launch.shared_bytes > settings_.shared_bytes)
    throw Error(Error::system,
                fmt::format("late: cannot launch {} blocks of {} threads with {} shared bytes",
                            launch.blocks, launch.threads, launch.shared_bytes));
  enqueue(stream, [this, launch, body = std::move(body), check = std::move(check)] {
    check();
    std::vector<std::int64_t> order(static_cast<std::size_t>(launch.blocks));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random_);
    LateBlock block(launch.threads, launch.shared_bytes, random_);
    for (const std::int64_t number : order) block.run(body, number, launch.blocks);
  });
}

void LateDriver::record(DeviceStream stream, DeviceEvent event) {
  auto* const brought = static_cast<Event*>(event.handle);
  entered(stream).operations.push_back({{}, nullptr, brought, ++brought->recorded});
  pass_time();
}
void LateDriver::wait(DeviceStream stream, DeviceEvent event) {
  auto* const awaited = static_cast<Event*>(event.handle);
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
    allow_access(false);
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

void LateDriver::spin_if(bool has_not_moved) const {
  if (!has_not_moved) return;
  ensure(tries_again(), "streams wait for each other");
  sched_yield();
}

LateDriver::Stream* LateDriver::bringer_of(const Event& event, std::int64_t times) const {
  for (const auto& stream : streams_)
    for (const Operation& operation : stream->operations)
      if (operation.brought == &event && operation.times >= times) return stream.get();
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
  const auto* const asked = static_cast<const Event*>(event.handle);
  // Who asks again and again gets an answer in the end.
  if (asked->happened < asked->recorded && random_() % 4 == 0)
    while (step_any() && random_() % 4 != 0) {
    }
  return asked->happened >= asked->recorded;
}

// A second for each thing that a stream has done.
double LateDriver::seconds_between(DeviceEvent first, DeviceEvent second) {
  const auto &from = *static_cast<const Event*>(first.handle),
             &to = *static_cast<const Event*>(second.handle);
  for (const Event* const event : {&from, &to})
    ensure(event->is_timed && event->happened > 0 && event->happened == event->recorded,
           "an event that has no time");
  return static_cast<double>(to.done - from.done);
}

void LateDriver::await(DeviceEvent event) {
  const auto& awaited = *static_cast<const Event*>(event.handle);
  const std::int64_t times = awaited.recorded;
  while (awaited.happened < times) {
    Stream* const bringer = bringer_of(awaited, times);
    ensure(bringer != nullptr, "nobody brings an event");
    spin_if(!(settings_.lateness == Lateness::laziest ? advance(*bringer) : step_any()));
  }
}

void LateDriver::await(DeviceStream stream) {
  auto& awaited = *static_cast<Stream*>(stream.handle);
  while (!awaited.operations.empty())
    spin_if(!(settings_.lateness == Lateness::laziest ? advance(awaited) : step_any()));
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
