// compat/lammps/fft3d: LAMMPS's functions that transform, of both precisions.
// Keeps: what they take and return is what LAMMPS's own headers say, so that those serve in double
// precision, too.

#include <algorithm>
#include <climits>

#include "weft/compat/fftmpi/bricks.hpp"
#include "weft/compat/lammps/fft_plan.hpp"
#include "weft/compat/shared/ending.hpp"

/// What LAMMPS has pointers to.
struct fft_plan_3d {
  weft::lammps::FftPlan plan;
};

namespace {

using namespace weft::bricks;
using weft::Precision;
using weft::compat::or_end;
using weft::compat::say;
using weft::lammps::Asked;
using weft::lammps::FftPlan;

fft_plan_3d* made(MPI_Comm comm, const Asked& asked, int* nbuf) {
  try {
    auto plan = std::make_unique<fft_plan_3d>(fft_plan_3d{FftPlan(comm, asked)});
    const std::int64_t bytes = weft::Scalar{asked.precision, true}.bytes();
    const std::int64_t numbers = plan->plan.workspace_bytes() / bytes;
    *nbuf = static_cast<int>(std::min<std::int64_t>(numbers, INT_MAX));
    return plan.release();
  } catch (const std::exception& error) {
    say(comm, error.what());
    return nullptr;
  }
}

bool is_forward(int flag) {
  if (flag != 1 && flag != -1)
    throw weft::Error(weft::Error::invalid, "flag is " + std::to_string(flag),
                      "1, forward, or -1, back");
  return flag == 1;
}

void transform(void* in, void* out, int flag, fft_plan_3d* plan) {
  or_end(plan->plan.comm(), [&] { plan->plan.transform(in, out, is_forward(flag)); });
}

void transform_lines(void* data, int nsize, int flag, fft_plan_3d* plan) {
  or_end(plan->plan.comm(),
         [&] { plan->plan.transform_lines(data, std::max(nsize, 0), is_forward(flag)); });
}

}  // namespace

// The parameters of a plan, and the value that is made of them.
#define PLAN                                                                                     \
  MPI_Comm comm, int nfast, int nmid, int nslow, int in_ilo, int in_ihi, int in_jlo, int in_jhi, \
      int in_klo, int in_khi, int out_ilo, int out_ihi, int out_jlo, int out_jhi, int out_klo,   \
      int out_khi, int scaled, int permute, int *nbuf, int /*usecollective*/
#define ASKED(precision)                                                                          \
  Asked {                                                                                         \
    extents_of({nfast, nmid, nslow}), brick_of({in_ilo, in_ihi, in_jlo, in_jhi, in_klo, in_khi}), \
        brick_of({out_ilo, out_ihi, out_jlo, out_jhi, out_klo, out_khi}), permute, precision,     \
        scaled != 0                                                                               \
  }

extern "C" {

fft_plan_3d* fft_3d_create_plan(PLAN) {
  return made(comm, ASKED(Precision::double_precision), nbuf);
}
void fft_3d_destroy_plan(fft_plan_3d* plan) { delete plan; }
void fft_3d(void* in, void* out, int flag, fft_plan_3d* plan) { transform(in, out, flag, plan); }
void fft_1d_only(void* data, int nsize, int flag, fft_plan_3d* plan) {
  transform_lines(data, nsize, flag, plan);
}

fft_plan_3d* weft_fft_3d_create_plan_single(PLAN) {
  return made(comm, ASKED(Precision::single_precision), nbuf);
}
void weft_fft_3d_destroy_plan_single(fft_plan_3d* plan) { delete plan; }
void weft_fft_3d_single(void* in, void* out, int flag, fft_plan_3d* plan) {
  transform(in, out, flag, plan);
}
void weft_fft_1d_only_single(void* data, int nsize, int flag, fft_plan_3d* plan) {
  transform_lines(data, nsize, flag, plan);
}

}  // extern "C"
