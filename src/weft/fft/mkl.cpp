// fft/mkl: oneMKL's DFTI as an engine, single and double.

#include <mkl_dfti.h>
#include <mkl_service.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/fft/engine.hpp"
#include "weft/fft/mkl_accuracy.hpp"

namespace weft {

namespace {

void check_dfti(MKL_LONG status, const char* call) {
  if (status == DFTI_NO_ERROR) [[likely]]
    return;
  throw Error(Error::system, fmt::format("{} failed: {}", call, DftiErrorMessage(status)),
              "choose another engine; `weft engines` lists them");
}

// DFTI repeats a transform over one loop, the longest; the kernel runs the other loops itself.
class MklKernel : public Kernel {
 public:
  MklKernel(const Lines& lines, void* in, void* out)
      : lines_(lines), is_in_place_(in == out), alignment_(alignment_of(in, out)) {
    auto longest = std::max_element(
        lines_.loops.begin(), lines_.loops.end(),
        [](const Lines::Loop& a, const Lines::Loop& b) { return a.count < b.count; });
    Lines::Loop batch{1, 0, 0};
    if (longest != lines_.loops.end()) {
      batch = *longest;
      lines_.loops.erase(longest);
    }
    const bool single = lines.precision == Precision::single_precision;
    real_bytes_ = single ? 4 : 8;
    check_dfti(DftiCreateDescriptor(&descriptor_, single ? DFTI_SINGLE : DFTI_DOUBLE,
                                    lines.kind == LineKind::c2c ? DFTI_COMPLEX : DFTI_REAL, 1,
                                    static_cast<MKL_LONG>(lines.n)),
               "DftiCreateDescriptor");
    try {
      configure(batch);
    } catch (...) {
      DftiFreeDescriptor(&descriptor_);
      throw;
    }
  }
  MklKernel(const MklKernel&) = delete;
  MklKernel& operator=(const MklKernel&) = delete;
  ~MklKernel() override { DftiFreeDescriptor(&descriptor_); }

  void run(void* in, void* out, PrefetchQueue&) override {
    run_loops(0, static_cast<std::byte*>(in), static_cast<std::byte*>(out));
  }
  bool suits(const void* in, const void* out) const override {
    return !is_in_place_ && alignment_of(in, out) == alignment_;
  }

 private:
  // Its last bits depend on where in cache lines the arrays begin.
  static std::pair<std::uintptr_t, std::uintptr_t> alignment_of(const void* in, const void* out) {
    constexpr std::uintptr_t line = 64;
    return {reinterpret_cast<std::uintptr_t>(in) % line,
            reinterpret_cast<std::uintptr_t>(out) % line};
  }
  bool is_forward() const { return lines_.sign < 0; }

  void configure(const Lines::Loop& batch) {
    const auto set = [&](DFTI_CONFIG_PARAM parameter, auto value) {
      check_dfti(DftiSetValue(descriptor_, parameter, value), "DftiSetValue");
    };
    // DFTI calls the real (time) side "forward", also for a backward transform.
    std::array<MKL_LONG, 2> in_strides{0, lines_.in_stride}, out_strides{0, lines_.out_stride};
    auto& forward = is_forward() ? in_strides : out_strides;
    auto& backward = is_forward() ? out_strides : in_strides;
    set(DFTI_PLACEMENT, is_in_place_ ? DFTI_INPLACE : DFTI_NOT_INPLACE);
    if (lines_.kind != LineKind::c2c) set(DFTI_CONJUGATE_EVEN_STORAGE, DFTI_COMPLEX_COMPLEX);
    set(DFTI_FWD_STRIDES, forward.data());
    set(DFTI_BWD_STRIDES, backward.data());
    set(DFTI_NUMBER_OF_TRANSFORMS, static_cast<MKL_LONG>(batch.count));
    set(DFTI_FWD_DISTANCE,
        static_cast<MKL_LONG>(is_forward() ? batch.in_stride : batch.out_stride));
    set(DFTI_BWD_DISTANCE,
        static_cast<MKL_LONG>(is_forward() ? batch.out_stride : batch.in_stride));
    set(DFTI_THREAD_LIMIT, static_cast<MKL_LONG>(1));
    check_dfti(DftiCommitDescriptor(descriptor_), "DftiCommitDescriptor");
  }

  void run_loops(std::size_t level, std::byte* in, std::byte* out) {
    if (level == lines_.loops.size()) {
      const auto compute = is_forward() ? compute_forward : compute_backward;
      check_dfti(compute(descriptor_, in, out, in == out), "DftiCompute");
      return;
    }
    const auto& loop = lines_.loops[level];
    const std::int64_t in_bytes = real_bytes_ * (lines_.kind == LineKind::r2c ? 1 : 2);
    const std::int64_t out_bytes = real_bytes_ * (lines_.kind == LineKind::c2r ? 1 : 2);
    for (std::int64_t i = 0; i < loop.count; ++i)
      run_loops(level + 1, in + i * loop.in_stride * in_bytes,
                out + i * loop.out_stride * out_bytes);
  }

  static MKL_LONG compute_forward(DFTI_DESCRIPTOR_HANDLE handle, void* in, void* out,
                                  bool in_place) {
    return in_place ? DftiComputeForward(handle, in) : DftiComputeForward(handle, in, out);
  }
  static MKL_LONG compute_backward(DFTI_DESCRIPTOR_HANDLE handle, void* in, void* out,
                                   bool in_place) {
    return in_place ? DftiComputeBackward(handle, in) : DftiComputeBackward(handle, in, out);
  }

  Lines lines_;
  bool is_in_place_;
  std::pair<std::uintptr_t, std::uintptr_t> alignment_;  // of the arrays it was made for
  std::int64_t real_bytes_ = 8;
  DFTI_DESCRIPTOR_HANDLE descriptor_ = nullptr;
};

// Takes FFTW, where this build has it, for sines and cosines, and at the lengths at which oneMKL is
// inaccurate.
class Mkl : public Engine {
 public:
  std::unique_ptr<Kernel> make(const Lines& lines, void* in, void* out, Effort effort) override {
    ensure(lines.factor == 1, lines.factor);
    if (fftw_ == nullptr && lines.kind == LineKind::r2r)
      throw Error(Error::unsupported, "this build has no FFTW, which computes sines and cosines",
                  "build weft with FFTW");
    if (fftw_ != nullptr &&
        (lines.kind == LineKind::r2r || is_mkl_inaccurate(lines.n, lines.precision)))
      return fftw_->make(lines, in, out, effort);
    return std::make_unique<MklKernel>(lines, in, out);
  }

 private:
  std::unique_ptr<Engine> fftw_ = fftw_entry().make();
};

}  // namespace

EngineEntry mkl_entry() {
  return {"mkl",
          "oneMKL's DFTI, and FFTW for sines, cosines and lengths at which it is inaccurate",
          []() -> std::optional<std::string> { return std::nullopt; },
          [] {
            std::array<char, 256> text{};
            mkl_get_version_string(text.data(), static_cast<int>(text.size()));
            return std::string(text.data());
          },
          []() -> std::optional<std::string> {
            if (!fftw_entry().applies()) return std::nullopt;
            return "errors of up to 540 epsilon in double precision, at lengths that are not prime "
                   "and have a prime factor above 13; a build with FFTW computes these with FFTW";
          },
          []() -> std::unique_ptr<Engine> { return std::make_unique<Mkl>(); }};
}

}  // namespace weft
