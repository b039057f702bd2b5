// compat/heffte/c: heFFTe's functions for C.
// Keeps: those that return a status throw nothing; the others have none, and end the program with
// the message of what they throw.

#include "include/heffte_c.h"

#include <mpi.h>

#include <cstdio>
#include <exception>
#include <memory>

#include "geometry.hpp"
#include "untyped.hpp"

namespace {

using heffte::over_weft::number;
using heffte::over_weft::transform;

constexpr int no_backend = 1, refused = 2, no_plan = 3;
constexpr number s = number::single_real, d = number::double_real;
constexpr number c = number::single_complex, z = number::double_complex;

bool is_backend(int backend) {
  return backend == Heffte_BACKEND_STOCK || backend == Heffte_BACKEND_FFTW ||
         backend == Heffte_BACKEND_MKL;
}

const transform& transform_of(heffte_plan plan) {
  return *static_cast<const transform*>(plan->fft);
}

// What plans of both kinds are made of.
struct Wanted {
  int backend;
  heffte::over_weft::ordered_box in, out;
  int r2c_direction;
  MPI_Comm comm;
};

int create(const Wanted& wanted, heffte_plan* plan) {
  *plan = nullptr;
  if (!is_backend(wanted.backend)) return no_backend;
  try {
    std::unique_ptr<transform> made(
        heffte::over_weft::made(wanted.in, wanted.out, wanted.r2c_direction, wanted.comm));
    *plan = new heffte_fft_plan{wanted.backend, wanted.r2c_direction >= 0 ? 1 : 0, made.get()};
    static_cast<void>(made.release());  // heffte_plan_destroy frees it
    return Heffte_SUCCESS;
  } catch (const std::exception& error) {
    int rank = 0;
    MPI_Comm_rank(wanted.comm, &rank);
    if (rank == 0) std::fprintf(stderr, "%s\n", error.what());
    return refused;
  }
}

using heffte::over_weft::box_of;

// What all transforms do; noexcept, so that an error ends the program and is printed.
void run(heffte_plan plan, const heffte::over_weft::UntypedRun& asked) noexcept {
  heffte::over_weft::run(transform_of(plan), plan->using_r2c != 0, asked);
}

int as_int(long long points) { return static_cast<int>(points); }

}  // namespace

extern "C" {

int heffte_set_default_options(int backend, heffte_plan_options* options) {
  if (!is_backend(backend)) return no_backend;
  *options = {1, 0, 1};
  return Heffte_SUCCESS;
}

int heffte_plan_create(int backend, int const inbox_low[3], int const inbox_high[3],
                       int const* inbox_order, int const outbox_low[3], int const outbox_high[3],
                       int const* outbox_order, MPI_Comm const comm,
                       heffte_plan_options const* /*options*/, heffte_plan* plan) {
  return create({backend, box_of(inbox_low, inbox_high, inbox_order),
                 box_of(outbox_low, outbox_high, outbox_order), -1, comm},
                plan);
}

int heffte_plan_create_r2c(int backend, int const inbox_low[3], int const inbox_high[3],
                           int const* inbox_order, int const outbox_low[3],
                           int const outbox_high[3], int const* outbox_order, int r2c_direction,
                           MPI_Comm const comm, heffte_plan_options const* /*options*/,
                           heffte_plan* plan) {
  // A direction that is none is refused on all ranks, as that of the largest number is.
  return create(
      {backend, box_of(inbox_low, inbox_high, inbox_order),
       box_of(outbox_low, outbox_high, outbox_order), r2c_direction < 0 ? 3 : r2c_direction, comm},
      plan);
}

int heffte_plan_destroy(heffte_plan plan) {
  if (plan == nullptr || !is_backend(plan->backend_type)) return no_plan;
  delete static_cast<transform*>(plan->fft);
  delete plan;
  return Heffte_SUCCESS;
}

int heffte_size_inbox(heffte_plan const plan) {
  return as_int(heffte::over_weft::count(transform_of(plan).inbox()));
}
int heffte_size_outbox(heffte_plan const plan) {
  return as_int(heffte::over_weft::count(transform_of(plan).outbox()));
}
int heffte_size_workspace(heffte_plan const plan) {
  return as_int(static_cast<long long>(transform_of(plan).size_workspace()));
}
int heffte_get_backend(heffte_plan const plan) { return plan->backend_type; }
int heffte_is_r2c(heffte_plan const plan) { return plan->using_r2c; }

void heffte_forward_s2c(heffte_plan const plan, float const* input, void* output, int scale) {
  run(plan, {true, 1, s, input, c, output, nullptr, scale});
}
void heffte_forward_c2c(heffte_plan const plan, void const* input, void* output, int scale) {
  run(plan, {true, 1, c, input, c, output, nullptr, scale});
}
void heffte_forward_d2z(heffte_plan const plan, double const* input, void* output, int scale) {
  run(plan, {true, 1, d, input, z, output, nullptr, scale});
}
void heffte_forward_z2z(heffte_plan const plan, void const* input, void* output, int scale) {
  run(plan, {true, 1, z, input, z, output, nullptr, scale});
}
void heffte_forward_s2c_buffered(heffte_plan const plan, float const* input, void* output,
                                 void* workspace, int scale) {
  run(plan, {true, 1, s, input, c, output, workspace, scale});
}
void heffte_forward_c2c_buffered(heffte_plan const plan, void const* input, void* output,
                                 void* workspace, int scale) {
  run(plan, {true, 1, c, input, c, output, workspace, scale});
}
void heffte_forward_d2z_buffered(heffte_plan const plan, double const* input, void* output,
                                 void* workspace, int scale) {
  run(plan, {true, 1, d, input, z, output, workspace, scale});
}
void heffte_forward_z2z_buffered(heffte_plan const plan, void const* input, void* output,
                                 void* workspace, int scale) {
  run(plan, {true, 1, z, input, z, output, workspace, scale});
}
void heffte_backward_c2s(heffte_plan const plan, void const* input, float* output, int scale) {
  run(plan, {false, 1, c, input, s, output, nullptr, scale});
}
void heffte_backward_c2c(heffte_plan const plan, void const* input, void* output, int scale) {
  run(plan, {false, 1, c, input, c, output, nullptr, scale});
}
void heffte_backward_z2d(heffte_plan const plan, void const* input, double* output, int scale) {
  run(plan, {false, 1, z, input, d, output, nullptr, scale});
}
void heffte_backward_z2z(heffte_plan const plan, void const* input, void* output, int scale) {
  run(plan, {false, 1, z, input, z, output, nullptr, scale});
}
void heffte_backward_c2s_buffered(heffte_plan const plan, void const* input, float* output,
                                  void* workspace, int scale) {
  run(plan, {false, 1, c, input, s, output, workspace, scale});
}
void heffte_backward_c2c_buffered(heffte_plan const plan, void const* input, void* output,
                                  void* workspace, int scale) {
  run(plan, {false, 1, c, input, c, output, workspace, scale});
}
void heffte_backward_z2d_buffered(heffte_plan const plan, void const* input, double* output,
                                  void* workspace, int scale) {
  run(plan, {false, 1, z, input, d, output, workspace, scale});
}
void heffte_backward_z2z_buffered(heffte_plan const plan, void const* input, void* output,
                                  void* workspace, int scale) {
  run(plan, {false, 1, z, input, z, output, workspace, scale});
}

}  // extern "C"
