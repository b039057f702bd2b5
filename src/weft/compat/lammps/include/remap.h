// remap: the functions by which LAMMPS moves grids of three axes between the ranks of a
// communicator, by weft. Written from how LAMMPS calls them. See docs/compat/lammps.md.
#ifndef WEFT_LAMMPS_REMAP_H
#define WEFT_LAMMPS_REMAP_H

#include <mpi.h>

#include "weft_lammps.h"

struct remap_plan_3d;

// Moves points of `nqty` numbers each from the bricks `in` to the bricks `out`. Bounds are
// inclusive, i is the fastest axis; `permute` as of fft_3d_create_plan; `precision` is 1 for float
// and 2 for double. weft has its own memory, whatever `memory` is. Collective. Prints why, and
// returns null, if there can be no such plan, the same on all ranks.
remap_plan_3d* remap_3d_create_plan(MPI_Comm comm, int in_ilo, int in_ihi, int in_jlo, int in_jhi,
                                    int in_klo, int in_khi, int out_ilo, int out_ihi, int out_jlo,
                                    int out_jhi, int out_klo, int out_khi, int nqty, int permute,
                                    int memory, int precision, int usecollective);
// Moves `in` to `out`, which may be one array with room for the larger side; `buf` is not used.
// Collective.
void remap_3d(float* in, float* out, float* buf, remap_plan_3d* plan);
void remap_3d(double* in, double* out, double* buf, remap_plan_3d* plan);
// Frees a plan. Collective.
void remap_3d_destroy_plan(remap_plan_3d* plan);

#endif
