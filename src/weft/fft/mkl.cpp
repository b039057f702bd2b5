// fft/mkl: oneMKL's DFTI as an engine, single and double.

#include <mkl_dfti.h>
#include <mkl_service.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/fft/engine.hpp"
#include "weft/fft/mkl_accuracy.hpp"

namespace weft {

namespace {

// Whether oneMKL was linked with its layer for the threads of this compiler's OpenMP.
#ifdef WEFT_MKL_THREADS
constexpr bool has_threads = true;
#else
constexpr bool has_threads = false;
#endif

void check_dfti(MKL_LONG status, const char* call) {
  if (status == DFTI_NO_ERROR) [[likely]]
    return;
  throw Error(Error::system, fmt::format("{} failed: {}", call, DftiErrorMessage(status)),
              "choose another engine; `weft engines` lists them");
}

// Lets oneMKL use so many threads in calls of this thread, instead of what the application has set,
// unless it is one, to which DFTI_THREAD_LIMIT limits them anyway.
class MklThreads {
 public:
  explicit MklThreads(int threads) : is_set_(threads > 1) {
    if (is_set_) before_ = mkl_set_num_threads_local(threads);
  }
  MklThreads(const MklThreads&) = delete;
  MklThreads& operator=(const MklThreads&) = delete;
  ~MklThreads() {
    if (is_set_) mkl_set_num_threads_local(before_);
  }

 private:
  bool is_set_;
  int before_ = 0;
};

// DFTI repeats a transform over one loop, the longest; the kernel runs the other loops itself.
class MklKernel : public Kernel {
 public:
  MklKernel(const Lines& lines, void* in, void* out)
      : MklKernel(lines, in == out, 1, alignment_of(in, out)) {}
  // For any addresses.
  MklKernel(const Lines& lines, bool is_in_place, int threads)
      : MklKernel(lines, is_in_place, threads, Alignment{}) {}
  MklKernel(const MklKernel&) = delete;
  MklKernel& operator=(const MklKernel&) = delete;
  ~MklKernel() override { DftiFreeDescriptor(&descriptor_); }

  void run(void* in, void* out, PrefetchQueue&) override {
    const MklThreads some(threads_);
    run_loops(0, static_cast<std::byte*>(in), static_cast<std::byte*>(out));
  }
  bool suits(const void* in, const void* out) const override {
    return !is_in_place_ && alignment_of(in, out) == alignment_;
  }

 private:
  using Alignment = std::pair<std::uintptr_t, std::uintptr_t>;

  MklKernel(const Lines& lines, bool is_in_place, int threads, Alignment alignment)
      : lines_(lines), is_in_place_(is_in_place), threads_(threads), alignment_(alignment) {
    auto longest = std::max_element(
        lines_.loops.begin(), lines_.loops.end(),
        [](const Lines::Loop& a, const Lines::Loop& b) { return a.count < b.count; });
    Lines::Loop batch{1, 0, 0};
    if (longest != lines_.loops.end()) {
      batch = *longest;
      lines_.loops.erase(longest);
    }
    real_bytes_ = lines.precision == Precision::single_precision ? 4 : 8;
    create_descriptor();
    try {
      const MklThreads some(threads_);
      configure(batch);
    } catch (...) {
      DftiFreeDescriptor(&descriptor_);
      throw;
    }
  }

  void create_descriptor() {
    const auto precision =
        lines_.precision == Precision::single_precision ? DFTI_SINGLE : DFTI_DOUBLE;
    const auto domain = lines_.kind == LineKind::c2c ? DFTI_COMPLEX : DFTI_REAL;
    std::vector<MKL_LONG> points;
    for (const auto& axis : lines_.more_axes) points.push_back(axis.count);
    points.push_back(lines_.n);
    const auto axes = static_cast<MKL_LONG>(points.size());
    // It takes the points of one axis by value, those of several by address.
    check_dfti(axes == 1
                   ? DftiCreateDescriptor(&descriptor_, precision, domain, 1, points[0])
                   : DftiCreateDescriptor(&descriptor_, precision, domain, axes, points.data()),
               "DftiCreateDescriptor");
  }

  // Its last bits depend on where in cache lines the arrays begin.
  static Alignment alignment_of(const void* in, const void* out) {
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
    std::vector<MKL_LONG> in_strides{0}, out_strides{0};
    const auto add = [&](std::int64_t in_stride, std::int64_t out_stride) {
      in_strides.push_back(in_stride);
      out_strides.push_back(out_stride);
    };
    for (const auto& axis : lines_.more_axes) add(axis.in_stride, axis.out_stride);
    add(lines_.in_stride, lines_.out_stride);
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
    if (lines_.factor != 1)
      set(is_forward() ? DFTI_FORWARD_SCALE : DFTI_BACKWARD_SCALE, lines_.factor);
    set(DFTI_THREAD_LIMIT, static_cast<MKL_LONG>(threads_));
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
  int threads_;
  Alignment alignment_;  // of the arrays it was made for
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
  std::unique_ptr<Kernel> make_whole(const Lines& lines, bool is_in_place, int threads) override {
    const auto is_inaccurate = [&](std::int64_t n) {
      return is_mkl_inaccurate(n, lines.precision);
    };
    const bool is_taken =
        std::ranges::any_of(lines.more_axes, is_inaccurate, &Lines::Loop::count) ||
        is_inaccurate(lines.n);
    if (is_taken || lines.kind == LineKind::r2r || lines.kept) return nullptr;
    if (threads > 1 && !has_threads) return nullptr;
    return std::make_unique<MklKernel>(lines, is_in_place, threads);
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
            // What is remembered is for builds that can do the same.
            return std::string(text.data()) + (has_threads ? "" : ", one thread");
          },
          []() -> std::optional<std::string> {
            if (!fftw_entry().applies()) return std::nullopt;
            return "errors of up to 540 epsilon in double precision, at lengths that are not prime "
                   "and have a prime factor above 13; a build with FFTW computes these with FFTW";
          },
          []() -> std::unique_ptr<Engine> { return std::make_unique<Mkl>(); }};
}

}  // namespace weft
