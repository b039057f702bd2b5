// compat/swfft/dfft: the plan behind the class Dfft, from cubes to z pencils.
#include <mpi.h>

#include <memory>

#include <weft/any_plan.hpp>

#include "distribution_c.h"
#include "moves.hpp"
#include "weft/compat/shared/ending.hpp"

using weft::AnyPlan;
using weft::compat::or_end;
using weft::swfft::comm_of;

void* weft_swfft_plan_create(const distribution_t* d) {
  void* plan = nullptr;
  or_end(comm_of(d), [&] {
    auto problem = weft::c2c({d->n[0], d->n[1], d->n[2]});
    problem.norm = weft::Norm::none;
    problem.input = weft::Distribution::of_my_boxes({weft::swfft::box_of(d->process_topology_3)});
    problem.output =
        weft::Distribution::of_my_boxes({weft::swfft::box_of(d->process_topology_2_z)});
    weft::Options options;
    options.effort = weft::Effort::estimate;
    options.arrays = weft::Arrays::any;
    plan = std::make_unique<AnyPlan>(comm_of(d), problem, options).release();
  });
  return plan;
}

void weft_swfft_plan_run(void* plan, int sign, const complex_t* from, complex_t* to) {
  auto& of_weft = *static_cast<AnyPlan*>(plan);
  or_end(of_weft.comm(), [&] {
    if (sign < 0)
      of_weft.forward(from, to);
    else
      of_weft.backward(from, to);
  });
}

void weft_swfft_plan_free(void* plan) { delete static_cast<AnyPlan*>(plan); }
