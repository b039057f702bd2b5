// fft3d: the functions by which LAMMPS transforms grids of three axes over the ranks of a
// communicator, computed by weft. Written from how LAMMPS calls them. See docs/compat/lammps.md.
#ifndef WEFT_LAMMPS_FFT3D_H
#define WEFT_LAMMPS_FFT3D_H

#include <mpi.h>

#include "weft_lammps.h"

// The complex numbers of a grid.
typedef struct {
  FFT_SCALAR re, im;
} FFT_DATA;

struct fft_plan_3d;

// One library has both precisions. What is compiled with FFT_SINGLE calls these.
#ifdef FFT_SINGLE
#define fft_3d_create_plan weft_fft_3d_create_plan_single
#define fft_3d_destroy_plan weft_fft_3d_destroy_plan_single
#define fft_3d weft_fft_3d_single
#define fft_1d_only weft_fft_1d_only_single
#endif

extern "C" {

// A transform from the bricks `in` to the bricks `out`, in both directions. Bounds are inclusive, i
// is the fastest axis. `scaled`: the way back divides by the number of points. `permute`: the order
// of memory of the output; 1: mid, slow, fast, the fastest first; 2: slow, fast, mid. Writes the
// complex numbers that buffers of weft's have room for to nbuf. Which way the data are sent is
// weft's choice, whatever `usecollective` is. Collective. Prints why, and returns null, if there
// can be no such plan, the same on all ranks.
fft_plan_3d* fft_3d_create_plan(MPI_Comm comm, int nfast, int nmid, int nslow, int in_ilo,
                                int in_ihi, int in_jlo, int in_jhi, int in_klo, int in_khi,
                                int out_ilo, int out_ihi, int out_jlo, int out_jhi, int out_klo,
                                int out_khi, int scaled, int permute, int* nbuf, int usecollective);
// Transforms `in` to `out`, forward (1) or back (-1), which may be one array with room for the
// larger side. Collective.
void fft_3d(FFT_DATA* in, FFT_DATA* out, int flag, fft_plan_3d* plan);
// Transforms lines in the first nsize numbers of `data`, as many as a rank has in a transform, and
// moves nothing. Not collective.
void fft_1d_only(FFT_DATA* data, int nsize, int flag, fft_plan_3d* plan);
// Frees a plan. Collective.
void fft_3d_destroy_plan(fft_plan_3d* plan);
}

#endif
