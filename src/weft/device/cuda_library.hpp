// device/cuda_library: the functions of CUDA's driver, found when the program runs.
// Keeps: a program that was built with CUDA starts without it.
#pragma once

#include <cuda.h>

#include <optional>
#include <string>

namespace weft {

// Headers of CUDA give some of the names a version.
#define WEFT_CUDA_FUNCTIONS(each)                                                                  \
  each(cuInit) each(cuDriverGetVersion) each(cuGetErrorString) each(cuDeviceGetCount) each(        \
      cuDeviceGet) each(cuDeviceGetName) each(cuDeviceGetPCIBusId) each(cuDeviceTotalMem)          \
      each(cuDeviceGetAttribute) each(cuDeviceCanAccessPeer) each(cuDevicePrimaryCtxRetain)        \
          each(cuCtxSetCurrent) each(cuCtxEnablePeerAccess) each(cuMemGetInfo) each(cuMemAlloc)    \
              each(cuMemFree) each(cuMemAllocManaged) each(cuMemHostAlloc) each(cuMemFreeHost)     \
                  each(cuMemHostRegister) each(cuMemHostUnregister) each(cuPointerGetAttribute)    \
                      each(cuMemGetAddressRange) each(cuIpcGetMemHandle) each(cuIpcOpenMemHandle)  \
                          each(cuIpcCloseMemHandle) each(cuStreamCreateWithPriority)               \
                              each(cuStreamDestroy) each(cuStreamSynchronize)                      \
                                  each(cuCtxGetStreamPriorityRange) each(cuStreamWaitEvent)        \
                                      each(cuEventCreate) each(cuEventDestroy) each(cuEventRecord) \
                                          each(cuEventQuery) each(cuEventSynchronize)              \
                                              each(cuMemcpyAsync) each(cuMemcpy2DAsync)            \
                                                  each(cuModuleLoadData) each(cuModuleGetFunction) \
                                                      each(cuFuncSetAttribute)                     \
                                                          each(cuLaunchKernel)

/// The functions under the names that cuda.h has for them.
struct CudaLibrary {
#define WEFT_CUDA_POINTER(name) decltype(&::name) name = nullptr;
  WEFT_CUDA_FUNCTIONS(WEFT_CUDA_POINTER)
#undef WEFT_CUDA_POINTER
};

/// The functions, found and initialized once; null, with the reason in `why_not`, if the driver is
/// not installed, too old, or has no device.
const CudaLibrary* cuda_library(std::optional<std::string>& why_not);

}  // namespace weft
