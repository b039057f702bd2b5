// fft/fftw: FFTW 3 as an engine, single and double.
// Keeps: FFTW's global state - its wisdom and its number of threads - belongs to the application.
// Usually weft has a copy of FFTW of its own (cmake/WeftOwnFFTW). In a build that shares FFTW,
// planning borrows that state.

#include <cstdio>  // before fftw3.h, which includes it

// weft's own copy; its functions are not visible outside the program or the library they are in.
#ifdef WEFT_OWN_FFTW
#define fftw_plan_guru64_dft weft_own_fftw_plan_guru64_dft
#define fftw_plan_guru64_dft_r2c weft_own_fftw_plan_guru64_dft_r2c
#define fftw_plan_guru64_dft_c2r weft_own_fftw_plan_guru64_dft_c2r
#define fftw_plan_guru64_r2r weft_own_fftw_plan_guru64_r2r
#define fftw_execute_dft weft_own_fftw_execute_dft
#define fftw_execute_dft_r2c weft_own_fftw_execute_dft_r2c
#define fftw_execute_dft_c2r weft_own_fftw_execute_dft_c2r
#define fftw_execute_r2r weft_own_fftw_execute_r2r
#define fftw_destroy_plan weft_own_fftw_destroy_plan
#define fftw_alignment_of weft_own_fftw_alignment_of
#define fftw_export_wisdom_to_string weft_own_fftw_export_wisdom_to_string
#define fftw_import_wisdom_from_string weft_own_fftw_import_wisdom_from_string
#define fftw_forget_wisdom weft_own_fftw_forget_wisdom
#define fftw_free weft_own_fftw_free
#define fftw_version weft_own_fftw_version
#define fftwf_plan_guru64_dft weft_own_fftwf_plan_guru64_dft
#define fftwf_plan_guru64_dft_r2c weft_own_fftwf_plan_guru64_dft_r2c
#define fftwf_plan_guru64_dft_c2r weft_own_fftwf_plan_guru64_dft_c2r
#define fftwf_plan_guru64_r2r weft_own_fftwf_plan_guru64_r2r
#define fftwf_execute_dft weft_own_fftwf_execute_dft
#define fftwf_execute_dft_r2c weft_own_fftwf_execute_dft_r2c
#define fftwf_execute_dft_c2r weft_own_fftwf_execute_dft_c2r
#define fftwf_execute_r2r weft_own_fftwf_execute_r2r
#define fftwf_destroy_plan weft_own_fftwf_destroy_plan
#define fftwf_alignment_of weft_own_fftwf_alignment_of
#define fftwf_export_wisdom_to_string weft_own_fftwf_export_wisdom_to_string
#define fftwf_import_wisdom_from_string weft_own_fftwf_import_wisdom_from_string
#define fftwf_forget_wisdom weft_own_fftwf_forget_wisdom
#define fftwf_free weft_own_fftwf_free
#pragma GCC visibility push(hidden)
#endif
#include <fftw3.h>
#ifdef WEFT_OWN_FFTW
#pragma GCC visibility pop
#endif

#include <dlfcn.h>

#include <array>
#include <memory>
#include <mutex>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/fft/engine.hpp"
#include "weft/fft/fftw_caveat.hpp"
#include "weft/fft/lanes/end_factors.hpp"
#include "weft/fft/mkl_accuracy.hpp"
#include "weft/fft/recent_plans.hpp"

namespace weft {

namespace {

// Protects FFTW's planner, which has global state. Only executing plans is thread-safe.
std::mutex planner;

#ifdef WEFT_OWN_FFTW
constexpr bool is_shared = false;
#else
constexpr bool is_shared = true;
#endif

// The number of threads in FFTW's global state. Its functions are in another library, which only an
// application that uses them loads; so they are looked up when they are needed, which happens only
// where FFTW is shared. fftw_planner_nthreads is absent before FFTW 3.3.9.
int threads_of_planner(const std::string& prefix) {
  const auto get =
      reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, (prefix + "_planner_nthreads").c_str()));
  return get != nullptr ? get() : 1;
}
void set_threads_of_planner(const std::string& prefix, int count) {
  const auto set = reinterpret_cast<void (*)(int)>(
      dlsym(RTLD_DEFAULT, (prefix + "_plan_with_nthreads").c_str()));
  if (set != nullptr) set(count);
}

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
    static Plan r2r(const Loop* n, int loops, const Loop* loop, void* in, void* out,           \
                    fftw_r2r_kind kind, unsigned flags) {                                      \
      return prefix##_plan_guru64_r2r(1, n, loops, loop, static_cast<Real*>(in),               \
                                      static_cast<Real*>(out), &kind, flags);                  \
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
        case LineKind::r2r:                                                                    \
          prefix##_execute_r2r(plan, static_cast<Real*>(in), static_cast<Real*>(out));         \
          break;                                                                               \
      }                                                                                        \
    }                                                                                          \
    static void destroy(Plan plan) { prefix##_destroy_plan(plan); }                            \
    static int alignment_of(const void* at) {                                                  \
      return prefix##_alignment_of(const_cast<Real*>(static_cast<const Real*>(at)));           \
    }                                                                                          \
    static std::string wisdom() {                                                              \
      const std::unique_ptr<char, void (*)(void*)> text(prefix##_export_wisdom_to_string(),    \
                                                        prefix##_free);                        \
      return text != nullptr ? text.get() : "";                                                \
    }                                                                                          \
    static void set_wisdom(const std::string& text) {                                          \
      prefix##_forget_wisdom();                                                                \
      if (!text.empty()) prefix##_import_wisdom_from_string(text.c_str());                     \
    }                                                                                          \
    static int threads() { return threads_of_planner(#prefix); }                               \
    static void set_threads(int count) { set_threads_of_planner(#prefix, count); }             \
  }

WEFT_FFTW_LIBRARY(Double, double, fftw);
WEFT_FFTW_LIBRARY(Single, float, fftwf);
#undef WEFT_FFTW_LIBRARY

// Locks the planner. While it exists, the planner has one thread and weft's wisdom, or no wisdom if
// nothing that was measured may decide: FFTW follows wisdom also with FFTW_ESTIMATE. Then a planner
// that the application uses, too, has what the application gave it again. One that is weft's alone
// gets its wisdom back when it is wanted next, as writing and reading it takes longer than a plan.
template <class Library>
class [[nodiscard]] PlannerGuard {
 public:
  explicit PlannerGuard(Effort effort) : lock_(planner), learns_(effort != Effort::estimate) {
    if constexpr (is_shared) {
      threads_ = Library::threads();
      if (threads_ != 1) Library::set_threads(1);
      before_ = Library::wisdom();
      Library::set_wisdom(learns_ ? put_aside() : "");
    } else {
      if (learns_ && is_aside()) Library::set_wisdom(put_aside());
      if (!learns_ && !is_aside()) put_aside() = Library::wisdom();
      if (!learns_) Library::set_wisdom("");  // nor what other estimates have left
      is_aside() = !learns_;
    }
  }
  PlannerGuard(const PlannerGuard&) = delete;
  PlannerGuard& operator=(const PlannerGuard&) = delete;
  ~PlannerGuard() {
    if constexpr (is_shared) {
      if (learns_) put_aside() = Library::wisdom();
      if (threads_ != 1) Library::set_threads(threads_);
      Library::set_wisdom(before_);
    }
  }

 private:
  // weft's wisdom while the planner does not have it.
  static std::string& put_aside() {
    static std::string wisdom;
    return wisdom;
  }
  static bool& is_aside() {
    static bool is = false;
    return is;
  }
  std::lock_guard<std::mutex> lock_;
  bool learns_;
  int threads_ = 1;
  std::string before_;
};

// Whether FFTW makes trial runs for lines of `n` points. For a prime factor that it has no code
// for, they take most of a second for each kind of line, and gain 10 to 20%. Where oneMKL is there
// and accurate, it gains more, and a plan that measures tries it instead.
bool is_worth_measuring(std::int64_t n, Precision precision) {
  if (mkl_entry().applies() || is_mkl_inaccurate(n, precision)) return true;
  for (const std::int64_t prime : {2, 3, 5, 7, 11, 13})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

bool may_destroy_input(LineKind kind) { return kind == LineKind::c2r || kind == LineKind::r2r; }

// FFTW's names of the sine and cosine transforms.
fftw_r2r_kind r2r_kind_of(Basis kind) {
  constexpr std::array<std::pair<Basis, fftw_r2r_kind>, 8> kinds{{{Basis::dct1, FFTW_REDFT00},
                                                                  {Basis::dct2, FFTW_REDFT10},
                                                                  {Basis::dct3, FFTW_REDFT01},
                                                                  {Basis::dct4, FFTW_REDFT11},
                                                                  {Basis::dst1, FFTW_RODFT00},
                                                                  {Basis::dst2, FFTW_RODFT10},
                                                                  {Basis::dst3, FFTW_RODFT01},
                                                                  {Basis::dst4, FFTW_RODFT11}}};
  for (const auto& [basis, of_fftw] : kinds)
    if (basis == kind) return of_fftw;
  ensure(false, to_string(kind));
  return FFTW_REDFT00;
}

// The length of the Fourier transform, or half of it, on which the lines depend.
std::int64_t points_between(const Lines& lines) {
  if (lines.kind != LineKind::r2r) return lines.n;
  return lines.real.kind == Basis::dct1   ? lines.n - 1
         : lines.real.kind == Basis::dst1 ? lines.n + 1
                                          : lines.n;
}

// A plan of FFTW, which its planner makes and frees.
template <class Library>
class FftwPlan {
 public:
  FftwPlan(const Lines& lines, void* in, void* out, Effort effort) {
    using Loop = typename Library::Loop;
    const Loop n{lines.n, lines.in_stride, lines.out_stride};
    std::vector<Loop> loops;
    loops.reserve(lines.loops.size());
    for (const auto& loop : lines.loops)
      loops.push_back({loop.count, loop.in_stride, loop.out_stride});
    const int count = static_cast<int>(loops.size());
    const bool measures =
        effort != Effort::estimate && is_worth_measuring(points_between(lines), lines.precision);
    const unsigned flags = (measures ? FFTW_MEASURE : FFTW_ESTIMATE) |
                           (may_destroy_input(lines.kind) ? FFTW_DESTROY_INPUT : 0U);
    const PlannerGuard<Library> guard(effort);
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
      case LineKind::r2r:
        plan_ = Library::r2r(&n, count, loops.data(), in, out, r2r_kind_of(lines.real.kind), flags);
        break;
    }
    if (plan_ == nullptr)
      throw Error(Error::system, fmt::format("FFTW has no plan for lines of {} points", lines.n),
                  "choose another engine; `weft engines` lists them");
  }
  FftwPlan(const FftwPlan&) = delete;
  FftwPlan& operator=(const FftwPlan&) = delete;
  ~FftwPlan() {
    const std::lock_guard lock(planner);
    Library::destroy(plan_);
  }

  typename Library::Plan get() const { return plan_; }

 private:
  typename Library::Plan plan_ = nullptr;
};

template <class Library>
class FftwKernel : public Kernel {
 public:
  FftwKernel(const Lines& lines, void* in, void* out, Effort effort)
      : kind_(lines.kind), is_in_place_(in == out), alignment_(alignment_of(in, out)) {
    const auto make = [&] { return std::make_shared<FftwPlan<Library>>(lines, in, out, effort); };
    if constexpr (is_shared) {
      plan_ = make();  // an application that calls fftw_cleanup frees what all plans need
    } else {
      // Never freed: in a forked child the planner may be locked by a thread of the parent's.
      static auto& recent = *new RecentPlans<FftwPlan<Library>>;
      plan_ = recent.find_or_make(PlanKey(lines, in, out, effort != Effort::estimate), make);
    }
  }

  void run(void* in, void* out, PrefetchQueue&) override {
    Library::execute(plan_->get(), kind_, in, out);
  }
  bool suits(const void* in, const void* out) const override {
    return !is_in_place_ && alignment_of(in, out) == alignment_;
  }

 private:
  // In FFTW's own sense: a plan may run wherever this is the same.
  static std::pair<int, int> alignment_of(const void* in, const void* out) {
    return {Library::alignment_of(in), Library::alignment_of(out)};
  }

  LineKind kind_;
  bool is_in_place_;
  std::pair<int, int> alignment_;
  std::shared_ptr<FftwPlan<Library>> plan_;
};

class Fftw : public Engine {
 public:
  std::unique_ptr<Kernel> make(const Lines& lines, void* in, void* out, Effort effort) override {
    ensure(lines.factor == 1, lines.factor);
    std::unique_ptr<Kernel> kernel;
    if (lines.precision == Precision::single_precision)
      kernel = std::make_unique<FftwKernel<Single>>(lines, in, out, effort);
    else
      kernel = std::make_unique<FftwKernel<Double>>(lines, in, out, effort);
    return with_end_factors(std::move(kernel), lines);
  }
};

}  // namespace

EngineEntry fftw_entry() {
  return {"fftw",
          "FFTW 3, Frigo and Johnson",
          []() -> std::optional<std::string> { return std::nullopt; },
          [] { return std::string(fftw_version); },
          [] { return fftw_caveat(fftw_version, is_shared); },
          []() -> std::unique_ptr<Engine> { return std::make_unique<Fftw>(); }};
}

}  // namespace weft
