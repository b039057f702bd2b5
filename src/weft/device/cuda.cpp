// device/cuda: devices of NVIDIA, and the code of device/kernels for them.

#include "weft/device/cuda_api.hpp"
#include "weft/device/vendor_driver.hpp"

// A bundle of code for several architectures; in that of HIP, each begins with a page.
asm(R"(
  .section .rodata
  .balign 4096
  .globl weft_cuda_kernels
  .hidden weft_cuda_kernels
weft_cuda_kernels:
  .incbin ")" WEFT_CUDA_KERNELS R"("
  .byte 0
  .previous
)");
extern "C" const unsigned char weft_cuda_kernels[];

namespace weft {

const void* CudaApi::code() { return weft_cuda_kernels; }

DriverEntry cuda_entry() { return vendor_entry<CudaApi>(); }

}  // namespace weft
