// device/vendor_driver: devices of a vendor, by its own functions: one source for NVIDIA's (CUDA)
// and AMD's (HIP), which have almost the same functions under other names. State: compiled for
// both, and not yet run on a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>

#include "weft/base/ensure.hpp"
#include "weft/device/driver.hpp"
#include "weft/device/vendor_contexts.hpp"
#include "weft/device/vendor_fft.hpp"

namespace weft {

/// The driver of a vendor whose functions, types and constants `Api` has.
template <class Api>
class VendorDriver : public DeviceDriver {
  using Result = typename Api::Result;
  using Address = typename Api::Address;

 public:
  explicit VendorDriver(const Api& api) : api_(api), contexts_(api) {}

  int devices() const override { return contexts_.devices(); }

  DeviceTraits traits(int device) const override {
    const typename Api::Device handle = contexts_.device(device);
    std::array<char, 256> name{};
    std::array<char, 32> bus{};
    std::size_t bytes = 0;
    check(api_.name_device(name.data(), static_cast<int>(name.size()), handle),
          "cannot ask for the name of a device");
    check(api_.locate_device(bus.data(), static_cast<int>(bus.size()), handle),
          "cannot ask for the address of a device");
    check(api_.size_device(&bytes, handle), "cannot ask for the memory of a device");
    DeviceTraits traits;
    traits.name = name.data();
    traits.bus = bus.data();
    traits.memory_bytes = static_cast<std::int64_t>(bytes);
    traits.cache_bytes = contexts_.attribute(handle, Api::cache_bytes);
    traits.shared_bytes = contexts_.attribute(handle, Api::shared_bytes);
    traits.processors = contexts_.attribute(handle, Api::processors);
    // With as many, each has the 128 registers that device/kernels is compiled for.
    traits.threads = std::min(512, contexts_.attribute(handle, Api::threads));
    traits.warp = contexts_.attribute(handle, Api::warp);
    // Two transfers in each cycle of the memory's clock.
    traits.memory_bytes_per_second = 2e3 * contexts_.attribute(handle, Api::clock_khz) *
                                     contexts_.attribute(handle, Api::bus_bits) / 8;
    return traits;
  }

  void select(int device) override {
    if (device < 0 || device >= devices())
      throw Error(Error::invalid,
                  fmt::format("there is no device {}: {} has {}", device, Api::name, devices()),
                  fmt::format("devices are numbered from 0 on; {} hides some", Api::visible));
    contexts_.select(device);
  }
  int selected() const override { return contexts_.selected(); }
  void within(const std::function<void()>& call) override {
    const auto here = enter();
    call();
  }

  std::int64_t free_bytes() const override {
    const auto here = enter();
    std::size_t unused = 0, all = 0;
    check(api_.ask_memory(&unused, &all), "cannot ask for free memory");
    return static_cast<std::int64_t>(unused);
  }

  bool reaches(int device, int peer) override;

  void* allocate(Memory kind, std::int64_t bytes) override;
  // CUDA takes smaller allocations from pieces of 2 MiB, and shares such a piece as a whole.
  void* allocate_to_share(std::int64_t bytes) override {
    constexpr std::int64_t piece = std::int64_t{2} << 20;
    return allocate(Memory::device, std::max((bytes + piece - 1) / piece, std::int64_t{1}) * piece);
  }
  void release(Memory kind, void* address) noexcept override {
    if (address == nullptr) return;
    const auto here = contexts_.enter_quietly();
    if (kind == Memory::registered)
      ignore_result(api_.free_host(address));
    else
      ignore_result(api_.free_device(Api::address(address)));
  }

  void enlist(void* address, std::int64_t bytes) override {
    const auto here = enter();
    check(api_.register_host(address, static_cast<std::size_t>(bytes), Api::registered_for_all),
          [&] { return fmt::format("cannot register {} bytes of memory", bytes); });
  }
  void delist(void* address) noexcept override {
    const auto here = contexts_.enter_quietly();
    ignore_result(api_.unregister_host(address));
  }

  // Needs no context, and makes none.
  MemoryPlace place_of(const void* address) const override {
    const auto here = contexts_.enter_quietly();
    unsigned type = 0;
    if (api_.ask_pointer(&type, Api::pointer_kind, Api::address(address)) != Api::success)
      return {};
    unsigned is_managed = 0;
    int device = -1;
    ignore_result(api_.ask_pointer(&is_managed, Api::pointer_managed, Api::address(address)));
    ignore_result(api_.ask_pointer(&device, Api::pointer_device, Api::address(address)));
    if (is_managed != 0) return {Memory::managed, device};
    if (type == Api::of_host) return {Memory::registered, -1};
    return {Memory::device, device};
  }

  std::byte* address_on_device(std::byte* address) const override;
  std::optional<DeviceAllocation> shareable(const void* address) const override;
  DeviceMemoryHandle handle_of(void* device_memory) override {
    const auto here = enter();
    typename Api::Handle shared;
    check(api_.make_handle(&shared, Api::address(device_memory)),
          "cannot share memory of a device with other processes");
    DeviceMemoryHandle handle;
    static_assert(sizeof shared <= sizeof handle.bytes);
    std::memcpy(handle.bytes.data(), &shared, sizeof shared);
    return handle;
  }
  void* open(const DeviceMemoryHandle& handle) override {
    const auto here = enter();
    typename Api::Handle shared;
    std::memcpy(&shared, handle.bytes.data(), sizeof shared);
    Address opened{};
    check(api_.open_handle(&opened, shared, Api::reaches_peers),
          "cannot map another process's memory of a device");
    return Api::pointer(opened);
  }
  void close(void* opened) noexcept override {
    const auto here = contexts_.enter_quietly();
    ignore_result(api_.close_handle(Api::address(opened)));
  }

  DeviceStream make_stream(int urgency) override {
    const auto here = enter();
    int least = 0, greatest = 0;  // numerically, the greatest priority is the lowest number
    check(api_.ask_priorities(&least, &greatest), "cannot ask for priorities");
    typename Api::Stream stream{};
    check(api_.make_stream(&stream, Api::own_stream, std::clamp(-urgency, greatest, least)),
          "cannot make a stream");
    return {stream};
  }
  void destroy(DeviceStream stream) noexcept override {
    const auto here = contexts_.enter_quietly();
    ignore_result(api_.destroy_stream(stream_of(stream)));
  }
  std::string why_not_in(DeviceStream stream) const override;
  Capture capture_of(DeviceStream stream) const override;
  DeviceEvent make_event() override { return make_event(Api::event_flags); }
  DeviceEvent make_timed_event() override { return make_event(Api::timed_event_flags); }
  void destroy(DeviceEvent event) noexcept override {
    const auto here = contexts_.enter_quietly();
    ignore_result(api_.destroy_event(event_of(event)));
  }

  void copy(DeviceStream stream, void* to, const void* from, std::int64_t bytes) override {
    if (bytes == 0) return;
    const auto here = enter();
    check(api_.copy(Api::address(to), Api::address(from), static_cast<std::size_t>(bytes),
                    stream_of(stream)),
          [&] { return fmt::format("cannot copy {} bytes", bytes); });
  }
  void copy_rows(DeviceStream stream, void* to, const void* from, const RowCopy& rows) override;
  void zero(DeviceStream stream, void* address, std::int64_t bytes) override {
    if (bytes == 0) return;
    const auto here = enter();
    check(api_.set_bytes(Api::address(address), 0, static_cast<std::size_t>(bytes),
                         stream_of(stream)),
          [&] { return fmt::format("cannot set {} bytes to zero", bytes); });
  }
  void prepare(int kernel) override {
    const auto here = enter();
    contexts_.kernel(kernel);
  }
  void launch(DeviceStream stream, const KernelLaunch& launch) override {
    const auto here = enter();
    void* arguments = const_cast<void*>(launch.arguments);  // the driver copies them
    check(api_.launch_kernel(contexts_.kernel(launch.kernel), static_cast<unsigned>(launch.blocks),
                             1, 1, static_cast<unsigned>(launch.threads), 1, 1,
                             static_cast<unsigned>(launch.shared_bytes), stream_of(stream),
                             &arguments, nullptr),
          [&] {
            return fmt::format("cannot launch {} blocks of {} threads with {} shared bytes",
                               launch.blocks, launch.threads, launch.shared_bytes);
          });
  }
  void record(DeviceStream stream, DeviceEvent event) override {
    const auto here = enter();
    check(api_.record_event(event_of(event), stream_of(stream)), "cannot record an event");
  }
  void wait(DeviceStream stream, DeviceEvent event) override {
    const auto here = enter();
    check(api_.let_wait(stream_of(stream), event_of(event), 0), "cannot let a stream wait");
  }

  bool has_happened(DeviceEvent event) override {
    const Result result = ask([&] { return api_.ask_event(event_of(event)); });
    if (result == Api::not_ready) return false;
    check(result, "a kernel or a copy has failed");
    return true;
  }
  double seconds_between(DeviceEvent first, DeviceEvent second) override {
    const auto here = enter();
    float milliseconds = 0;
    check(api_.time_events(&milliseconds, event_of(first), event_of(second)),
          "cannot tell the time between two events");
    return 1e-3 * static_cast<double>(milliseconds);
  }
  void await(DeviceEvent event) override {
    check(ask([&] { return api_.await_event(event_of(event)); }), "a kernel or a copy has failed");
  }
  void await(DeviceStream stream) override {
    check(ask([&] { return api_.await_stream(stream_of(stream)); }),
          "a kernel or a copy has failed");
  }

  DeviceFft& fft() override;

 private:
  DeviceEvent make_event(unsigned flags) {
    const auto here = enter();
    typename Api::Event event{};
    check(api_.make_event(&event, flags), "cannot make an event");
    return {event};
  }
  static typename Api::Stream stream_of(DeviceStream stream) {
    return static_cast<typename Api::Stream>(stream.handle);
  }
  static typename Api::Event event_of(DeviceEvent event) {
    return static_cast<typename Api::Event>(event.handle);
  }

  template <class Function>
  Result ask(const Function& function) const;
  void require_managed() const {
    const int device = contexts_.selected();
    if (contexts_.attribute(contexts_.device(device), Api::has_managed) == 0)
      throw Error(Error::unsupported,
                  fmt::format("{}: device {} has no managed memory", Api::name, device),
                  "use memory of the device, or registered memory");
  }
  Error shortage(Memory kind, std::int64_t bytes, const std::string& why) const {
    return Error(Error::system,
                 fmt::format("{}: cannot allocate {} bytes of {} memory{}: {} bytes are free on "
                             "device {}",
                             Api::name, bytes, to_string(kind), why.empty() ? "" : " (" + why + ")",
                             free_bytes(), contexts_.selected()),
                 "use more devices, or a smaller field");
  }
  typename VendorContexts<Api>::Entered enter() const { return contexts_.enter(); }
  template <class What>
  void check(Result result, const What& what) const {
    check_vendor(api_, result, what);
  }

  const Api& api_;
  mutable VendorContexts<Api> contexts_;
  std::mutex fft_mutex_;
  std::unique_ptr<DeviceFft> fft_;
};

template <class Api>
void* VendorDriver<Api>::allocate(Memory kind, std::int64_t bytes) {
  ensure(kind != Memory::host && bytes >= 0, static_cast<int>(kind), bytes);
  const auto here = enter();
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  if (kind == Memory::managed) require_managed();
  // Managed memory beyond what is free can stop a device altogether.
  if (kind == Memory::managed && bytes > free_bytes()) throw shortage(kind, bytes, "");
  Address device_memory{};
  void* memory = nullptr;
  Result result = Api::success;
  if (kind == Memory::device)
    result = api_.allocate_device(&device_memory, size);
  else if (kind == Memory::managed)
    result = api_.allocate_managed(&device_memory, size, Api::for_all_streams);
  else
    result = api_.allocate_host(&memory, size, Api::allocated_for_all);
  if (result != Api::success) throw shortage(kind, bytes, api_.text_of(result));
  return kind == Memory::registered ? memory : Api::pointer(device_memory);
}

template <class Api>
DeviceFft& VendorDriver<Api>::fft() {
  const std::lock_guard lock(fft_mutex_);
  if (fft_ != nullptr) return *fft_;
  int version = 0;
  check(api_.driver_version(&version), "cannot ask for its version");
  fft_ = load_fft<typename Api::FftHandle>(Api::fft(), version, contexts_);
  return *fft_;
}

template <class Api>
std::string VendorDriver<Api>::why_not_in(DeviceStream stream) const {
  const auto here = enter();
  typename Api::Device device{};
  bool is_usual = true;  // else it is a stream of a context that the application has made
  const std::optional<Result> result = api_.find_device_of(stream_of(stream), device, is_usual);
  if (!result) return {};
  if (*result != Api::success)
    return fmt::format("{} says that it is no stream: {}", Api::name, api_.text_of(*result));
  const int number = contexts_.number(device);
  if (number != selected()) return fmt::format("it is a stream of device {}", number);
  return is_usual ? "" : "it is a stream of a context other than the primary one of its device";
}

template <class Api>
Capture VendorDriver<Api>::capture_of(DeviceStream stream) const {
  const auto here = enter();
  typename Api::CaptureState state{};
  check(api_.ask_capture(stream_of(stream), &state), "cannot ask whether a stream is captured");
  if (state == Api::no_capture) return Capture::none;
  return state == Api::capture_under_way ? Capture::under_way : Capture::invalid;
}

// Calls function(), which asks or waits for what is not captured. By default, to ask for anything
// makes the captures of all threads invalid.
template <class Api>
template <class Function>
typename VendorDriver<Api>::Result VendorDriver<Api>::ask(const Function& function) const {
  const auto here = enter();
  typename Api::CaptureMode mode = Api::relaxed;
  check(api_.exchange_mode(&mode), "cannot ask while streams are captured");
  const Result result = function();
  ignore_result(api_.exchange_mode(&mode));
  return result;
}

template <class Api>
std::byte* VendorDriver<Api>::address_on_device(std::byte* address) const {
  if (address == nullptr || place_of(address).kind != Memory::registered) return address;
  const auto here = enter();
  Address there{};
  check(api_.find_on_device(&there, address), "cannot ask where a device sees registered memory");
  return static_cast<std::byte*>(Api::pointer(there));
}

template <class Api>
std::optional<DeviceAllocation> VendorDriver<Api>::shareable(const void* address) const {
  if (place_of(address).kind != Memory::device) return std::nullopt;
  unsigned is_capable = 1;
  ignore_result(api_.ask_pointer(&is_capable, Api::pointer_shareable, Api::address(address)));
  Address begin{};
  std::size_t bytes = 0;
  unsigned long long number = 0;
  if (is_capable == 0 ||
      api_.find_allocation(&begin, &bytes, Api::address(address)) != Api::success ||
      api_.ask_pointer(&number, Api::pointer_number, begin) != Api::success)
    return std::nullopt;
  return DeviceAllocation{Api::pointer(begin), static_cast<std::int64_t>(bytes),
                          static_cast<std::int64_t>(number)};
}

template <class Api>
void VendorDriver<Api>::copy_rows(DeviceStream stream, void* to, const void* from,
                                  const RowCopy& rows) {
  if (rows.row_bytes == 0 || rows.rows == 0) return;
  if (rows.rows == 1) return copy(stream, to, from, rows.row_bytes);
  const auto here = enter();
  // CUDA takes no rows that are further apart.
  constexpr std::int64_t most_apart = 2'147'483'647;
  if (rows.apart > most_apart) {
    for (std::int64_t row = 0; row < rows.rows; ++row)
      copy(stream, static_cast<std::byte*>(to) + row * rows.apart,
           static_cast<const std::byte*>(from) + row * rows.apart, rows.row_bytes);
    return;
  }
  check(api_.copy_rows(Api::address(to), Api::address(from), rows, stream_of(stream)),
        [&] { return fmt::format("cannot copy {} rows of {} bytes", rows.rows, rows.row_bytes); });
}

template <class Api>
bool VendorDriver<Api>::reaches(int device, int peer) {
  if (device == peer) return true;
  int can = 0;
  check(api_.ask_peers(&can, contexts_.device(device), contexts_.device(peer)),
        "cannot ask whether devices reach each other");
  if (can == 0) return false;
  const int before = selected();
  select(device);
  const auto peers = contexts_.of(peer);
  const Result result = [&] {
    const auto here = enter();
    return api_.reach(peers);
  }();
  select(before);
  return result == Api::success || result == Api::is_reached_already;
}

/// The entry of a vendor's driver in the table of drivers.
template <class Api>
DriverEntry vendor_entry() {
  return {Api::name,
          Api::summary,
          []() -> std::optional<std::string> {
            std::optional<std::string> why_not;
            vendor_library<Api>(why_not);
            return why_not;
          },
          [] {
            std::optional<std::string> why_not;
            const Api* const api = vendor_library<Api>(why_not);
            int version = 0;
            if (api != nullptr) ignore_result(api->driver_version(&version));
            return fmt::format("driver {}, compiled with {}", Api::version_text(version),
                               Api::version_text(Api::compiled_version));
          },
          []() -> DeviceDriver& {
            std::optional<std::string> why_not;
            const Api* const api = vendor_library<Api>(why_not);
            ensure(api != nullptr);
            // Never destroyed, because fields of static lifetime are released after other static
            // objects.
            static VendorDriver<Api>& driver = *new VendorDriver<Api>(*api);
            return driver;
          },
          [] {
            // The application, or weft, has loaded the vendor's library.
            std::optional<std::string> why_not;
            return dlopen(Api::file, RTLD_NOW | RTLD_NOLOAD) != nullptr &&
                   vendor_library<Api>(why_not) != nullptr;
          },
          Api::fft_library};
}

}  // namespace weft
