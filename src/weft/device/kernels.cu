// device/kernels: the kernels for devices, compiled by nvcc and by hipcc.
// Compiled to code for several architectures, which device/cuda and device/hip hold and give to the
// driver.

#ifdef __HIP__
#include <hip/hip_runtime.h>
#define __grid_constant__  // arguments are constant in any case
#endif

#include "weft/device/line_kernel.hpp"

extern __shared__ __align__(16) std::byte weft_shared[];

namespace {

struct Block {
  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ std::int64_t block() const { return blockIdx.x; }
  __device__ std::int64_t blocks() const { return gridDim.x; }
  __device__ void sync() const { __syncthreads(); }
#ifdef __HIP__
  // Functions that kernels call cannot name this memory, so that they are given its address.
  std::byte* memory;
  template <class T>
  using OfDevice = __attribute__((address_space(1))) T*;
  __device__ std::byte* shared() const {
    return (std::byte*)(__attribute__((address_space(3))) std::byte*)memory;
  }
  template <class T>
  __device__ T* of_device(T* address) const {
    return (T*)(OfDevice<T>)address;
  }
#else
  __device__ std::byte* shared() const { return weft_shared; }
  template <class T>
  __device__ T* of_device(T* address) const {
    __builtin_assume(__isGlobal(address));
    return address;
  }
#endif
};

template <class Real>
__device__ __forceinline__ void run(const weft::LineArguments<Real>& arguments) {
#ifdef __HIP__
  weft::device_lanes::run_lines(Block{weft_shared}, arguments);
#else
  weft::device_lanes::run_lines(Block{}, arguments);
#endif
}

}  // namespace

extern "C" __global__ void
    weft_lines_single(const __grid_constant__ weft::LineArguments<float> arguments) {
  run(arguments);
}

extern "C" __global__ void
    weft_lines_double(const __grid_constant__ weft::LineArguments<double> arguments) {
  run(arguments);
}
