// compat/heffte/untyped: checks what the compiler of a program in C cannot.

#include "untyped.hpp"

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace heffte::over_weft {

namespace {

double factor_of(const transform& plan, int scale) {
  if (scale == 0) return 1;
  if (scale == 1) return plan.full_scale();
  if (scale == 2) return std::sqrt(plan.full_scale());
  throw std::invalid_argument("heffte: there is no scale " + std::to_string(scale) +
                              "\n  try:   0 for none, 1 for full, 2 for symmetric");
}

}  // namespace

ordered_box box_of(const int* low, const int* high, const int* order) {
  ordered_box box{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.low[axis] = low[axis];
    box.high[axis] = high[axis];
    box.order[axis] = order == nullptr ? static_cast<int>(axis) : order[axis];
  }
  return box;
}

transform* made(const ordered_box& in, const ordered_box& out, int r2c_direction, MPI_Comm comm) {
  return new transform({in, out, r2c_direction, family::fourier, false, 0, false, true}, comm);
}

void run(const transform& plan, bool is_r2c, const UntypedRun& run) {
  if (is_r2c && run.from_type == run.to_type)
    throw std::invalid_argument(
        "heffte: a plan of real numbers cannot take and make complex ones\n"
        "  try:   s2c, d2z, c2s or z2d, or a plan of heffte_plan_create");
  const double factor = factor_of(plan, run.scale);
  const array from{run.from_type, run.from, -1}, to{run.to_type, run.to, -1};
  if (run.is_forward)
    plan.forward(run.batch, from, to, run.workspace, factor);
  else
    plan.backward(run.batch, from, to, run.workspace, factor);
}

}  // namespace heffte::over_weft
