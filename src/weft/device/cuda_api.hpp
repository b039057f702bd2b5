// device/cuda_api: CUDA's driver under the names that device/vendor_driver uses.
#pragma once

#include <cuda.h>

#include <string>

#include "weft/device/driver.hpp"
#include "weft/device/vendor_fft.hpp"
#include "weft/device/vendor_library.hpp"

namespace weft {

// clang-format off
#define WEFT_CUDA_FUNCTIONS(each)                \
  each(initialize, cuInit)                       \
  each(driver_version, cuDriverGetVersion)       \
  each(error_text, cuGetErrorString)             \
  each(count_devices, cuDeviceGetCount)          \
  each(find_device, cuDeviceGet)                 \
  each(name_device, cuDeviceGetName)             \
  each(locate_device, cuDeviceGetPCIBusId)       \
  each(size_device, cuDeviceTotalMem)            \
  each(ask_device, cuDeviceGetAttribute)         \
  each(ask_peers, cuDeviceCanAccessPeer)         \
  each(retain_context, cuDevicePrimaryCtxRetain) \
  each(release_context, cuDevicePrimaryCtxRelease) \
  each(use_context, cuCtxSetCurrent)             \
  each(ask_context, cuCtxGetCurrent)             \
  each(reach_context, cuCtxEnablePeerAccess)     \
  each(ask_memory, cuMemGetInfo)                 \
  each(allocate_device, cuMemAlloc)              \
  each(allocate_managed, cuMemAllocManaged)      \
  each(allocate_host, cuMemHostAlloc)            \
  each(free_device, cuMemFree)                   \
  each(free_host, cuMemFreeHost)                 \
  each(register_host, cuMemHostRegister)         \
  each(unregister_host, cuMemHostUnregister)     \
  each(ask_pointer, cuPointerGetAttribute)       \
  each(find_allocation, cuMemGetAddressRange)    \
  each(make_handle, cuIpcGetMemHandle)           \
  each(open_handle, cuIpcOpenMemHandle)          \
  each(close_handle, cuIpcCloseMemHandle)        \
  each(ask_priorities, cuCtxGetStreamPriorityRange) \
  each(make_stream, cuStreamCreateWithPriority)  \
  each(destroy_stream, cuStreamDestroy)          \
  each(await_stream, cuStreamSynchronize)        \
  each(ask_capture, cuStreamIsCapturing)         \
  each(exchange_mode, cuThreadExchangeStreamCaptureMode) \
  each(make_event, cuEventCreate)                \
  each(destroy_event, cuEventDestroy)            \
  each(record_event, cuEventRecord)              \
  each(let_wait, cuStreamWaitEvent)              \
  each(ask_event, cuEventQuery)                  \
  each(await_event, cuEventSynchronize)          \
  each(copy_memory, cuMemcpyAsync)               \
  each(copy_memory_rows, cuMemcpy2DAsync)        \
  each(set_bytes, cuMemsetD8Async)               \
  each(time_events, cuEventElapsedTime)          \
  each(device_of_context, cuCtxGetDevice)        \
  each(context_of_stream, cuStreamGetCtx)        \
  each(load_module, cuModuleLoadData)            \
  each(find_kernel, cuModuleGetFunction)         \
  each(set_kernel, cuFuncSetAttribute)           \
  each(launch_kernel, cuLaunchKernel)
// clang-format on
// From CUDA 12.4 on.
#if CUDA_VERSION >= 12040
#define WEFT_CUDA_OPTIONAL_FUNCTIONS(each) each(load_kernel, cuFuncLoad)
#else
#define WEFT_CUDA_OPTIONAL_FUNCTIONS(each)
#endif

struct CudaApi {
  using Result = CUresult;
  using Device = CUdevice;
  using Context = CUcontext;
  using Address = CUdeviceptr;
  using Handle = CUipcMemHandle;
  using Stream = CUstream;
  using Event = CUevent;
  using CaptureState = CUstreamCaptureStatus;
  using CaptureMode = CUstreamCaptureMode;
  using Module = CUmodule;
  using Kernel = CUfunction;
  using FftHandle = int;  // cufftHandle

  static constexpr const char *name = "cuda", *summary = "devices of NVIDIA",
                              *title = "CUDA's driver", *file = "libcuda.so.1",
                              *visible = "CUDA_VISIBLE_DEVICES",
                              *architectures = "WEFT_CUDA_ARCHITECTURES", *fft_library = "cufft";
  /// cuFFT 12 is of CUDA 13, 11 of CUDA 12: they work with drivers of that version and newer ones.
  static FftLibrary fft() {
    return {fft_library,
            {{"libcufft.so.12", 13000}, {"libcufft.so.11", 12000}, {"libcufft.so.10", 11000}},
            1000,
            true};
  }
  static constexpr Result success = CUDA_SUCCESS, not_ready = CUDA_ERROR_NOT_READY,
                          is_reached_already = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  static constexpr CaptureState no_capture = CU_STREAM_CAPTURE_STATUS_NONE,
                                capture_under_way = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  static constexpr CaptureMode relaxed = CU_STREAM_CAPTURE_MODE_RELAXED;
  static constexpr CUdevice_attribute cache_bytes = CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
                                      shared_bytes =
                                          CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                                      processors = CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                                      threads = CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                      warp = CU_DEVICE_ATTRIBUTE_WARP_SIZE,
                                      has_managed = CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY,
                                      clock_khz = CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE,
                                      bus_bits = CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH;
  static constexpr CUpointer_attribute pointer_kind = CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                       pointer_managed = CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                       pointer_device = CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                       pointer_shareable =
                                           CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
                                       pointer_number = CU_POINTER_ATTRIBUTE_BUFFER_ID;
  static constexpr unsigned of_host = CU_MEMORYTYPE_HOST, for_all_streams = CU_MEM_ATTACH_GLOBAL,
                            allocated_for_all =
                                CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP,
                            registered_for_all =
                                CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP,
                            reaches_peers = CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS,
                            own_stream = CU_STREAM_DEFAULT, event_flags = CU_EVENT_DISABLE_TIMING,
                            timed_event_flags = CU_EVENT_DEFAULT;

  WEFT_CUDA_FUNCTIONS(WEFT_FUNCTION_MEMBER)
  WEFT_CUDA_OPTIONAL_FUNCTIONS(WEFT_FUNCTION_MEMBER)
  /// Takes them from the library; the name of one that it does not have, or null.
  const char* find_in(void* library) {
    WEFT_CUDA_FUNCTIONS(WEFT_FIND_FUNCTION)
    WEFT_CUDA_OPTIONAL_FUNCTIONS(WEFT_FIND_OPTIONAL)
    return nullptr;
  }

  /// What device/kernels is compiled to.
  static const void* code();
  static Address address(const void* pointer) { return reinterpret_cast<Address>(pointer); }
  static void* pointer(Address address) { return reinterpret_cast<void*>(address); }
  static std::string version_text(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  }
  static constexpr int compiled_version = CUDA_VERSION;

  static bool tells_of_no_device(Result result) { return result == CUDA_ERROR_NO_DEVICE; }
  std::string text_of(Result result) const {
    const char* text = nullptr;
    error_text(result, &text);
    return text != nullptr ? text : fmt::format("error {}", static_cast<int>(result));
  }
  /// The primary context of a device, so that arrays of programs that use CUDA's runtime can be
  /// used.
  Result retain(Context& context, Device device) const { return retain_context(&context, device); }
  Result enter(Context context) const { return use_context(context); }
  Result entered(Context& context) const { return ask_context(&context); }
  Result reach(Context peer) const { return reach_context(peer, 0); }
  /// Where kernels in the current context reach registered memory.
  Result find_on_device(Address* there, void* here) const {
    return ask_pointer(there, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address(here));
  }
  Result copy(Address to, Address from, std::size_t bytes, Stream stream) const {
    return copy_memory(to, from, bytes, stream);
  }
  Result copy_rows(Address to, Address from, const RowCopy& rows, Stream stream) const {
    CUDA_MEMCPY2D both{};
    both.srcMemoryType = both.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    both.srcDevice = from;
    both.dstDevice = to;
    both.srcPitch = both.dstPitch = static_cast<std::size_t>(rows.apart);
    both.WidthInBytes = static_cast<std::size_t>(rows.row_bytes);
    both.Height = static_cast<std::size_t>(rows.rows);
    return copy_memory_rows(&both, stream);
  }
  /// The device of a stream, and whether the stream is of its primary context. Nothing if the
  /// library cannot tell.
  std::optional<Result> find_device_of(Stream stream, Device& device, bool& is_usual) const {
    Context of_stream{}, before{}, primary{};
    if (const Result result = context_of_stream(stream, &of_stream); result != success)
      return result;
    if (const Result result = entered(before); result != success) return result;
    if (const Result result = enter(of_stream); result != success) return result;
    const Result result = device_of_context(&device);
    enter(before);
    if (result != success) return result;
    if (const Result retained = retain(primary, device); retained != success) return retained;
    is_usual = primary == of_stream;
    return release_context(device);
  }
  /// Where CUDA loads kernels when they are first launched.
  Result load_now([[maybe_unused]] Kernel kernel) const {
#if CUDA_VERSION >= 12040
    if (load_kernel != nullptr) return load_kernel(kernel);
#endif
    return success;
  }
  /// By default a block has 48 KiB.
  Result allow_shared_bytes(Kernel kernel, int bytes) const {
    return set_kernel(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
  }
};

}  // namespace weft
