// bench/gpu/device_peers: the few functions of cuFFT, without its header, so that every build has
// them. Source: https://docs.nvidia.com/cuda/cufft - names, arguments and the values of the types
// of transforms.

#include "device_peers.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace weft::bench {

struct CufftPlan::Library {
  int (*plan_3d)(int* plan, int nx, int ny, int nz, int type) = nullptr;
  int (*set_stream)(int plan, void* stream) = nullptr;
  int (*destroy)(int plan) = nullptr;
  int (*c2c)(int plan, void* in, void* out, int direction) = nullptr;
  int (*z2z)(int plan, void* in, void* out, int direction) = nullptr;
  int (*r2c)(int plan, void* in, void* out) = nullptr;
  int (*d2z)(int plan, void* in, void* out) = nullptr;
};

namespace {
constexpr int type_c2c = 0x29, type_r2c = 0x2a, type_z2z = 0x69, type_d2z = 0x6a, forward = -1;
}

const CufftPlan::Library* CufftPlan::library(std::string& why_not) {
  static Library found;
  static bool is_complete = false;
  void* handle = nullptr;
  for (const char* name : {"libcufft.so.12", "libcufft.so.11", "libcufft.so.10", "libcufft.so"})
    if (handle == nullptr) handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    why_not = "cuFFT (libcufft.so) is not here";
    return nullptr;
  }
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    return function != nullptr;
  };
  is_complete = find(found.plan_3d, "cufftPlan3d") && find(found.set_stream, "cufftSetStream") &&
                find(found.destroy, "cufftDestroy") && find(found.c2c, "cufftExecC2C") &&
                find(found.z2z, "cufftExecZ2Z") && find(found.r2c, "cufftExecR2C") &&
                find(found.d2z, "cufftExecD2Z");
  if (!is_complete) why_not = "cuFFT lacks a function";
  return is_complete ? &found : nullptr;
}

std::unique_ptr<CufftPlan> CufftPlan::of(const Problem& problem, std::string& why_not) {
  if (problem.extents.size() != 3) {
    why_not = "only fields of three axes are compared";
    return nullptr;
  }
  const Library* const all = library(why_not);
  if (all == nullptr) return nullptr;
  const bool is_single = problem.precision == Precision::single_precision;
  const int type = problem.kind == Kind::c2c ? (is_single ? type_c2c : type_z2z)
                                             : (is_single ? type_r2c : type_d2z);
  int plan = 0;
  const auto points = [&](int axis) { return static_cast<int>(problem.extents[axis]); };
  if (const int error = all->plan_3d(&plan, points(0), points(1), points(2), type); error != 0) {
    why_not = fmt::format("cuFFT makes no plan: error {}", error);
    return nullptr;
  }
  return std::unique_ptr<CufftPlan>(new CufftPlan(*all, plan, type));
}

CufftPlan::~CufftPlan() { library_.destroy(plan_); }

void CufftPlan::enqueue(DeviceStream stream, void* source, void* target) const {
  library_.set_stream(plan_, stream.handle);
  if (type_ == type_c2c) library_.c2c(plan_, source, target, forward);
  if (type_ == type_z2z) library_.z2z(plan_, source, target, forward);
  if (type_ == type_r2c) library_.r2c(plan_, source, target);
  if (type_ == type_d2z) library_.d2z(plan_, source, target);
}

}  // namespace weft::bench
