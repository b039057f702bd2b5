// capi/fortran_comm: communicators that Fortran has as integers.

#include "weft/weft.h"

namespace {

// MPI converts only while it runs.
MPI_Comm comm_of(MPI_Fint comm) {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0 ? MPI_Comm_f2c(comm) : MPI_COMM_NULL;
}

}  // namespace

weft_status weft_plan_create_f(MPI_Fint comm, const weft_problem* problem, const char* settings,
                               weft_plan** plan) {
  return weft_plan_create(comm_of(comm), problem, settings, plan);
}
weft_status weft_ensemble_create_f(MPI_Fint comm, int count, const weft_problem* const* problems,
                                   const weft_policy* policy, const char* settings,
                                   weft_ensemble** ensemble) {
  return weft_ensemble_create(comm_of(comm), count, problems, policy, settings, ensemble);
}
weft_status weft_reshape_create_f(MPI_Fint comm, const weft_grid* grid,
                                  const weft_distribution* from, const weft_distribution* to,
                                  const char* settings, weft_reshape** reshape) {
  return weft_reshape_create(comm_of(comm), grid, from, to, settings, reshape);
}
weft_status weft_halo_create_f(MPI_Fint comm, const weft_grid* grid,
                               const weft_distribution* distribution, const char* settings,
                               weft_halo** halo) {
  return weft_halo_create(comm_of(comm), grid, distribution, settings, halo);
}

weft_status weft_plan_comm_f(const weft_plan* plan, MPI_Fint* comm) {
  MPI_Comm of = MPI_COMM_NULL;
  const weft_status status = weft_plan_comm(plan, comm != nullptr ? &of : nullptr);
  if (status == WEFT_OK) *comm = MPI_Comm_c2f(of);
  return status;
}
