// device/hip_api: HIP's runtime under the names that device/vendor_driver uses.
#pragma once

#define __HIP_PLATFORM_AMD__ 1
#define __HIP_DISABLE_CPP_FUNCTIONS__ 1  // overloads
#include <hip/hip_runtime_api.h>

#include <string>

#include "weft/device/driver.hpp"
#include "weft/device/vendor_fft.hpp"
#include "weft/device/vendor_library.hpp"

namespace weft {

// clang-format off
#define WEFT_HIP_FUNCTIONS(each)                 \
  each(initialize, hipInit)                      \
  each(driver_version, hipRuntimeGetVersion)     \
  each(error_text, hipGetErrorString)            \
  each(count_devices, hipGetDeviceCount)         \
  each(find_device, hipDeviceGet)                \
  each(name_device, hipDeviceGetName)            \
  each(locate_device, hipDeviceGetPCIBusId)      \
  each(size_device, hipDeviceTotalMem)           \
  each(ask_device, hipDeviceGetAttribute)        \
  each(ask_peers, hipDeviceCanAccessPeer)        \
  each(use_device, hipSetDevice)                 \
  each(ask_selected, hipGetDevice)                 \
  each(reach_device, hipDeviceEnablePeerAccess)  \
  each(ask_memory, hipMemGetInfo)                \
  each(allocate_device, hipMalloc)               \
  each(allocate_managed, hipMallocManaged)       \
  each(allocate_host, hipHostMalloc)             \
  each(free_device, hipFree)                     \
  each(free_host, hipHostFree)                   \
  each(register_host, hipHostRegister)           \
  each(unregister_host, hipHostUnregister)       \
  each(find_registered, hipHostGetDevicePointer) \
  each(ask_pointer, hipPointerGetAttribute)      \
  each(find_allocation, hipMemGetAddressRange)   \
  each(make_handle, hipIpcGetMemHandle)          \
  each(open_handle, hipIpcOpenMemHandle)         \
  each(close_handle, hipIpcCloseMemHandle)       \
  each(ask_priorities, hipDeviceGetStreamPriorityRange) \
  each(make_stream, hipStreamCreateWithPriority) \
  each(destroy_stream, hipStreamDestroy)         \
  each(await_stream, hipStreamSynchronize)       \
  each(ask_capture, hipStreamIsCapturing)        \
  each(exchange_mode, hipThreadExchangeStreamCaptureMode) \
  each(make_event, hipEventCreateWithFlags)      \
  each(destroy_event, hipEventDestroy)           \
  each(record_event, hipEventRecord)             \
  each(let_wait, hipStreamWaitEvent)             \
  each(ask_event, hipEventQuery)                 \
  each(await_event, hipEventSynchronize)         \
  each(copy_memory, hipMemcpyAsync)              \
  each(copy_memory_rows, hipMemcpy2DAsync)       \
  each(set_bytes, hipMemsetD8Async)              \
  each(time_events, hipEventElapsedTime)         \
  each(load_module, hipModuleLoadData)           \
  each(find_kernel, hipModuleGetFunction)        \
  each(launch_kernel, hipModuleLaunchKernel)
// clang-format on

struct HipApi {
  using Result = hipError_t;
  using Device = hipDevice_t;
  using Context = int;  // HIP has devices in place of contexts
  using Address = hipDeviceptr_t;
  using Handle = hipIpcMemHandle_t;
  using Stream = hipStream_t;
  using Event = hipEvent_t;
  using CaptureState = hipStreamCaptureStatus;
  using CaptureMode = hipStreamCaptureMode;
  using Module = hipModule_t;
  using Kernel = hipFunction_t;
  using FftHandle = void*;  // hipfftHandle

  // The layout of what the headers declare changes with the first number of the version.
  static constexpr const char *name = "hip", *summary = "devices of AMD", *title = "HIP's runtime",
                              *file = "libamdhip64.so." WEFT_TEXT(HIP_VERSION_MAJOR),
                              *visible = "HIP_VISIBLE_DEVICES",
                              *architectures = "WEFT_HIP_ARCHITECTURES", *fft_library = "hipfft";
  /// rocFFT, on which it is built, may overwrite what any transform loads:
  /// https://rocm.docs.amd.com/projects/rocFFT, rocfft_execute.
  static FftLibrary fft() {
    return {fft_library, {{"libhipfft.so.0"}, {"libhipfft.so"}}, 10000, false};
  }
  static constexpr Result success = hipSuccess, not_ready = hipErrorNotReady,
                          is_reached_already = hipErrorPeerAccessAlreadyEnabled;
  static constexpr CaptureState no_capture = hipStreamCaptureStatusNone,
                                capture_under_way = hipStreamCaptureStatusActive;
  static constexpr CaptureMode relaxed = hipStreamCaptureModeRelaxed;
  static constexpr hipDeviceAttribute_t cache_bytes = hipDeviceAttributeL2CacheSize,
                                        shared_bytes = hipDeviceAttributeMaxSharedMemoryPerBlock,
                                        processors = hipDeviceAttributeMultiprocessorCount,
                                        threads = hipDeviceAttributeMaxThreadsPerBlock,
                                        warp = hipDeviceAttributeWarpSize,
                                        has_managed = hipDeviceAttributeManagedMemory,
                                        clock_khz = hipDeviceAttributeMemoryClockRate,
                                        bus_bits = hipDeviceAttributeMemoryBusWidth;
  static constexpr hipPointer_attribute pointer_kind = HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                        pointer_managed = HIP_POINTER_ATTRIBUTE_IS_MANAGED,
                                        pointer_device = HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                        pointer_shareable =
                                            HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE,
                                        pointer_number = HIP_POINTER_ATTRIBUTE_BUFFER_ID;
  static constexpr unsigned of_host = hipMemoryTypeHost, for_all_streams = hipMemAttachGlobal,
                            allocated_for_all = hipHostMallocPortable | hipHostMallocMapped,
                            registered_for_all = hipHostRegisterPortable | hipHostRegisterMapped,
                            reaches_peers = hipIpcMemLazyEnablePeerAccess,
                            own_stream = hipStreamDefault, event_flags = hipEventDisableTiming,
                            timed_event_flags = hipEventDefault;

  WEFT_HIP_FUNCTIONS(WEFT_FUNCTION_MEMBER)
  // From HIP 5.6 on.
  Result (*device_of_stream)(Stream, Device*) = nullptr;
  /// Takes them from the library; the name of one that it does not have, or null.
  const char* find_in(void* library) {
    WEFT_HIP_FUNCTIONS(WEFT_FIND_FUNCTION)
    device_of_stream =
        reinterpret_cast<decltype(device_of_stream)>(dlsym(library, "hipStreamGetDevice"));
    return nullptr;
  }

  /// What device/kernels is compiled to.
  static const void* code();
  static Address address(const void* pointer) { return const_cast<void*>(pointer); }
  static void* pointer(Address address) { return address; }
  static std::string version_text(int version) {
    return fmt::format("{}.{}", version / 10000000, version % 10000000 / 100000);
  }
  static constexpr int compiled_version = HIP_VERSION;

  static bool tells_of_no_device(Result result) {
    return result == hipErrorNoDevice || result == hipErrorInvalidDevice;
  }
  std::string text_of(Result result) const { return error_text(result); }
  Result retain(Context& context, Device device) const {
    context = device;
    return success;
  }
  Result enter(Context context) const { return use_device(context); }
  Result entered(Context& context) const { return ask_selected(&context); }
  Result reach(Context peer) const { return reach_device(peer, 0); }
  /// Where kernels of the current device reach registered memory.
  Result find_on_device(Address* there, void* here) const {
    return find_registered(there, here, 0);
  }
  Result copy(Address to, Address from, std::size_t bytes, Stream stream) const {
    return copy_memory(to, from, bytes, hipMemcpyDefault, stream);
  }
  Result copy_rows(Address to, Address from, const RowCopy& rows, Stream stream) const {
    const auto apart = static_cast<std::size_t>(rows.apart);
    return copy_memory_rows(to, apart, from, apart, static_cast<std::size_t>(rows.row_bytes),
                            static_cast<std::size_t>(rows.rows), hipMemcpyDefault, stream);
  }
  /// The device of a stream; HIP has no other contexts. Nothing if the library cannot tell.
  std::optional<Result> find_device_of(Stream stream, Device& device, bool& /*is_usual*/) const {
    if (device_of_stream == nullptr) return std::nullopt;
    return device_of_stream(stream, &device);
  }
  /// HIP loads kernels with their module.
  Result load_now(Kernel /*kernel*/) const { return success; }
  /// A block has all that the device can give it.
  Result allow_shared_bytes(Kernel /*kernel*/, int /*bytes*/) const { return success; }
};

}  // namespace weft
