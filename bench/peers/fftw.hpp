// bench/peers/fftw: the double and the single FFTW under one name, and its wisdom file.
// Keeps: a plan measured once is not measured again in the next launch.
#pragma once

#include <fftw3.h>
#ifdef PEER_MPI
#include <fftw3-mpi.h>
#endif

#include <utility>

#include "peer.hpp"

namespace peer {

template <class Real>
struct Fftw;

#define PEER_FFTW(REAL, X)                                                \
  template <>                                                             \
  struct Fftw<REAL> {                                                     \
    using Plan = X(plan);                                                 \
    using Complex = X(complex);                                           \
    static constexpr auto init_threads = X(init_threads);                 \
    static constexpr auto plan_with_nthreads = X(plan_with_nthreads);     \
    static constexpr auto import_wisdom = X(import_wisdom_from_filename); \
    static constexpr auto export_wisdom = X(export_wisdom_to_filename);   \
    static constexpr auto plan_many_dft = X(plan_many_dft);               \
    static constexpr auto plan_many_dft_r2c = X(plan_many_dft_r2c);       \
    static constexpr auto execute = X(execute);                           \
    static constexpr auto destroy_plan = X(destroy_plan);                 \
    PEER_FFTW_MPI(X)                                                      \
  };
#ifdef PEER_MPI
#define PEER_FFTW_MPI(X)                                                          \
  static constexpr auto mpi_init = X(mpi_init);                                   \
  static constexpr auto mpi_local_size_1d = X(mpi_local_size_1d);                 \
  static constexpr auto mpi_local_size_transposed = X(mpi_local_size_transposed); \
  static constexpr auto mpi_broadcast_wisdom = X(mpi_broadcast_wisdom);           \
  static constexpr auto mpi_gather_wisdom = X(mpi_gather_wisdom);                 \
  static constexpr auto mpi_plan_dft = X(mpi_plan_dft);                           \
  static constexpr auto mpi_plan_dft_r2c = X(mpi_plan_dft_r2c);                   \
  static constexpr auto mpi_execute_dft = X(mpi_execute_dft);                     \
  static constexpr auto mpi_execute_dft_r2c = X(mpi_execute_dft_r2c);
#else
#define PEER_FFTW_MPI(X)
#endif

#define PEER_FFTW_DOUBLE(name) fftw_##name
#define PEER_FFTW_SINGLE(name) fftwf_##name
PEER_FFTW(double, PEER_FFTW_DOUBLE)
PEER_FFTW(float, PEER_FFTW_SINGLE)

/// A plan that is destroyed with its owner.
template <class Real>
class FftwPlan {
 public:
  explicit FftwPlan(typename Fftw<Real>::Plan plan) : plan_(plan) {
    if (!plan_)
      throw Unsupported("FFTW has no plan for this problem; try other extents or --in-place");
  }
  FftwPlan(FftwPlan&& other) noexcept : plan_(std::exchange(other.plan_, nullptr)) {}
  FftwPlan& operator=(FftwPlan&&) = delete;
  ~FftwPlan() {
    if (plan_) Fftw<Real>::destroy_plan(plan_);
  }
  void execute() const { Fftw<Real>::execute(plan_); }
#ifdef PEER_MPI
  /// Of other arrays than those of the plan, which are aligned and laid out alike.
  void execute(bool real, std::complex<Real>* in, std::complex<Real>* out) const {
    using Complex = typename Fftw<Real>::Complex;
    auto* spectrum = reinterpret_cast<Complex*>(out);
    if (real)
      Fftw<Real>::mpi_execute_dft_r2c(plan_, reinterpret_cast<Real*>(in), spectrum);
    else
      Fftw<Real>::mpi_execute_dft(plan_, reinterpret_cast<Complex*>(in), spectrum);
  }
#endif

 private:
  typename Fftw<Real>::Plan plan_;
};

/// "3.3.10", of "fftw-3.3.10-sse2-avx".
inline std::string fftw_library_version() {
  const std::string_view text = fftw_version;
  const std::size_t begin = std::min(text.find('-') + 1, text.size());
  return std::string(text.substr(begin, text.find('-', begin) - begin));
}

// The input is filled afresh before every transform, so FFTW may overwrite it when that is faster.
inline constexpr unsigned fftw_effort = FFTW_MEASURE | FFTW_DESTROY_INPUT;

}  // namespace peer
