// fft/fftw: FFTW 3 as an engine, single and double.

#include <fftw3.h>

#include <mutex>

#include "weft/base/error.hpp"
#include "weft/fft/engine.hpp"

namespace weft {

namespace {

// Protects FFTW's planner, which has global state. Only executing plans is thread-safe.
std::mutex planner;

// FFTW has the same functions for both precisions, under two prefixes; this lists those used here.
#define WEFT_FFTW_LIBRARY(name, real_type, prefix)                                             \
  struct name {                                                                                \
    using Real = real_type;                                                                    \
    using Complex = prefix##_complex;                                                          \
    using Plan = prefix##_plan;                                                                \
    using Loop = prefix##_iodim64;                                                             \
    static Plan c2c(const Loop* n, int loops, const Loop* loop, void* in, void* out, int sign, \
                    unsigned flags) {                                                          \
      return prefix##_plan_guru64_dft(1, n, loops, loop, static_cast<Complex*>(in),            \
                                      static_cast<Complex*>(out), sign, flags);                \
    }                                                                                          \
    static Plan r2c(const Loop* n, int loops, const Loop* loop, void* in, void* out,           \
                    unsigned flags) {                                                          \
      return prefix##_plan_guru64_dft_r2c(1, n, loops, loop, static_cast<Real*>(in),           \
                                          static_cast<Complex*>(out), flags);                  \
    }                                                                                          \
    static Plan c2r(const Loop* n, int loops, const Loop* loop, void* in, void* out,           \
                    unsigned flags) {                                                          \
      return prefix##_plan_guru64_dft_c2r(1, n, loops, loop, static_cast<Complex*>(in),        \
                                          static_cast<Real*>(out), flags);                     \
    }                                                                                          \
    static void execute(Plan plan, LineKind kind, void* in, void* out) {                       \
      switch (kind) {                                                                          \
        case LineKind::c2c:                                                                    \
          prefix##_execute_dft(plan, static_cast<Complex*>(in), static_cast<Complex*>(out));   \
          break;                                                                               \
        case LineKind::r2c:                                                                    \
          prefix##_execute_dft_r2c(plan, static_cast<Real*>(in), static_cast<Complex*>(out));  \
          break;                                                                               \
        case LineKind::c2r:                                                                    \
          prefix##_execute_dft_c2r(plan, static_cast<Complex*>(in), static_cast<Real*>(out));  \
          break;                                                                               \
      }                                                                                        \
    }                                                                                          \
    static void destroy(Plan plan) { prefix##_destroy_plan(plan); }                            \
    static char* wisdom() { return prefix##_export_wisdom_to_string(); }                       \
    static void forget_wisdom() { prefix##_forget_wisdom(); }                                  \
    static void learn(const char* wisdom) { prefix##_import_wisdom_from_string(wisdom); }      \
    static void free(char* wisdom) { prefix##_free(wisdom); }                                  \
  }

WEFT_FFTW_LIBRARY(Double, double, fftw);
WEFT_FFTW_LIBRARY(Single, float, fftwf);
#undef WEFT_FFTW_LIBRARY

// Sets FFTW's wisdom aside while it exists. Wisdom holds what trial runs of this process, or of an
// application that uses the same FFTW, have measured; FFTW follows it also with FFTW_ESTIMATE.
template <class Library>
class [[nodiscard]] WisdomAside {
 public:
  explicit WisdomAside(bool is_wanted) : wisdom_(is_wanted ? Library::wisdom() : nullptr) {
    if (wisdom_ != nullptr) Library::forget_wisdom();
  }
  WisdomAside(const WisdomAside&) = delete;
  WisdomAside& operator=(const WisdomAside&) = delete;
  ~WisdomAside() {
    if (wisdom_ == nullptr) return;
    Library::forget_wisdom();
    Library::learn(wisdom_);
    Library::free(wisdom_);
  }

 private:
  char* wisdom_;
};

template <class Library>
class FftwKernel : public Kernel {
 public:
  FftwKernel(const Lines& lines, void* in, void* out, Effort effort) : kind_(lines.kind) {
    using Loop = typename Library::Loop;
    const Loop n{lines.n, lines.in_stride, lines.out_stride};
    std::vector<Loop> loops;
    for (const auto& loop : lines.loops)
      loops.push_back({loop.count, loop.in_stride, loop.out_stride});
    const int count = static_cast<int>(loops.size());
    const unsigned flags = (effort == Effort::measure ? FFTW_MEASURE : FFTW_ESTIMATE) |
                           (lines.kind == LineKind::c2r ? FFTW_DESTROY_INPUT : 0U);
    const std::lock_guard lock(planner);
    const WisdomAside<Library> aside(effort == Effort::estimate);
    switch (lines.kind) {
      case LineKind::c2c:
        plan_ = Library::c2c(&n, count, loops.data(), in, out, lines.sign, flags);
        break;
      case LineKind::r2c:
        plan_ = Library::r2c(&n, count, loops.data(), in, out, flags);
        break;
      case LineKind::c2r:
        plan_ = Library::c2r(&n, count, loops.data(), in, out, flags);
        break;
    }
    if (plan_ == nullptr)
      throw Error(Error::system, fmt::format("FFTW has no plan for lines of {} points", lines.n),
                  "choose another engine; `weft engines` lists them");
  }
  FftwKernel(const FftwKernel&) = delete;
  FftwKernel& operator=(const FftwKernel&) = delete;
  ~FftwKernel() override {
    const std::lock_guard lock(planner);
    Library::destroy(plan_);
  }

  void run(void* in, void* out, PrefetchQueue&) override {
    Library::execute(plan_, kind_, in, out);
  }

 private:
  LineKind kind_;
  typename Library::Plan plan_ = nullptr;
};

class Fftw : public Engine {
 public:
  std::unique_ptr<Kernel> make(const Lines& lines, void* in, void* out, Effort effort) override {
    if (lines.precision == Precision::single_precision)
      return std::make_unique<FftwKernel<Single>>(lines, in, out, effort);
    return std::make_unique<FftwKernel<Double>>(lines, in, out, effort);
  }
};

}  // namespace

EngineEntry fftw_entry() {
  return {"fftw", "FFTW 3, Frigo and Johnson",
          []() -> std::optional<std::string> { return std::nullopt; },
          [] { return std::string(fftw_version); },
          []() -> std::unique_ptr<Engine> { return std::make_unique<Fftw>(); }};
}

}  // namespace weft
