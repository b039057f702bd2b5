// device/kernels: the kernels for devices, compiled by nvcc and by hipcc.
// Compiled to code for several architectures, which device/cuda and device/hip hold and give to the
// driver.

#ifdef __HIP__
#include <hip/hip_runtime.h>
#define __grid_constant__  // arguments are constant in any case
#endif

#include "weft/device/line_kernel.hpp"

namespace {

struct Block {
  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ std::int64_t block() const { return blockIdx.x; }
  __device__ std::int64_t blocks() const { return gridDim.x; }
  __device__ void sync() const { __syncthreads(); }
};

}  // namespace

extern "C" __global__ void
    weft_lines_single(const __grid_constant__ weft::LineArguments<float> arguments) {
  extern __shared__ __align__(16) std::byte memory[];
  weft::device_lanes::run_lines(Block{}, arguments, memory);
}

extern "C" __global__ void
    weft_lines_double(const __grid_constant__ weft::LineArguments<double> arguments) {
  extern __shared__ __align__(16) std::byte memory[];
  weft::device_lanes::run_lines(Block{}, arguments, memory);
}
