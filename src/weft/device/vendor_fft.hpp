// device/vendor_fft: a vendor's library of transforms, cuFFT or hipFFT, found when the program
// runs: one source, as they have the same functions under other names. State: compiled; its
// functions were found in cuFFT 12.0, and none has run on a device.
// Source: https://docs.nvidia.com/cuda/cufft, https://rocm.docs.amd.com/projects/hipFFT and cufft.h
// of CUDA 13.0 - names, arguments, statuses and the values of the types of transforms. No header of
// theirs is needed.
#pragma once

#include <dlfcn.h>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/device/device_fft.hpp"
#include "weft/device/fft_layout.hpp"

namespace weft {

/// The functions, of which `Handle` is a plan. All return a status; 0: success.
template <class Handle>
struct FftFunctions {
  template <class Number>
  using Make = int (*)(Handle, int, Number*, Number*, Number, Number, Number*, Number, Number, int,
                       Number, std::size_t*);
  int (*version)(int*) = nullptr;
  int (*create)(Handle*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*allocate_itself)(Handle, int) = nullptr;
  Make<int> make = nullptr;
  Make<long long> make_large = nullptr;
  int (*use_workspace)(Handle, void*) = nullptr;
  int (*use_stream)(Handle, void*) = nullptr;
  int (*single_c2c)(Handle, void*, void*, int) = nullptr;
  int (*double_c2c)(Handle, void*, void*, int) = nullptr;
  int (*single_r2c)(Handle, void*, void*) = nullptr;
  int (*double_r2c)(Handle, void*, void*) = nullptr;
  int (*single_c2r)(Handle, void*, void*) = nullptr;
  int (*double_c2r)(Handle, void*, void*) = nullptr;

  /// Takes them from the library; the name of one that it does not have, or an empty text. Their
  /// names begin with `prefix`.
  std::string find_in(void* library, const std::string& prefix) {
    std::string missing;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          dlsym(library, (prefix + name).c_str()));
      if (function == nullptr && missing.empty()) missing = prefix + name;
    };
    find(version, "GetVersion");
    find(create, "Create");
    find(destroy, "Destroy");
    find(allocate_itself, "SetAutoAllocation");
    find(make, "MakePlanMany");
    find(make_large, "MakePlanMany64");
    find(use_workspace, "SetWorkArea");
    find(use_stream, "SetStream");
    find(single_c2c, "ExecC2C");
    find(double_c2c, "ExecZ2Z");
    find(single_r2c, "ExecR2C");
    find(double_r2c, "ExecD2Z");
    find(single_c2r, "ExecC2R");
    find(double_c2r, "ExecZ2D");
    return missing;
  }
};

/// A file that may be the library, and the oldest driver with which that one works, as VendorDriver
/// numbers them; 0: any.
struct FftFile {
  const char* name;
  int oldest_driver = 0;
};

/// A vendor's library, and in what it differs from those of others.
struct FftLibrary {
  const char* name;            ///< with which the names of its functions begin: "cufft"
  std::vector<FftFile> files;  ///< that may be it, the best first
  int version_base;            ///< version 11.2.3 is 11203 by 1000, or 110203 by 10000
  bool keeps_sources;          ///< as they are, in transforms from array to array other than c2r
};

/// "CUFFT_ALLOC_FAILED (2)" for the library "cufft".
std::string fft_status(const std::string& library, int status);
/// Whether a status says that the library does not have such transforms, rather than that something
/// has failed.
bool fft_refuses(int status);

/// `Contexts` has enter(), whose result holds the context of the selected device while it lives.
template <class Handle, class Contexts>
class VendorFft : public DeviceFft {
 public:
  using Functions = FftFunctions<Handle>;

  /// `contexts` must outlive it.
  VendorFft(FftLibrary library, const Functions& functions, Contexts& contexts)
      : library_(std::move(library)), functions_(functions), contexts_(contexts) {}

  std::string version() const override {
    int version = 0;
    if (functions_.version(&version) != 0) return "unknown version";
    const int base = library_.version_base;
    return fmt::format("{}.{}.{}", version / base, version % base / 100, version % 100);
  }

  bool keeps_source(LineKind kind) const override {
    return library_.keeps_sources && kind != LineKind::c2r;
  }

  std::unique_ptr<DeviceTransform> make(const Lines& lines, DeviceStream stream) override {
    return std::make_unique<Transform>(*this, lines, stream);
  }

 private:
  class Transform : public DeviceTransform {
   public:
    Transform(const VendorFft& fft, const Lines& lines, DeviceStream stream)
        : fft_(fft), kind_(lines.kind), sign_(lines.sign) {
      is_single_ = lines.precision == Precision::single_precision;
      const std::optional<FftLayout> layout = fft_layout(lines);
      if (!layout || lines.kind == LineKind::r2r || lines.kept)
        throw Error(Error::unsupported,
                    fmt::format("{} has no transform of such lines", fft.library_.name));
      const auto here = fft_.contexts_.enter();
      fft_.check(fft_.functions_.create(&handle_), [] { return "cannot make a plan"; });
      try {
        make(*layout, stream);
      } catch (...) {
        fft_.functions_.destroy(handle_);
        throw;
      }
    }
    ~Transform() override {
      const auto here = fft_.contexts_.enter_quietly();
      fft_.functions_.destroy(handle_);
    }

    std::int64_t workspace_bytes() const override { return workspace_bytes_; }
    void use_workspace(void* workspace) override {
      const auto here = fft_.contexts_.enter();
      fft_.check(fft_.functions_.use_workspace(handle_, workspace),
                 [] { return "cannot use a workspace"; });
    }
    void enqueue(void* in, void* out) override {
      const auto here = fft_.contexts_.enter();
      fft_.check(execute(in, out), [] { return "cannot enqueue a transform"; });
    }

   private:
    // Workspace is the caller's, as several transforms share it.
    void make(const FftLayout& layout, DeviceStream stream) {
      const auto told = [&] {
        return fmt::format(
            "cannot plan {} transforms of {} points", layout.batch,
            fmt::join(layout.points.begin(), layout.points.begin() + layout.axes, "x"));
      };
      fft_.check(fft_.functions_.allocate_itself(handle_, 0), told);
      std::size_t bytes = 0;
      // Older versions of hipFFT have no plans for large numbers.
      constexpr std::int64_t largest_int = 2'147'483'647;
      fft_.check(layout.largest() <= largest_int ? made(fft_.functions_.make, layout, bytes)
                                                 : made(fft_.functions_.make_large, layout, bytes),
                 told);
      workspace_bytes_ = static_cast<std::int64_t>(bytes);
      fft_.check(fft_.functions_.use_stream(handle_, stream.handle), told);
    }

    template <class Number>
    int made(typename Functions::template Make<Number> function, const FftLayout& layout,
             std::size_t& bytes) const {
      using Numbers = std::array<Number, FftLayout::most_axes>;
      const auto numbers = [](const std::array<std::int64_t, FftLayout::most_axes>& from) {
        Numbers to{};
        for (std::size_t i = 0; i < to.size(); ++i) to.at(i) = static_cast<Number>(from.at(i));
        return to;
      };
      Numbers points = numbers(layout.points), in = numbers(layout.in.held),
              out = numbers(layout.out.held);
      const auto number = [](std::int64_t value) { return static_cast<Number>(value); };
      return function(handle_, layout.axes, points.data(), in.data(), number(layout.in.stride),
                      number(layout.in.distance), out.data(), number(layout.out.stride),
                      number(layout.out.distance), type(), number(layout.batch), &bytes);
    }

    int type() const {
      const int of_kind = kind_ == LineKind::c2c ? 0x29 : kind_ == LineKind::r2c ? 0x2a : 0x2c;
      return is_single_ ? of_kind : of_kind + 0x40;
    }

    int execute(void* in, void* out) const {
      const Functions& all = fft_.functions_;
      if (kind_ == LineKind::c2c)
        return (is_single_ ? all.single_c2c : all.double_c2c)(handle_, in, out, sign_);
      if (kind_ == LineKind::r2c)
        return (is_single_ ? all.single_r2c : all.double_r2c)(handle_, in, out);
      return (is_single_ ? all.single_c2r : all.double_c2r)(handle_, in, out);
    }

    const VendorFft& fft_;
    LineKind kind_;
    int sign_;
    bool is_single_ = false;
    Handle handle_{};
    std::int64_t workspace_bytes_ = 0;
  };

  template <class What>
  void check(int status, const What& what) const {
    if (status == 0) return;
    throw Error(
        fft_refuses(status) ? Error::unsupported : Error::system,
        fmt::format("{}: {}: {}", library_.name, what(), fft_status(library_.name, status)));
  }

  FftLibrary library_;
  Functions functions_;
  Contexts& contexts_;
};

/// Loads a library, the first of its files that is there and works with such a driver.
/// Error::unsupported, with the reason, if there is none.
template <class Handle, class Contexts>
std::unique_ptr<DeviceFft> load_fft(const FftLibrary& library, int driver, Contexts& contexts) {
  std::vector<std::string> tried;
  for (const FftFile& file : library.files) {
    if (file.oldest_driver > driver) continue;
    tried.emplace_back(file.name);
    void* const handle = dlopen(file.name, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) continue;
    FftFunctions<Handle> functions;
    if (const std::string missing = functions.find_in(handle, library.name); !missing.empty())
      throw Error(Error::unsupported,
                  fmt::format("{} is too old: it has no {}", file.name, missing));
    return std::make_unique<VendorFft<Handle, Contexts>>(library, functions, contexts);
  }
  throw Error(Error::unsupported,
              tried.empty()
                  ? fmt::format("{} needs a newer driver", library.name)
                  : fmt::format("{} ({}) is not installed", library.name, fmt::join(tried, ", ")));
}

}  // namespace weft
