// compat/lammps/remap: LAMMPS's functions that move grids.

#include "weft/compat/lammps/include/remap.h"

#include <memory>

#include "weft/compat/fftmpi/bricks.hpp"
#include "weft/compat/fftmpi/moved.hpp"
#include "weft/compat/shared/ending.hpp"

/// What LAMMPS has pointers to.
struct remap_plan_3d {
  MPI_Comm comm;
  weft::Precision precision;
  std::shared_ptr<weft::AnyPlan> plan;
};

namespace {

using namespace weft::bricks;
using weft::compat::or_end;
using weft::compat::say;

void move(void* in, void* out, weft::Precision precision, remap_plan_3d* plan) {
  or_end(plan->comm, [&] {
    if (precision != plan->precision)
      throw weft::Error(weft::Error::invalid,
                        std::string("remap_3d was given numbers of ") + to_string(precision) +
                            " precision, and the plan is of " + to_string(plan->precision),
                        "FFT_PRECISION as the precision of the plan");
    plan->plan->forward(in, out);
  });
}

}  // namespace

remap_plan_3d* remap_3d_create_plan(MPI_Comm comm, int in_ilo, int in_ihi, int in_jlo, int in_jhi,
                                    int in_klo, int in_khi, int out_ilo, int out_ihi, int out_jlo,
                                    int out_jhi, int out_klo, int out_khi, int nqty, int permute,
                                    int /*memory*/, int precision, int /*usecollective*/) {
  try {
    if (precision != 1 && precision != 2)
      throw weft::Error(weft::Error::invalid, "precision is " + std::to_string(precision),
                        "1, single, or 2, double");
    const auto real =
        precision == 1 ? weft::Precision::single_precision : weft::Precision::double_precision;
    const Movement movement{brick_of({in_ilo, in_ihi, in_jlo, in_jhi, in_klo, in_khi}),
                            brick_of({out_ilo, out_ihi, out_jlo, out_jhi, out_klo, out_khi}), nqty,
                            permute, real};
    return new remap_plan_3d{comm, real,
                             weft::shared_plan(comm, problem_of(comm, movement), usual_options())};
  } catch (const std::exception& error) {
    say(comm, error.what());
    return nullptr;
  }
}

void remap_3d(float* in, float* out, float*, remap_plan_3d* plan) {
  move(in, out, weft::Precision::single_precision, plan);
}

void remap_3d(double* in, double* out, double*, remap_plan_3d* plan) {
  move(in, out, weft::Precision::double_precision, plan);
}

void remap_3d_destroy_plan(remap_plan_3d* plan) { delete plan; }
