// device/cuda: devices of NVIDIA, by CUDA's driver.
// State: compiled, and not yet run on a device.

#include <algorithm>
#include <array>
#include <cstring>

#include "weft/base/ensure.hpp"
#include "weft/device/cuda_contexts.hpp"
#include "weft/device/driver.hpp"

namespace weft {

namespace {

CUdeviceptr pointer(const void* address) { return reinterpret_cast<CUdeviceptr>(address); }
CUstream stream_of(DeviceStream stream) { return static_cast<CUstream>(stream.handle); }
CUevent event_of(DeviceEvent event) { return static_cast<CUevent>(event.handle); }

class CudaDriver : public DeviceDriver {
 public:
  explicit CudaDriver(const CudaLibrary& library) : cuda_(library), contexts_(library) {}

  int devices() const override { return contexts_.devices(); }

  DeviceTraits traits(int device) const override {
    const CUdevice handle = contexts_.device(device);
    std::array<char, 256> name{};
    std::array<char, 32> bus{};
    std::size_t bytes = 0;
    check(cuda_.cuDeviceGetName(name.data(), static_cast<int>(name.size()), handle),
          "cannot ask for the name of a device");
    check(cuda_.cuDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), handle),
          "cannot ask for the address of a device");
    check(cuda_.cuDeviceTotalMem(&bytes, handle), "cannot ask for the memory of a device");
    DeviceTraits traits;
    traits.name = name.data();
    traits.bus = bus.data();
    traits.memory_bytes = static_cast<std::int64_t>(bytes);
    traits.cache_bytes = contexts_.attribute(handle, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    traits.shared_bytes =
        contexts_.attribute(handle, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    traits.processors = contexts_.attribute(handle, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    // With as many, each has the 128 registers that device/cuda_kernels is compiled for.
    traits.threads =
        std::min(512, contexts_.attribute(handle, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
    traits.warp = contexts_.attribute(handle, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    return traits;
  }

  void select(int device) override {
    if (device < 0 || device >= devices())
      throw Error(Error::invalid,
                  fmt::format("there is no device {}: CUDA has {}", device, devices()),
                  "devices are numbered from 0 on; CUDA_VISIBLE_DEVICES hides some");
    contexts_.select(device);
  }
  int selected() const override { return contexts_.selected(); }

  std::int64_t free_bytes() const override {
    enter();
    std::size_t unused = 0, all = 0;
    check(cuda_.cuMemGetInfo(&unused, &all), "cannot ask for free memory");
    return static_cast<std::int64_t>(unused);
  }

  bool reaches(int device, int peer) override;

  void* allocate(Memory kind, std::int64_t bytes) override {
    ensure(kind != Memory::host && bytes >= 0, static_cast<int>(kind), bytes);
    enter();
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
    // Managed memory beyond what is free can stop a device altogether.
    if (kind == Memory::managed && bytes > free_bytes()) throw shortage(kind, bytes, "");
    CUdeviceptr device_memory = 0;
    void* memory = nullptr;
    CUresult result = CUDA_SUCCESS;
    if (kind == Memory::device)
      result = cuda_.cuMemAlloc(&device_memory, size);
    else if (kind == Memory::managed)
      result = cuda_.cuMemAllocManaged(&device_memory, size, CU_MEM_ATTACH_GLOBAL);
    else
      result = cuda_.cuMemHostAlloc(&memory, size, CU_MEMHOSTALLOC_PORTABLE);
    if (result != CUDA_SUCCESS) throw shortage(kind, bytes, text_of_cuda(cuda_, result));
    return kind == Memory::registered ? memory : reinterpret_cast<void*>(device_memory);
  }
  void release(Memory kind, void* address) noexcept override {
    if (address == nullptr) return;
    contexts_.enter_quietly();
    if (kind == Memory::registered)
      cuda_.cuMemFreeHost(address);
    else
      cuda_.cuMemFree(pointer(address));
  }

  void enlist(void* address, std::int64_t bytes) override {
    enter();
    check(cuda_.cuMemHostRegister(address, static_cast<std::size_t>(bytes),
                                  CU_MEMHOSTREGISTER_PORTABLE),
          fmt::format("cannot register {} bytes of memory", bytes));
  }
  void delist(void* address) noexcept override {
    contexts_.enter_quietly();
    cuda_.cuMemHostUnregister(address);
  }

  MemoryPlace place_of(const void* address) const override {
    enter();
    unsigned type = 0;
    if (cuda_.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer(address)) !=
        CUDA_SUCCESS)
      return {};
    unsigned is_managed = 0;
    int device = -1;
    cuda_.cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer(address));
    cuda_.cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer(address));
    if (is_managed != 0) return {Memory::managed, device};
    if (type == CU_MEMORYTYPE_HOST) return {Memory::registered, -1};
    return {Memory::device, device};
  }

  std::optional<DeviceAllocation> shareable(const void* address) const override;
  DeviceMemoryHandle handle_of(void* device_memory) override {
    enter();
    CUipcMemHandle shared;
    check(cuda_.cuIpcGetMemHandle(&shared, pointer(device_memory)),
          "cannot share memory of a device with other processes");
    DeviceMemoryHandle handle;
    static_assert(sizeof shared <= sizeof handle.bytes);
    std::memcpy(handle.bytes.data(), &shared, sizeof shared);
    return handle;
  }
  void* open(const DeviceMemoryHandle& handle) override {
    enter();
    CUipcMemHandle shared;
    std::memcpy(&shared, handle.bytes.data(), sizeof shared);
    CUdeviceptr opened = 0;
    check(cuda_.cuIpcOpenMemHandle(&opened, shared, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
          "cannot map another process's memory of a device");
    return reinterpret_cast<void*>(opened);
  }
  void close(void* opened) noexcept override {
    contexts_.enter_quietly();
    cuda_.cuIpcCloseMemHandle(pointer(opened));
  }

  DeviceStream make_stream(int urgency) override {
    enter();
    int least = 0, greatest = 0;  // numerically, the greatest priority is the lowest number
    check(cuda_.cuCtxGetStreamPriorityRange(&least, &greatest), "cannot ask for priorities");
    CUstream stream = nullptr;
    check(cuda_.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING,
                                           std::clamp(-urgency, greatest, least)),
          "cannot make a stream");
    return {stream};
  }
  void destroy(DeviceStream stream) noexcept override {
    contexts_.enter_quietly();
    cuda_.cuStreamDestroy(stream_of(stream));
  }
  DeviceEvent make_event() override {
    enter();
    CUevent event = nullptr;
    check(cuda_.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "cannot make an event");
    return {event};
  }
  void destroy(DeviceEvent event) noexcept override {
    contexts_.enter_quietly();
    cuda_.cuEventDestroy(event_of(event));
  }

  void copy(DeviceStream stream, void* to, const void* from, std::int64_t bytes) override {
    if (bytes == 0) return;
    enter();
    check(cuda_.cuMemcpyAsync(pointer(to), pointer(from), static_cast<std::size_t>(bytes),
                              stream_of(stream)),
          fmt::format("cannot copy {} bytes", bytes));
  }
  void copy_rows(DeviceStream stream, void* to, const void* from, const RowCopy& rows) override;
  void launch(DeviceStream stream, const KernelLaunch& launch) override {
    enter();
    void* arguments = const_cast<void*>(launch.arguments);  // the driver copies them
    check(cuda_.cuLaunchKernel(
              contexts_.kernel(launch.kernel), static_cast<unsigned>(launch.blocks), 1, 1,
              static_cast<unsigned>(launch.threads), 1, 1,
              static_cast<unsigned>(launch.shared_bytes), stream_of(stream), &arguments, nullptr),
          fmt::format("cannot launch {} blocks of {} threads with {} shared bytes", launch.blocks,
                      launch.threads, launch.shared_bytes));
  }
  void record(DeviceStream stream, DeviceEvent event) override {
    enter();
    check(cuda_.cuEventRecord(event_of(event), stream_of(stream)), "cannot record an event");
  }
  void wait(DeviceStream stream, DeviceEvent event) override {
    enter();
    check(cuda_.cuStreamWaitEvent(stream_of(stream), event_of(event), 0),
          "cannot let a stream wait");
  }

  bool has_happened(DeviceEvent event) override {
    enter();
    const CUresult result = cuda_.cuEventQuery(event_of(event));
    if (result == CUDA_ERROR_NOT_READY) return false;
    check(result, "a kernel or a copy has failed");
    return true;
  }
  void await(DeviceEvent event) override {
    enter();
    check(cuda_.cuEventSynchronize(event_of(event)), "a kernel or a copy has failed");
  }
  void await(DeviceStream stream) override {
    enter();
    check(cuda_.cuStreamSynchronize(stream_of(stream)), "a kernel or a copy has failed");
  }

 private:
  Error shortage(Memory kind, std::int64_t bytes, const std::string& why) const {
    return Error(Error::system,
                 fmt::format("cuda: cannot allocate {} bytes of {} memory{}: {} bytes are free on "
                             "device {}",
                             bytes, to_string(kind), why.empty() ? "" : " (" + why + ")",
                             free_bytes(), contexts_.selected()),
                 "use more devices, or a smaller field");
  }
  void enter() const { contexts_.enter(); }
  void check(CUresult result, const std::string& what) const { check_cuda(cuda_, result, what); }

  const CudaLibrary& cuda_;
  mutable CudaContexts contexts_;
};

std::optional<DeviceAllocation> CudaDriver::shareable(const void* address) const {
  if (place_of(address).kind != Memory::device) return std::nullopt;
  unsigned is_capable = 1;
  cuda_.cuPointerGetAttribute(&is_capable, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
                              pointer(address));
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  unsigned long long number = 0;
  if (is_capable == 0 ||
      cuda_.cuMemGetAddressRange(&begin, &bytes, pointer(address)) != CUDA_SUCCESS ||
      cuda_.cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_BUFFER_ID, begin) != CUDA_SUCCESS)
    return std::nullopt;
  return DeviceAllocation{reinterpret_cast<void*>(begin), static_cast<std::int64_t>(bytes),
                          static_cast<std::int64_t>(number)};
}

void CudaDriver::copy_rows(DeviceStream stream, void* to, const void* from, const RowCopy& rows) {
  if (rows.row_bytes == 0 || rows.rows == 0) return;
  enter();
  // CUDA takes no rows that are further apart.
  constexpr std::int64_t most_apart = 2'147'483'647;
  if (rows.apart > most_apart) {
    for (std::int64_t row = 0; row < rows.rows; ++row)
      copy(stream, static_cast<std::byte*>(to) + row * rows.apart,
           static_cast<const std::byte*>(from) + row * rows.apart, rows.row_bytes);
    return;
  }
  CUDA_MEMCPY2D both{};
  both.srcMemoryType = both.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  both.srcDevice = pointer(from);
  both.dstDevice = pointer(to);
  both.srcPitch = both.dstPitch = static_cast<std::size_t>(rows.apart);
  both.WidthInBytes = static_cast<std::size_t>(rows.row_bytes);
  both.Height = static_cast<std::size_t>(rows.rows);
  check(cuda_.cuMemcpy2DAsync(&both, stream_of(stream)),
        fmt::format("cannot copy {} rows of {} bytes", rows.rows, rows.row_bytes));
}

bool CudaDriver::reaches(int device, int peer) {
  if (device == peer) return true;
  int can = 0;
  check(cuda_.cuDeviceCanAccessPeer(&can, contexts_.device(device), contexts_.device(peer)),
        "cannot ask whether devices reach each other");
  if (can == 0) return false;
  const int before = selected();
  select(device);
  const CUresult result = cuda_.cuCtxEnablePeerAccess(contexts_.of(peer), 0);
  select(before);
  return result == CUDA_SUCCESS || result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}

}  // namespace

DriverEntry cuda_entry() {
  return {"cuda", "devices of NVIDIA",
          []() -> std::optional<std::string> {
            std::optional<std::string> why_not;
            cuda_library(why_not);
            return why_not;
          },
          [] {
            std::optional<std::string> why_not;
            const CudaLibrary* const library = cuda_library(why_not);
            int version = 0;
            if (library != nullptr) library->cuDriverGetVersion(&version);
            return fmt::format("driver {}.{}, compiled with {}.{}", version / 1000,
                               version % 1000 / 10, CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10);
          },
          []() -> DeviceDriver& {
            std::optional<std::string> why_not;
            const CudaLibrary* const library = cuda_library(why_not);
            ensure(library != nullptr);
            static CudaDriver driver(*library);
            return driver;
          }};
}

}  // namespace weft
