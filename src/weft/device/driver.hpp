// device/driver: what weft asks of devices, as a table of functions.
// Keeps: nothing outside device/ includes a header of CUDA or HIP. What is enqueued in a stream
// happens in order, later, and other streams wait for it by events only. Functions of a driver
// throw Error::system with the driver's own text, and Error::unsupported for what it does not have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/machine/block_limits.hpp"
#include "weft/memory.hpp"

namespace weft {

/// What a device is.
struct DeviceTraits {
  std::string name;
  std::string bus;  ///< its PCI address: domain:bus:device.function
  std::int64_t memory_bytes = 0;
  std::int64_t cache_bytes = 0;   ///< of level 2
  std::int64_t shared_bytes = 0;  ///< that the threads of a block can share
  int processors = 0;             ///< each runs one or several blocks
  int threads = 0;                ///< of a block at most
  int warp = 0;                   ///< threads that run together
  /// Bytes that its memory loads or stores in a second at most, by its clock; 0: unknown.
  double memory_bytes_per_second = 0;
};

/// What a block of threads of a device may use.
inline BlockLimits block_limits(const DeviceTraits& traits) {
  return {traits.shared_bytes, traits.threads, traits.warp};
}

/// Where an address is.
struct MemoryPlace {
  Memory kind = Memory::host;
  int device = -1;  ///< of device memory and managed memory

  friend bool operator==(const MemoryPlace&, const MemoryPlace&) = default;
};

/// A stream and an event of a driver; null: none. The null stream of a driver is not used.
struct DeviceStream {
  void* handle = nullptr;
};
struct DeviceEvent {
  void* handle = nullptr;
};

/// Whether the application captures a stream in a graph (cuStreamBeginCapture). What is enqueued
/// there then does not happen before the graph is launched. Invalid: an error has ended the
/// capture, and the stream is of no use before the application has ended it, too.
enum class Capture { none, under_way, invalid };

/// A kernel that is started: its number in device/kernels, and its arguments, which are copied.
struct KernelLaunch {
  int kernel = 0;
  std::int64_t blocks = 1;
  int threads = 1;                ///< of a block
  std::int64_t shared_bytes = 0;  ///< of a block
  const void* arguments = nullptr;
};

/// Rows of bytes, as far apart where they are copied to as where they are copied from.
struct RowCopy {
  std::int64_t row_bytes = 0, rows = 1;
  std::int64_t apart = 0;  ///< bytes from the begin of a row to that of the next
};

/// Device memory that was allocated in one piece.
struct DeviceAllocation {
  void* address = nullptr;
  std::int64_t bytes = 0;
  std::int64_t number = 0;  ///< unique in this process, and never used again

  friend bool operator==(const DeviceAllocation&, const DeviceAllocation&) = default;
};

/// What another process needs to map device memory; plain data that can be sent to it.
struct DeviceMemoryHandle {
  std::array<std::byte, 64> bytes{};

  friend bool operator==(const DeviceMemoryHandle&, const DeviceMemoryHandle&) = default;
};

class DeviceFft;

/// The functions of a kind of device. All are thread-safe but select(), which is for the calling
/// thread; allocation, streams and launches are those of the device that it selected last.
class DeviceDriver {
 public:
  virtual ~DeviceDriver() = default;

  // Devices.
  virtual int devices() const = 0;
  virtual DeviceTraits traits(int device) const = 0;
  virtual void select(int device) = 0;
  virtual int selected() const = 0;
  /// Calls functions of another library, which work on the device that is current for the runtime
  /// of the vendor: here the selected one. After that it is the application's again.
  virtual void within(const std::function<void()>& call) = 0;
  /// Bytes of the selected device's memory that nobody has allocated.
  virtual std::int64_t free_bytes() const = 0;
  /// Whether kernels of `device` can use the memory of `peer`; enables it.
  virtual bool reaches(int device, int peer) = 0;

  // Memory. Allocated memory is aligned to 256 bytes, and its contents are undefined.
  /// Error::system, with the bytes that are wanted and free, if there is not enough.
  virtual void* allocate(Memory kind, std::int64_t bytes) = 0;
  /// The same of device memory that others may map: what they map has nothing else in it.
  virtual void* allocate_to_share(std::int64_t bytes) = 0;
  virtual void release(Memory kind, void* address) noexcept = 0;
  /// Locks memory of the processor: it is registered, and kernels reach it where it is; unlocks it.
  virtual void enlist(void* address, std::int64_t bytes) = 0;
  virtual void delist(void* address) noexcept = 0;
  virtual MemoryPlace place_of(const void* address) const = 0;
  /// The address by which kernels of the selected device reach what is at `address`: another one,
  /// on some devices, for registered memory. Others stay as they are, null and host memory too.
  virtual std::byte* address_on_device(std::byte* address) const = 0;

  // Memory of other processes of the node.
  /// The allocation that holds this address, if it is device memory that this process has allocated
  /// and others can map. They cannot map managed memory, nor memory of pools.
  virtual std::optional<DeviceAllocation> shareable(const void* address) const = 0;
  /// Of an allocation, which begins at `device_memory`.
  virtual DeviceMemoryHandle handle_of(void* device_memory) = 0;
  /// The memory behind a handle that another process has made; until it is closed. A handle is
  /// opened only once on a device (see device/region_memory).
  virtual void* open(const DeviceMemoryHandle& handle) = 0;
  virtual void close(void* opened) noexcept = 0;

  // Streams. A higher urgency is served first, where the device can.
  virtual DeviceStream make_stream(int urgency) = 0;
  virtual void destroy(DeviceStream stream) noexcept = 0;
  /// Why the selected device cannot work in a stream of the application's: "it is a stream of
  /// device 1". Empty if it can, or the driver does not tell.
  virtual std::string why_not_in(DeviceStream stream) const = 0;
  virtual Capture capture_of(DeviceStream stream) const = 0;
  virtual DeviceEvent make_event() = 0;
  /// An event of which the driver remembers when it happened, which costs the stream some time.
  virtual DeviceEvent make_timed_event() = 0;
  virtual void destroy(DeviceEvent event) noexcept = 0;

  // What a stream does, in the order of the calls.
  /// Between any kinds of memory. Memory of the processor that is not registered may be read or
  /// written during the call already, or as late as the stream comes to it.
  virtual void copy(DeviceStream stream, void* to, const void* from, std::int64_t bytes) = 0;
  /// The same for rows; nothing between them is read or written.
  virtual void copy_rows(DeviceStream stream, void* to, const void* from, const RowCopy& rows) = 0;
  /// Sets bytes of device memory or managed memory to zero.
  virtual void zero(DeviceStream stream, void* address, std::int64_t bytes) = 0;
  /// Loads a kernel on the selected device, so that no launch has to.
  virtual void prepare(int kernel) = 0;
  /// Of a kernel that is prepared.
  virtual void launch(DeviceStream stream, const KernelLaunch& launch) = 0;
  /// The event happens when the stream has done all before.
  virtual void record(DeviceStream stream, DeviceEvent event) = 0;
  /// What follows in the stream waits for what was recorded last for the event.
  virtual void wait(DeviceStream stream, DeviceEvent event) = 0;

  // The processor asks, or waits: for nothing that was captured, which would make the capture
  // invalid. Others may capture other streams meanwhile.
  virtual bool has_happened(DeviceEvent event) = 0;
  /// From one timed event to another, which have both happened.
  virtual double seconds_between(DeviceEvent first, DeviceEvent second) = 0;
  virtual void await(DeviceEvent event) = 0;
  virtual void await(DeviceStream stream) = 0;

  /// The library of transforms for these devices, which is loaded when it is first asked for.
  /// Error::unsupported, with the reason, if it is not here.
  virtual DeviceFft& fft() = 0;
};

/// An entry of the table of drivers.
struct DriverEntry {
  std::string name;
  std::string summary;
  /// Empty if there are devices of this kind, else the reason why not.
  std::optional<std::string> (*applies)();
  /// The versions of the driver and of what it was compiled with.
  std::string (*version)();
  /// The only one of the process.
  DeviceDriver& (*get)();
  /// Whether something in this process has used the driver, so that arrays may be its memory.
  bool (*is_in_use)();
  /// The name of its library of transforms, as strategies and options have it.
  std::string library = {};
  /// For tests: plans take it where no engine is named.
  bool is_usual = false;
};

/// All drivers, in order of preference.
const std::vector<DriverEntry>& device_drivers();

/// Whether `name` is that of a driver, whether it applies or not.
bool is_driver(const std::string& name);
/// The entry of the driver with this name, or with a library of transforms of this name; null if
/// there is none.
const DriverEntry* driver_entry(const std::string& name);
const DriverEntry* driver_of_library(const std::string& library);
/// The driver, of those in use, that knows the memory at `address`; null if none does.
DeviceDriver* driver_of(const void* address);

/// For tests: a driver that comes first from now on, instead of the one of its name. The same on
/// all ranks, and before anything else is called.
void pretend_driver(const DriverEntry& entry);

/// The driver called `name`; for an empty name, the first that applies. Error::unsupported, with
/// the reasons, if it does not apply, or none does; Error::invalid if there is none of this name.
const DriverEntry& find_driver(const std::string& name);

// The entries, each defined in the file of its driver.
DriverEntry cuda_entry();
DriverEntry hip_entry();

}  // namespace weft
