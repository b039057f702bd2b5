// Dfft.hpp: SWFFT's transforms for C++, over weft: from cubes in real space to z pencils in k
// space, and back. Nothing is scaled.
#ifndef WEFT_SWFFT_DFFT_HPP
#define WEFT_SWFFT_DFFT_HPP

#if defined(__has_include)
#if __has_include(<fftw3.h>)
#include <fftw3.h>
#endif
#endif

#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <memory>

#include "Distribution.hpp"
#include "Error.h"
#include "complex-type.h"

#ifndef FFTW_MEASURE
#define FFTW_MEASURE (0U)
#endif

namespace hacc {

class Dfft {
 public:
  explicit Dfft(Distribution& dist) : d(dist) {}
  Dfft(Distribution& dist, complex_t* forward_output, complex_t* forward_scratch,
       complex_t* backward_input, complex_t* backward_scratch, unsigned int flags = FFTW_MEASURE)
      : d(dist) {
    makePlans(forward_output, forward_scratch, backward_input, backward_scratch, flags);
  }

  /// Binds arrays of local_size() numbers: forward writes forward_output, and backward reads
  /// backward_input; the scratch arrays are used, too. Flags change nothing. Collective.
  void makePlans(complex_t* forward_output, complex_t* forward_scratch, complex_t* backward_input,
                 complex_t* backward_scratch, unsigned int /*flags*/ = FFTW_MEASURE) {
    if (forward_output == forward_scratch)
      Error() << "Dfft::makePlans: forward_output and forward_scratch are the same array";
    if (backward_input == backward_scratch)
      Error() << "Dfft::makePlans: backward_input and backward_scratch are the same array";
    m_fo = forward_output;
    m_fs = forward_scratch;
    m_bi = backward_input;
    m_bs = backward_scratch;
    if (!plan) plan.reset(weft_swfft_plan_create(&d.m_d), weft_swfft_plan_free);
  }

  /// Transforms `in`, which may be forward_output. Collective, as those that follow.
  void forward(complex_t const* in) {
    require_plans();
    if (in == m_fo) {
      std::copy(in, in + local_size(), m_fs);
      in = m_fs;
    }
    weft_swfft_plan_run(plan.get(), -1, in, m_fo);
  }
  /// The same for real numbers with ghost0 points before and ghost1 after those of each axis.
  void forward(float const* in, std::size_t ghost0, std::size_t ghost1) {
    require_plans();
    std::size_t next = 0;
    for_points(ghost0, ghost1, [&](std::size_t at) { m_fs[next++] = in[at]; });
    weft_swfft_plan_run(plan.get(), -1, m_fs, m_fo);
  }
  void forward(float const* in, std::size_t ghost) { forward(in, ghost, ghost + 1); }

  /// Transforms backward_input into `out`, which may be the same array.
  void backward(complex_t* out) {
    require_plans();
    const complex_t* from = m_bi;
    if (out == m_bi) {
      std::copy(m_bi, m_bi + local_size(), m_bs);
      from = m_bs;
    }
    weft_swfft_plan_run(plan.get(), 1, from, out);
  }
  void backward(float* out, std::size_t ghost0, std::size_t ghost1) {
    require_plans();
    weft_swfft_plan_run(plan.get(), 1, m_bi, m_bs);
    std::size_t next = 0;
    for_points(ghost0, ghost1,
               [&](std::size_t at) { out[at] = static_cast<float>(m_bs[next++].real()); });
  }
  void backward(float* out, std::size_t ghost) { backward(out, ghost, ghost + 1); }

  int global_ng(int i) const { return d.global_ng(i); }
  int const (&global_ng() const)[3] { return d.global_ng(); }
  std::size_t global_size() const { return d.global_size(); }
  std::size_t local_size() const { return d.local_size(); }
  MPI_Comm parent_comm() const { return d.parent_comm(); }
  Distribution& get_d() { return d; }

  int self_rspace(int i) const { return d.self_3d(i); }
  int const (&self_rspace() const)[3] { return d.self_3d(); }
  int nproc_rspace(int i) const { return d.nproc_3d(i); }
  int const (&nproc_rspace() const)[3] { return d.nproc_3d(); }
  int local_ng_rspace(int i) const { return d.local_ng_3d(i); }
  int const (&local_ng_rspace() const)[3] { return d.local_ng_3d(); }
  MPI_Comm cartcomm_rspace() const { return d.cart_3d(); }

  int self_kspace(int i) const { return d.self_2d_z(i); }
  int const (&self_kspace() const)[3] { return d.self_2d_z(); }
  int nproc_kspace(int i) const { return d.nproc_2d_z(i); }
  int const (&nproc_kspace() const)[3] { return d.nproc_2d_z(); }
  int local_ng_kspace(int i) const { return d.local_ng_2d_z(i); }
  int const (&local_ng_kspace() const)[3] { return d.local_ng_2d_z(); }
  MPI_Comm cartcomm_kspace() const { return d.cart_2d_z(); }

 private:
  void require_plans() const {
    if (!plan) Error() << "Dfft: makePlans binds arrays first";
  }
  // Calls `use` with the place of each point of this rank in an array with ghost points.
  template <class Use>
  void for_points(std::size_t ghost0, std::size_t ghost1, Use use) const {
    const std::size_t n0 = static_cast<std::size_t>(local_ng_rspace(0)),
                      n1 = static_cast<std::size_t>(local_ng_rspace(1)),
                      n2 = static_cast<std::size_t>(local_ng_rspace(2)), row = ghost0 + n2 + ghost1,
                      plane = row * (ghost0 + n1 + ghost1);
    for (std::size_t i = 0; i < n0; ++i)
      for (std::size_t j = 0; j < n1; ++j)
        for (std::size_t k = 0; k < n2; ++k)
          use((ghost0 + i) * plane + (ghost0 + j) * row + ghost0 + k);
  }

  Distribution& d;
  std::shared_ptr<void> plan;
  complex_t *m_fo = nullptr, *m_fs = nullptr, *m_bi = nullptr, *m_bs = nullptr;
};

}  // namespace hacc

#endif
