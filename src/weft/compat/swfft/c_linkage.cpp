// compat/swfft/c_linkage: SWFFT's classes as functions, which the modules for Fortran call. They
// have the names of the class and of its member; communicators are Fortran's.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "Dfft.hpp"
#include "Distribution.hpp"

namespace hacc {

namespace {

void copy(const int (&from)[3], int* to) { std::copy(from, from + 3, to); }

}  // namespace

extern "C" {

// Collective, as the deletion is: all of this file that makes, deletes, or transforms.
Distribution* Distribution__new(MPI_Fint comm, const int n[]) {
  return std::make_unique<Distribution>(MPI_Comm_f2c(comm), n).release();
}
void Distribution__delete(Distribution* d) { delete d; }
MPI_Fint Distribution__cart_3d(const Distribution* d) { return MPI_Comm_c2f(d->cart_3d()); }

// The distribution lives as long as the transforms do.
Dfft* Dfft__new(Distribution* d) { return std::make_unique<Dfft>(*d).release(); }
void Dfft__delete(Dfft* dfft) { delete dfft; }
void Dfft__makePlans(Dfft* dfft, complex_t* forward_output, complex_t* forward_scratch,
                     complex_t* backward_input, complex_t* backward_scratch, unsigned int flags) {
  dfft->makePlans(forward_output, forward_scratch, backward_input, backward_scratch, flags);
}
void Dfft__forward(Dfft* dfft, const complex_t* in) { dfft->forward(in); }
void Dfft__backward(Dfft* dfft, complex_t* out) { dfft->backward(out); }

std::size_t Dfft__global_size(const Dfft* dfft) { return dfft->global_size(); }
std::size_t Dfft__local_size(const Dfft* dfft) { return dfft->local_size(); }
MPI_Fint Dfft__parent_comm(const Dfft* dfft) { return MPI_Comm_c2f(dfft->parent_comm()); }
MPI_Fint Dfft__cartcomm_rspace(const Dfft* dfft) { return MPI_Comm_c2f(dfft->cartcomm_rspace()); }
MPI_Fint Dfft__cartcomm_kspace(const Dfft* dfft) { return MPI_Comm_c2f(dfft->cartcomm_kspace()); }

// Three numbers each, along x, y and z.
void Dfft__global_ng(const Dfft* dfft, int n[]) { copy(dfft->global_ng(), n); }
void Dfft__self_rspace(const Dfft* dfft, int n[]) { copy(dfft->self_rspace(), n); }
void Dfft__nproc_rspace(const Dfft* dfft, int n[]) { copy(dfft->nproc_rspace(), n); }
void Dfft__local_ng_rspace(const Dfft* dfft, int n[]) { copy(dfft->local_ng_rspace(), n); }
void Dfft__self_kspace(const Dfft* dfft, int n[]) { copy(dfft->self_kspace(), n); }
void Dfft__nproc_kspace(const Dfft* dfft, int n[]) { copy(dfft->nproc_kspace(), n); }
void Dfft__local_ng_kspace(const Dfft* dfft, int n[]) { copy(dfft->local_ng_kspace(), n); }

}  // extern "C"

}  // namespace hacc
