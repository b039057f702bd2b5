// device/vendor_driver, the source of the drivers of both vendors, with functions of no vendor: it
// enters the selected device before it asks for anything, and refuses what cannot be.

#include "weft/device/vendor_driver.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using namespace weft;
using testing::HasSubstr;

namespace {

// What a vendor's devices have: two, which hand out the processor's memory.
struct Vendor {
  int entered = -1;  // the device that this thread has entered
  int contexts = 0;  // that were made
  bool has_managed = true;
  std::size_t free = 1 << 20;                              // bytes, of each device
  std::map<const void*, std::pair<unsigned, int>> places;  // kind, device
  std::vector<std::string> kernels, loaded;                // that were asked for
  std::size_t largest = 0;                                 // bytes of an allocation
  int fails = 0;                                           // the result of what is asked next
  std::intptr_t timed = 0;                                 // events that were made
  int capture = 0;                                         // of streams
  int mode = 7;                                            // of captures, of this thread
  std::vector<int> asked_in;                               // such modes
};
Vendor vendor;

// The functions of this vendor, under the names that the driver uses.
struct Api {
  using Result = int;
  using Device = int;
  using Context = int;
  using Address = void*;
  struct Handle {
    void* address;
  };
  using Stream = void*;
  using Event = void*;
  using CaptureState = int;
  using CaptureMode = int;
  using Module = const void*;
  using Kernel = const char*;
  using FftHandle = int;
  enum Attribute {
    cache_bytes,
    shared_bytes,
    processors,
    threads,
    warp,
    has_managed,
    clock_khz,
    bus_bits
  };
  enum PointerAttribute {
    pointer_kind,
    pointer_managed,
    pointer_device,
    pointer_shareable,
    pointer_number
  };
  static constexpr const char *name = "vendor", *summary = "devices of a test",
                              *title = "The vendor's driver", *file = "libc.so.6",
                              *visible = "VENDOR_VISIBLE", *architectures = "VENDOR_CODE",
                              *fft_library = "vendorfft";
  static constexpr Result success = 0, not_ready = 1, is_reached_already = 2;
  static constexpr CaptureState no_capture = 0, capture_under_way = 1;
  static constexpr CaptureMode relaxed = 2;
  static constexpr unsigned of_host = 1, for_all_streams = 1, allocated_for_all = 1,
                            registered_for_all = 1, reaches_peers = 1, own_stream = 1,
                            event_flags = 1, timed_event_flags = 2;
  static constexpr int compiled_version = 7;

  const char* find_in(void*) { return missing; }
  const char* missing = nullptr;
  int device_count = 2;

  static FftLibrary fft() {
    return {fft_library, {{"libnofft.so.2", 9}, {"libnofft.so.1", 8}, {"libc.so.6"}}, 1000, true};
  }
  static const void* code() { return "code"; }
  static void* address(const void* pointer) { return const_cast<void*>(pointer); }
  static void* pointer(void* address) { return address; }
  static std::string version_text(int version) { return std::to_string(version); }
  static bool tells_of_no_device(Result result) { return result == 100; }
  std::string text_of(Result result) const { return "failure " + std::to_string(result); }

  static Result result() { return std::exchange(vendor.fails, 0); }
  Result initialize(unsigned) const { return result(); }
  Result driver_version(int* version) const { return *version = 8, success; }
  Result count_devices(int* count) const { return *count = device_count, success; }
  Result find_device(Device* device, int number) const { return *device = number, success; }
  Result name_device(char* text, int, Device) const { return std::strcpy(text, "board"), success; }
  Result locate_device(char* text, int, Device device) const {
    return std::strcpy(text, device == 0 ? "0000:0A:00.0" : "0000:0B:00.0"), success;
  }
  Result size_device(std::size_t* bytes, Device) const { return *bytes = 1 << 20, success; }
  Result ask_device(int* value, Attribute which, Device) const {
    *value = which == threads       ? 1024
             : which == has_managed ? (vendor.has_managed ? 1 : 0)
             : which == clock_khz   ? 1000
             : which == bus_bits    ? 64
                                    : 32;
    return success;
  }
  Result ask_peers(int* can, Device, Device) const { return *can = 1, success; }
  Result retain(Context& context, Device device) const {
    ++vendor.contexts;
    return context = device, success;
  }
  Result enter(Context context) const { return vendor.entered = context, success; }
  Result entered(Context& context) const { return context = vendor.entered, success; }
  Result reach(Context) const { return is_reached_already; }
  Result ask_memory(std::size_t* unused, std::size_t* all) const {
    *all = 1 << 20;
    return *unused = vendor.free, success;
  }
  Result give(void** into, std::size_t bytes, unsigned kind) const {
    if (const Result failed = result(); failed != success) return failed;
    vendor.largest = std::max(vendor.largest, bytes);
    *into = std::malloc(bytes);
    vendor.places[*into] = {kind, vendor.entered};
    return success;
  }
  Result allocate_device(void** into, std::size_t bytes) const { return give(into, bytes, 2); }
  Result allocate_managed(void** into, std::size_t bytes, unsigned) const {
    return give(into, bytes, 3);
  }
  Result allocate_host(void** into, std::size_t bytes, unsigned) const {
    return give(into, bytes, of_host);
  }
  Result take(void* memory) const {
    vendor.places.erase(memory);
    std::free(memory);
    return success;
  }
  Result free_device(void* memory) const { return take(memory); }
  Result free_host(void* memory) const { return take(memory); }
  Result register_host(void* memory, std::size_t, unsigned) const {
    vendor.places[memory] = {of_host, -1};
    return success;
  }
  Result unregister_host(void* memory) const { return vendor.places.erase(memory), success; }
  // The device sees registered memory 4096 bytes behind.
  Result find_on_device(void** there, void* here) const {
    return *there = static_cast<char*>(here) + 4096, result();
  }
  template <class Value>
  Result ask_pointer(Value* value, PointerAttribute which, const void* memory) const {
    const auto place = vendor.places.find(memory);
    if (place == vendor.places.end()) return 5;
    const auto [kind, device] = place->second;
    *value = static_cast<Value>(which == pointer_kind      ? kind
                                : which == pointer_managed ? kind == 3
                                : which == pointer_device  ? device
                                                           : 1);
    return success;
  }
  Result find_allocation(void** begin, std::size_t* bytes, void* memory) const {
    *begin = memory;
    return *bytes = 64, success;
  }
  Result make_handle(Handle* handle, void* memory) const {
    return handle->address = memory, success;
  }
  Result open_handle(void** opened, Handle handle, unsigned) const {
    return *opened = handle.address, result();
  }
  Result close_handle(void*) const { return success; }
  Result ask_priorities(int* least, int* greatest) const {
    return *least = 0, *greatest = -5, success;
  }
  Result make_stream(Stream* stream, unsigned, int priority) const {
    return *stream = reinterpret_cast<void*>(std::intptr_t{100} + priority), success;
  }
  Result destroy_stream(Stream) const { return success; }
  Result await_stream(Stream) const { return asked(); }
  Result ask_capture(Stream, CaptureState* state) const {
    return *state = vendor.capture, result();
  }
  Result exchange_mode(CaptureMode* mode) const { return std::swap(*mode, vendor.mode), success; }
  static Result asked() {
    vendor.asked_in.push_back(vendor.mode);
    return result();
  }
  // Streams of the test: 1000 and the number of a device; 2000 of another context of device 0.
  std::optional<Result> find_device_of(Stream stream, Device& device, bool& is_usual) const {
    const auto number = reinterpret_cast<std::intptr_t>(stream);
    if (number < 1000) return number == 0 ? std::nullopt : std::optional(9);
    device = static_cast<Device>(number % 1000);
    is_usual = number < 2000;
    return success;
  }
  // A timed event is 1 ms after those that were made before.
  Result make_event(Event* event, unsigned flags) const {
    *event = reinterpret_cast<void*>(flags == timed_event_flags ? ++vendor.timed : 0);
    return success;
  }
  Result time_events(float* milliseconds, Event first, Event second) const {
    *milliseconds = static_cast<float>(reinterpret_cast<std::intptr_t>(second) -
                                       reinterpret_cast<std::intptr_t>(first));
    return result();
  }
  Result set_bytes(void* memory, unsigned char value, std::size_t bytes, Stream) const {
    return std::memset(memory, value, bytes), success;
  }
  Result destroy_event(Event) const { return success; }
  Result record_event(Event, Stream) const { return success; }
  Result let_wait(Stream, Event, unsigned) const { return success; }
  Result ask_event(Event) const { return asked(); }
  Result await_event(Event) const { return asked(); }
  Result copy(void* to, const void* from, std::size_t bytes, Stream) const {
    return std::memcpy(to, from, bytes), success;
  }
  Result copy_rows(void*, const void*, const RowCopy&, Stream) const { return success; }
  Result load_module(Module* module, const void* code) const { return *module = code, result(); }
  Result find_kernel(Kernel* kernel, Module, const char* wanted) const {
    vendor.kernels.emplace_back(wanted);
    return *kernel = wanted, success;
  }
  Result allow_shared_bytes(Kernel, int) const { return success; }
  Result load_now(Kernel kernel) const {
    vendor.loaded.emplace_back(kernel);
    return success;
  }
  template <class... All>
  Result launch_kernel(Kernel, All...) const {
    return result();
  }
};

struct AbsentApi : Api {
  static constexpr const char* file = "libnothing.so.1";
};

class AVendorDriver : public testing::Test {
 protected:
  void SetUp() override {
    vendor = {};
    driver.select(0);
  }
  template <class Body>
  static std::string refusal(const Body& body) {
    try {
      body();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  const Api api;
  VendorDriver<Api> driver{api};
};

}  // namespace

TEST_F(AVendorDriver, tells_what_a_device_is) {
  const DeviceTraits traits = driver.traits(1);
  EXPECT_EQ(traits.name, "board");
  EXPECT_EQ(traits.bus, "0000:0B:00.0");
  EXPECT_EQ(traits.threads, 512);  // for which kernels are compiled
  EXPECT_EQ(traits.memory_bytes_per_second, 2 * 1e6 * 64 / 8);
}

TEST_F(AVendorDriver, enters_the_selected_device_and_leaves_the_application_where_it_was) {
  driver.select(1);
  vendor.entered = 0;  // by the application
  void* const memory = driver.allocate(Memory::device, 64);
  EXPECT_EQ(driver.place_of(memory), (MemoryPlace{Memory::device, 1}));
  EXPECT_EQ(vendor.entered, 0);
  driver.release(Memory::device, memory);
  EXPECT_EQ(vendor.entered, 0);
  EXPECT_EQ(vendor.contexts, 2);  // one of each device, made once
}

TEST_F(AVendorDriver, calls_other_libraries_on_the_selected_device) {
  driver.select(1);
  vendor.entered = 0;
  int there = -1;
  driver.within([&] { there = vendor.entered; });
  EXPECT_EQ(there, 1);
  EXPECT_EQ(vendor.entered, 0);
}

TEST_F(AVendorDriver, knows_the_kinds_of_memory) {
  for (const Memory kind : {Memory::device, Memory::managed, Memory::registered}) {
    void* const memory = driver.allocate(kind, 64);
    EXPECT_EQ(driver.place_of(memory).kind, kind);
    EXPECT_EQ(driver.shareable(memory).has_value(), kind == Memory::device);
    driver.release(kind, memory);
    EXPECT_EQ(driver.place_of(memory).kind, Memory::host);
  }
  std::vector<char> mine(64);
  driver.enlist(mine.data(), 64);
  EXPECT_EQ(driver.place_of(mine.data()), (MemoryPlace{Memory::registered, -1}));
  driver.delist(mine.data());
  EXPECT_EQ(driver.place_of(mine.data()).kind, Memory::host);
}

// Only registered memory is elsewhere. What is no memory, or not the device's, stays what it is.
TEST_F(AVendorDriver, asks_where_a_device_sees_registered_memory) {
  std::vector<std::byte> mine(64);
  EXPECT_EQ(driver.address_on_device(mine.data()), mine.data());
  EXPECT_EQ(driver.address_on_device(nullptr), nullptr);
  driver.enlist(mine.data(), 64);
  EXPECT_EQ(driver.address_on_device(mine.data()), mine.data() + 4096);
  vendor.fails = 3;
  EXPECT_THAT(refusal([&] { driver.address_on_device(mine.data()); }),
              HasSubstr("cannot ask where a device sees registered memory: failure 3"));
  driver.delist(mine.data());
  for (const Memory kind : {Memory::device, Memory::managed}) {
    auto* const memory = static_cast<std::byte*>(driver.allocate(kind, 64));
    EXPECT_EQ(driver.address_on_device(memory), memory);
    driver.release(kind, memory);
  }
}

TEST_F(AVendorDriver, refuses_devices_and_memory_that_are_not_there) {
  EXPECT_THAT(refusal([&] { driver.select(2); }), HasSubstr("there is no device 2: vendor has 2"));
  EXPECT_THAT(refusal([&] { driver.select(-1); }), HasSubstr("VENDOR_VISIBLE hides some"));
  EXPECT_THAT(
      refusal([&] { driver.allocate(Memory::managed, 1 << 21); }),
      HasSubstr("vendor: cannot allocate 2097152 bytes of managed memory: 1048576 bytes are "
                "free on device 0"));
  vendor.fails = 3;
  EXPECT_THAT(refusal([&] { driver.allocate(Memory::device, 8); }),
              HasSubstr("cannot allocate 8 bytes of device memory (failure 3)"));
  vendor.has_managed = false;
  EXPECT_THAT(refusal([&] { driver.allocate(Memory::managed, 8); }),
              HasSubstr("vendor: device 0 has no managed memory"));
}

TEST_F(AVendorDriver, asks_for_kernels_once_and_says_for_which_devices_they_are) {
  const DeviceStream stream = driver.make_stream(3);
  EXPECT_EQ(stream.handle, reinterpret_cast<void*>(std::intptr_t{97}));  // more urgent is lower
  vendor.fails = 6;
  EXPECT_THAT(refusal([&] { driver.launch(stream, {}); }),
              HasSubstr("vendor: cannot load weft's kernels for device 0: failure 6"));
  for (int i = 0; i < 2; ++i) driver.launch(stream, {.kernel = 1});
  EXPECT_THAT(vendor.kernels, testing::ElementsAre("weft_lines_double"));
  vendor.fails = 9;
  EXPECT_THAT(refusal([&] { driver.launch(stream, {.kernel = 1, .blocks = 7, .threads = 64}); }),
              HasSubstr("cannot launch 7 blocks of 64 threads with 0 shared bytes: failure 9"));
}

TEST_F(AVendorDriver, loads_a_kernel_when_it_is_prepared) {
  driver.prepare(0);
  driver.prepare(0);
  EXPECT_THAT(vendor.loaded, testing::ElementsAre("weft_lines_single"));
  driver.launch(driver.make_stream(0), {.kernel = 0});
  EXPECT_THAT(vendor.loaded, testing::SizeIs(1));
}

// What CUDA takes from one piece of 2 MiB is shared together.
TEST_F(AVendorDriver, shares_memory_that_nothing_else_is_in) {
  for (const auto& [bytes, taken] : {std::pair<std::int64_t, std::size_t>{0, 2 << 20},
                                     {1, 2 << 20},
                                     {2 << 20, 2 << 20},
                                     {(2 << 20) + 1, 4 << 20}}) {
    vendor.largest = 0;
    driver.release(Memory::device, driver.allocate_to_share(bytes));
    EXPECT_EQ(vendor.largest, taken) << bytes;
  }
  void* const small = driver.allocate(Memory::device, 64);
  driver.release(Memory::device, small);
}

TEST_F(AVendorDriver, tells_why_it_cannot_work_in_a_stream) {
  const auto stream = [](std::intptr_t number) {
    return DeviceStream{reinterpret_cast<void*>(number)};
  };
  EXPECT_EQ(driver.why_not_in(stream(1000)), "");
  EXPECT_EQ(driver.why_not_in(stream(1001)), "it is a stream of device 1");
  EXPECT_EQ(driver.why_not_in(stream(2000)),
            "it is a stream of a context other than the primary one of its device");
  EXPECT_EQ(driver.why_not_in(stream(7)), "vendor says that it is no stream: failure 9");
  EXPECT_EQ(driver.why_not_in(stream(0)), "");  // an old library, which does not tell
}

TEST_F(AVendorDriver, zeroes_memory_and_tells_the_time_between_events) {
  std::vector<char> bytes(9, 7);
  driver.zero({}, bytes.data(), 8);
  EXPECT_THAT(bytes, testing::ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 7));
  driver.make_event();
  const DeviceEvent first = driver.make_timed_event(), second = driver.make_timed_event();
  EXPECT_FLOAT_EQ(static_cast<float>(driver.seconds_between(first, second)), 1e-3F);
  vendor.fails = 4;
  EXPECT_THAT(refusal([&] { driver.seconds_between(first, second); }),
              HasSubstr("vendor: cannot tell the time between two events: failure 4"));
}

TEST_F(AVendorDriver, tells_whether_an_event_has_happened_or_something_has_failed) {
  const DeviceEvent event = driver.make_event();
  EXPECT_TRUE(driver.has_happened(event));
  vendor.fails = Api::not_ready;
  EXPECT_FALSE(driver.has_happened(event));
  vendor.fails = 4;
  EXPECT_THAT(refusal([&] { driver.has_happened(event); }),
              HasSubstr("vendor: a kernel or a copy has failed: failure 4"));
}

// Who asks in the usual mode makes the captures of others invalid.
TEST_F(AVendorDriver, asks_and_waits_while_other_streams_are_captured) {
  const DeviceEvent event = driver.make_event();
  driver.await(event);
  driver.await(driver.make_stream(0));
  for (vendor.fails = 4; vendor.fails != 0;) EXPECT_THROW(driver.has_happened(event), Error);
  EXPECT_THAT(vendor.asked_in, testing::ElementsAre(Api::relaxed, Api::relaxed, Api::relaxed));
  EXPECT_EQ(vendor.mode, 7);  // that of the application again
}

TEST_F(AVendorDriver, knows_whether_a_stream_is_captured) {
  const DeviceStream stream = driver.make_stream(0);
  EXPECT_EQ(driver.capture_of(stream), Capture::none);
  vendor.capture = 1;
  EXPECT_EQ(driver.capture_of(stream), Capture::under_way);
  vendor.capture = 2;
  EXPECT_EQ(driver.capture_of(stream), Capture::invalid);
  vendor.fails = 9;
  EXPECT_THAT(refusal([&] { driver.capture_of(stream); }),
              HasSubstr("cannot ask whether a stream is captured: failure 9"));
}

TEST(AVendorLibrary, that_cannot_be_used_says_why) {
  vendor = {};
  Api api;
  EXPECT_EQ(load_vendor(api), std::nullopt);
  vendor.fails = 100;
  EXPECT_EQ(load_vendor(api), "The vendor's driver finds no device");
  vendor.fails = 7;
  EXPECT_EQ(load_vendor(api), "The vendor's driver cannot start: failure 7 (error 7)");
  api.device_count = 0;
  EXPECT_EQ(load_vendor(api), "The vendor's driver finds no device");
  api.missing = "vendorLaunch";
  EXPECT_EQ(load_vendor(api), "The vendor's driver is too old: it has no vendorLaunch");
  AbsentApi absent;
  EXPECT_EQ(load_vendor(absent), "The vendor's driver (libnothing.so.1) is not installed");
}

// The driver is of version 8: what needs a newer one is not tried.
TEST_F(AVendorDriver, says_why_it_has_no_library_of_transforms) {
  EXPECT_THAT(refusal([&] { driver.fft(); }),
              HasSubstr("libc.so.6 is too old: it has no vendorfftGetVersion"));
}
