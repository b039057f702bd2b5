// device/cuda_contexts: contexts and kernels.

#include "weft/device/cuda_contexts.hpp"

#include "weft/base/ensure.hpp"

// The code of device/cuda_kernels.
asm(R"(
  .section .rodata
  .balign 16
  .globl weft_cuda_kernels
  .hidden weft_cuda_kernels
weft_cuda_kernels:
  .incbin ")" WEFT_CUDA_KERNELS R"("
  .byte 0
  .previous
)");
extern "C" const unsigned char weft_cuda_kernels[];

namespace weft {

namespace {
thread_local int selected_device = 0;
}

std::string text_of_cuda(const CudaLibrary& cuda, CUresult result) {
  const char* text = nullptr;
  cuda.cuGetErrorString(result, &text);
  return text != nullptr ? text : fmt::format("error {}", static_cast<int>(result));
}

void check_cuda(const CudaLibrary& cuda, CUresult result, const std::string& what) {
  if (result == CUDA_SUCCESS) return;
  throw Error(Error::system, fmt::format("cuda: {}: {}", what, text_of_cuda(cuda, result)));
}

CudaContexts::CudaContexts(const CudaLibrary& library) : cuda_(library) {
  int count = 0;
  check_cuda(cuda_, cuda_.cuDeviceGetCount(&count), "cannot count devices");
  devices_.resize(static_cast<std::size_t>(count));
}

CUdevice CudaContexts::device(int number) const {
  CUdevice device = 0;
  check_cuda(cuda_, cuda_.cuDeviceGet(&device, number),
             fmt::format("cannot use device {}", number));
  return device;
}

int CudaContexts::attribute(CUdevice device, CUdevice_attribute which) const {
  int value = 0;
  check_cuda(cuda_, cuda_.cuDeviceGetAttribute(&value, which, device),
             "cannot ask what a device has");
  return value;
}

void CudaContexts::select(int number) {
  selected_device = number;
  enter();
}
int CudaContexts::selected() const { return selected_device; }

CUcontext CudaContexts::of(int number) {
  const std::lock_guard lock(mutex_);
  Device& made = devices_[static_cast<std::size_t>(number)];
  if (made.context == nullptr)
    check_cuda(cuda_, cuda_.cuDevicePrimaryCtxRetain(&made.context, device(number)),
               fmt::format("cannot use device {}", number));
  return made.context;
}

void CudaContexts::enter() {
  check_cuda(cuda_, cuda_.cuCtxSetCurrent(of(selected_device)), "cannot use a device");
}

void CudaContexts::enter_quietly() noexcept {
  const Device& made = devices_[static_cast<std::size_t>(selected_device)];
  if (made.context != nullptr) cuda_.cuCtxSetCurrent(made.context);
}

CUfunction CudaContexts::kernel(int number) {
  const std::lock_guard lock(mutex_);
  Device& made = devices_[static_cast<std::size_t>(selected_device)];
  if (made.module == nullptr)
    check_cuda(cuda_, cuda_.cuModuleLoadData(&made.module, weft_cuda_kernels),
               "cannot load weft's kernels for this device");
  CUfunction& function = made.kernels[static_cast<std::size_t>(number)];
  if (function != nullptr) return function;
  check_cuda(cuda_,
             cuda_.cuModuleGetFunction(&function, made.module,
                                       kernel_names[static_cast<std::size_t>(number)]),
             "cannot find a kernel of weft's");
  // By default a block has 48 KiB.
  check_cuda(
      cuda_,
      cuda_.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               attribute(device(selected_device),
                                         CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)),
      "cannot give a kernel shared memory");
  return function;
}

}  // namespace weft
