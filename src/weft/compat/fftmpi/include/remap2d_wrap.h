/* remap2d_wrap: fftMPI's interface for C that moves grids of two axes, by weft. The functions with
 * _fortran count bounds from 1. See docs/compat/fftmpi.md. */
#ifndef WEFT_FFTMPI_REMAP2D_WRAP_H
#define WEFT_FFTMPI_REMAP2D_WRAP_H

#include <mpi.h>
#include <stdint.h>

#include "fftdata.h"

#ifdef __cplusplus
extern "C" {
#endif

void remap2d_create(MPI_Comm comm, void** remap);
void remap2d_create_fortran(MPI_Fint comm, void** remap);
void remap2d_destroy(void* remap);
void remap2d_set(void* remap, const char* keyword, int value);
void remap2d_setup(void* remap, int in_ilo, int in_ihi, int in_jlo, int in_jhi, int out_ilo,
                   int out_ihi, int out_jlo, int out_jhi, int nqty, int permute, int memoryflag,
                   int* sendsize, int* recvsize);
void remap2d_setup_fortran(void* remap, int in_ilo, int in_ihi, int in_jlo, int in_jhi, int out_ilo,
                           int out_ihi, int out_jlo, int out_jhi, int nqty, int permute,
                           int memoryflag, int* sendsize, int* recvsize);
void remap2d_remap(void* remap, FFT_SCALAR* in, FFT_SCALAR* out, FFT_SCALAR* sendbuf,
                   FFT_SCALAR* recvbuf);

/* In single precision: what the functions above, which do not say a precision, make. */
void weft_remap2d_create_single(MPI_Comm comm, void** remap);
void weft_remap2d_create_fortran_single(MPI_Fint comm, void** remap);
#ifdef FFT_SINGLE
#define remap2d_create weft_remap2d_create_single
#define remap2d_create_fortran weft_remap2d_create_fortran_single
#endif

#ifdef __cplusplus
}
#endif

#endif
