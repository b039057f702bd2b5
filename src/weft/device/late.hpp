// device/late: a device that is not there. Its streams run on the processor, as late as events
// allow or in a random order; the processor cannot touch its memory, which begins as NaN. What a
// program for devices forgets to wait for has then not happened.
// Keeps: one thread at a time does something here. It is for tests, and not part of the library.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weft/device/device_fft.hpp"
#include "weft/device/driver.hpp"
#include "weft/memory/shared_region.hpp"

namespace weft {

/// When what is enqueued in streams happens.
enum class Lateness {
  laziest,  ///< nothing, until the processor waits for an event or a stream; then what it needs
  random    ///< now and then something that is next in one of the streams
};

/// The driver of some late devices. Processes share their memory by handles.
class LateDriver : public DeviceDriver {
 public:
  struct Settings {
    unsigned seed = 1;
    Lateness lateness = Lateness::laziest;
    int devices = 1;
    bool reaches_others = true;                         ///< whether devices use each other's memory
    std::int64_t memory_bytes = std::int64_t{1} << 30;  ///< of each device
    std::int64_t shared_bytes = 48 * 1024;
    int threads = 128;
    int processors = 3;
    int domain = 0;  ///< of the addresses of its buses: another number, other devices
  };

  explicit LateDriver(const Settings& settings);
  ~LateDriver() override;

  int devices() const override { return settings_.devices; }
  DeviceTraits traits(int device) const override;
  void select(int device) override;
  int selected() const override;
  void within(const std::function<void()>& call) override;
  std::int64_t free_bytes() const override;
  bool reaches(int device, int peer) override;
  void* allocate(Memory kind, std::int64_t bytes) override;
  void* allocate_to_share(std::int64_t bytes) override { return allocate(Memory::device, bytes); }
  void release(Memory kind, void* address) noexcept override;
  void enlist(void* address, std::int64_t bytes) override;
  void delist(void* address) noexcept override;
  MemoryPlace place_of(const void* address) const override;
  /// Another address for enlisted memory, at which the processor finds nothing.
  std::byte* address_on_device(std::byte* address) const override;
  std::optional<DeviceAllocation> shareable(const void* address) const override;
  DeviceMemoryHandle handle_of(void* device_memory) override;
  void* open(const DeviceMemoryHandle& handle) override;
  void close(void* opened) noexcept override;
  DeviceStream make_stream(int urgency) override;
  void destroy(DeviceStream stream) noexcept override;
  std::string why_not_in(DeviceStream stream) const override;
  Capture capture_of(DeviceStream stream) const override;
  DeviceEvent make_event() override;
  DeviceEvent make_timed_event() override;
  void destroy(DeviceEvent event) noexcept override;
  void copy(DeviceStream stream, void* to, const void* from, std::int64_t bytes) override;
  void copy_rows(DeviceStream stream, void* to, const void* from, const RowCopy& rows) override;
  void zero(DeviceStream stream, void* address, std::int64_t bytes) override;
  void prepare(int kernel) override;
  void launch(DeviceStream stream, const KernelLaunch& launch) override;
  void record(DeviceStream stream, DeviceEvent event) override;
  void wait(DeviceStream stream, DeviceEvent event) override;
  bool has_happened(DeviceEvent event) override;
  double seconds_between(DeviceEvent first, DeviceEvent second) override;
  void await(DeviceEvent event) override;
  void await(DeviceStream stream) override;
  DeviceFft& fft() override;

  /// From now on it has this library of transforms; null: none, as at the beginning.
  void give_fft(std::unique_ptr<DeviceFft> fft) { fft_ = std::move(fft); }
  /// For such a library: a stream does something, which may touch memory of devices.
  void enqueue(DeviceStream stream, std::function<void()> action);
  /// The device that is current for such libraries: the application's, device 0, but in within().
  int current() const;
  /// Device memory that other processes cannot map, as of pools.
  void* allocate_of_pool(std::int64_t bytes);
  /// For tests of kernels that are no part of weft: launches a body in a stream.
  void launch(DeviceStream stream, const KernelLaunch& launch,
              std::function<void(const class LateGroup&, std::byte*)> body);
  /// For devices of several processes that wait for each other: the stream does nothing else until
  /// `attempt`, which it calls again and again, returns that it is over. The processor of each
  /// process has to ask its driver for something now and then.
  void enqueue_until(DeviceStream stream, std::function<bool()> attempt);
  /// What the streams of a capture do, in the order of the calls.
  using Graph = std::vector<std::function<bool()>>;
  /// What is enqueued in the stream from now on, and in streams that wait for it, becomes a graph.
  /// As with CUDA, what cannot be captured is an error, and makes the capture invalid: to ask or
  /// wait for what is captured, or to let it wait for what is not; to allocate, release or register
  /// memory, or load a kernel; to copy memory that is not registered.
  void begin_capture(DeviceStream stream);
  /// Error::system if the capture is invalid, or other streams have not come back.
  Graph end_capture(DeviceStream stream);
  void launch_graph(DeviceStream stream, const Graph& graph);
  /// How many things streams have done.
  std::int64_t done() const;
  /// How many file descriptors its memory takes, where that of a device takes none.
  std::int64_t descriptors() const;
  /// Whether this thread is in a call of a late driver. What it allocates then, drivers of devices
  /// do not allocate in the program.
  static bool is_called_here() { return Call::depth > 0; }

 private:
  // A call of this thread, while which other threads do not come in. When it ends, the processor
  // cannot touch memory of devices.
  class [[nodiscard]] Call {
   public:
    explicit Call(const LateDriver& driver) : lock_(driver.mutex_), driver_(driver) { ++depth; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() {
      if (--depth == 0) driver_.allow_access(false);
    }

    static inline thread_local int depth = 0;

   private:
    std::lock_guard<std::recursive_mutex> lock_;
    const LateDriver& driver_;
  };
  struct Stream;
  struct Captured {
    Graph graph;
    bool is_valid = true, has_ended = false;
  };
  struct Event {
    bool is_timed = false;
    std::int64_t recorded = 0, happened = 0;  // how often
    std::int64_t done = 0;                    // what streams had done when it last happened
    // If it was last recorded in a capture: there, in this stream, after so many things.
    std::shared_ptr<Captured> captured;
    Stream* stream = nullptr;
    std::int64_t after = 0;
  };
  // Something that a stream does: an action, which may have to be tried again, or a wait until an
  // event has happened `times` times; or the event happens for the time of this number.
  struct Operation {
    std::function<bool()> action;  // whether it is over
    std::shared_ptr<Event> awaited{}, brought{};
    std::int64_t times = 0;
  };
  struct Stream {
    int device = 0;
    std::deque<Operation> operations;
    std::shared_ptr<Captured> captured;  // null: it is not
    std::int64_t captured_operations = 0;
    bool has_come_back = false;  // another stream of the capture waits for all of them
  };
  struct Allocation {
    SharedRegion region;  // of device memory
    std::int64_t bytes = 0;
    Memory kind = Memory::device;
    int device = 0;
    bool is_opened = false;
    bool is_of_pool = false;
  };

  const std::pair<std::byte* const, Allocation>* allocation_of(const void* address) const;
  bool is_enlisted(const void* address) const;
  void allow_access(bool is_allowed) const;
  void set_access(std::byte* address, const Allocation& allocation) const;
  template <class Real>
  void require_reach(const void* arguments);
  void launch_after(DeviceStream stream, const KernelLaunch& launch,
                    std::function<void(const class LateGroup&, std::byte*)> body,
                    std::function<void()> check);
  Stream& stream_of(DeviceStream stream) const;
  Stream& entered(DeviceStream stream) const;
  std::shared_ptr<Event> event_of(DeviceEvent event) const;
  [[noreturn]] static void refuse_in(Captured& captured, const std::string& what);
  void end_captures() noexcept;
  void require_no_capture(const std::string& what);
  static void require_not_captured(const Event& event);
  bool is_ready(const Stream& stream) const;
  bool step(Stream& stream);
  bool tries_again() const;
  template <class IsOver, class Step>
  void take_further_until(const IsOver& is_over, const Step& step);
  void await_all();
  Stream* bringer_of(const Event& event, std::int64_t times) const;
  bool advance(Stream& stream, int depth = 0);
  bool step_any();
  void pass_time();

  Settings settings_;
  mutable std::recursive_mutex mutex_;
  mutable bool is_accessible_ = false;  // memory of devices, to the processor
  std::mt19937 random_;
  std::map<std::byte*, Allocation> allocations_;  // by first address
  std::map<const std::byte*, std::int64_t> registered_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::map<void*, std::shared_ptr<Event>> events_;  // those that are not destroyed
  std::set<std::pair<int, int>> prepared_;          // devices and kernels
  std::int64_t done_ = 0;
  std::unique_ptr<DeviceFft> fft_;
};

/// The entry "late" of the table of drivers, for pretend_driver(): the late devices of this
/// process, which are made when they are first used. `seed` is theirs; an even number is for
/// Lateness::random.
DriverEntry late_entry(unsigned seed);
DriverEntry late_entry(const LateDriver::Settings& settings);

}  // namespace weft
