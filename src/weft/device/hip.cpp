// device/hip: devices of AMD, and the code of device/kernels for them.

#include "weft/device/hip_api.hpp"
#include "weft/device/vendor_driver.hpp"

// A bundle of code for several architectures; in that of HIP, each begins with a page.
asm(R"(
  .section .rodata
  .balign 4096
  .globl weft_hip_kernels
  .hidden weft_hip_kernels
weft_hip_kernels:
  .incbin ")" WEFT_HIP_KERNELS R"("
  .byte 0
  .previous
)");
extern "C" const unsigned char weft_hip_kernels[];

namespace weft {

const void* HipApi::code() { return weft_hip_kernels; }

DriverEntry hip_entry() { return vendor_entry<HipApi>(); }

}  // namespace weft
