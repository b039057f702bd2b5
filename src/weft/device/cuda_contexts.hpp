// device/cuda_contexts: the contexts of NVIDIA's devices, and weft's kernels in each.
// Keeps: the primary context of each device, so that arrays of programs that use CUDA's runtime can
// be used.
#pragma once

#include <array>
#include <mutex>
#include <string>
#include <vector>

#include "weft/device/cuda_library.hpp"

namespace weft {

/// The driver's words for a result.
std::string text_of_cuda(const CudaLibrary& cuda, CUresult result);

/// Throws Error::system, which says `what` and the driver's words, for other results than success.
void check_cuda(const CudaLibrary& cuda, CUresult result, const std::string& what);

/// What is made of each device when it is first used. Thread-safe.
class CudaContexts {
 public:
  explicit CudaContexts(const CudaLibrary& library);

  int devices() const { return static_cast<int>(devices_.size()); }
  CUdevice device(int number) const;
  int attribute(CUdevice device, CUdevice_attribute which) const;

  /// Selects a device, which must exist, for the calling thread.
  void select(int number);
  int selected() const;
  CUcontext of(int number);
  /// Makes the context of the selected device this thread's, as other libraries may have changed
  /// that.
  void enter();
  /// The same where the context has been made already; nothing else.
  void enter_quietly() noexcept;

  /// A kernel, by its number in device/kernels, on the selected device.
  CUfunction kernel(int number);

 private:
  static constexpr std::array kernel_names{"weft_lines_single", "weft_lines_double"};
  struct Device {
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    std::array<CUfunction, kernel_names.size()> kernels{};
  };

  const CudaLibrary& cuda_;
  std::mutex mutex_;
  std::vector<Device> devices_;
};

}  // namespace weft
