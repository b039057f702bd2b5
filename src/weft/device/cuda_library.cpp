// device/cuda_library: loads CUDA's driver.

#include "weft/device/cuda_library.hpp"

#include <dlfcn.h>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

#define WEFT_TEXT_OF(name) #name
#define WEFT_TEXT(name) WEFT_TEXT_OF(name)

// Fills `library`; the reason if that is not possible.
std::optional<std::string> load(CudaLibrary& library) {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) return "CUDA's driver (libcuda.so.1) is not installed";
#define WEFT_CUDA_FIND(name)                                                               \
  library.name = reinterpret_cast<decltype(library.name)>(dlsym(driver, WEFT_TEXT(name))); \
  if (library.name == nullptr) return "CUDA's driver is too old: it has no " WEFT_TEXT(name);
  WEFT_CUDA_FUNCTIONS(WEFT_CUDA_FIND)
#undef WEFT_CUDA_FIND
  const auto failed = [&](const char* what, CUresult result) {
    const char* text = nullptr;
    library.cuGetErrorString(result, &text);
    return fmt::format("{}: {} (error {})", what, text != nullptr ? text : "no text",
                       static_cast<int>(result));
  };
  if (const CUresult result = library.cuInit(0); result != CUDA_SUCCESS)
    return failed("CUDA's driver cannot start", result);
  int count = 0;
  if (const CUresult result = library.cuDeviceGetCount(&count); result != CUDA_SUCCESS)
    return failed("CUDA's driver cannot count devices", result);
  if (count == 0) return "CUDA's driver finds no device";
  return std::nullopt;
}

}  // namespace

const CudaLibrary* cuda_library(std::optional<std::string>& why_not) {
  static CudaLibrary library;
  static const std::optional<std::string> reason = load(library);
  why_not = reason;
  return reason ? nullptr : &library;
}

}  // namespace weft
