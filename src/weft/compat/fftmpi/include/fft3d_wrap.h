/* fft3d_wrap: fftMPI's interface for C of transforms of three axes, computed by weft. `fft` is what
 * fft3d_create gave, and its precision is that of the arrays: 1 single, 2 double. The functions
 * with _fortran count bounds from 1. See docs/compat/fftmpi.md. */
#ifndef WEFT_FFTMPI_FFT3D_WRAP_H
#define WEFT_FFTMPI_FFT3D_WRAP_H

#include <mpi.h>
#include <stdint.h>

#include "fftdata.h"

#ifdef __cplusplus
extern "C" {
#endif

void fft3d_create(MPI_Comm comm, int precision, void** fft);
void fft3d_create_fortran(MPI_Fint comm, int precision, void** fft);
void fft3d_destroy(void* fft);

void fft3d_set(void* fft, const char* keyword, int value);
int fft3d_get_int(void* fft, const char* keyword);
double fft3d_get_double(void* fft, const char* keyword);
int64_t fft3d_get_int64(void* fft, const char* keyword);
char* fft3d_get_string(void* fft, const char* keyword, int* length);
int* fft3d_get_int_vector(void* fft, const char* keyword, int* length);
double* fft3d_get_double_vector(void* fft, const char* keyword, int* length);

void fft3d_setup(void* fft, int nfast, int nmid, int nslow, int in_ilo, int in_ihi, int in_jlo,
                 int in_jhi, int in_klo, int in_khi, int out_ilo, int out_ihi, int out_jlo,
                 int out_jhi, int out_klo, int out_khi, int permute, int* fftsize, int* sendsize,
                 int* recvsize);
void fft3d_setup_fortran(void* fft, int nfast, int nmid, int nslow, int in_ilo, int in_ihi,
                         int in_jlo, int in_jhi, int in_klo, int in_khi, int out_ilo, int out_ihi,
                         int out_jlo, int out_jhi, int out_klo, int out_khi, int permute,
                         int* fftsize, int* sendsize, int* recvsize);
void fft3d_setup_memory(void* fft, FFT_SCALAR* sendbuf, FFT_SCALAR* recvbuf);
void fft3d_compute(void* fft, FFT_SCALAR* in, FFT_SCALAR* out, int flag);
void fft3d_only_1d_ffts(void* fft, FFT_SCALAR* in, int flag);
void fft3d_only_remaps(void* fft, FFT_SCALAR* in, FFT_SCALAR* out, int flag);
void fft3d_only_one_remap(void* fft, FFT_SCALAR* in, FFT_SCALAR* out, int flag, int which);
void fft3d_tune(void* fft, int nfast, int nmid, int nslow, int in_ilo, int in_ihi, int in_jlo,
                int in_jhi, int in_klo, int in_khi, int out_ilo, int out_ihi, int out_jlo,
                int out_jhi, int out_klo, int out_khi, int permute, int* fftsize, int* sendsize,
                int* recvsize, int flag, int niter, double tmax, int tflag);
void fft3d_tune_fortran(void* fft, int nfast, int nmid, int nslow, int in_ilo, int in_ihi,
                        int in_jlo, int in_jhi, int in_klo, int in_khi, int out_ilo, int out_ihi,
                        int out_jlo, int out_jhi, int out_klo, int out_khi, int permute,
                        int* fftsize, int* sendsize, int* recvsize, int flag, int niter,
                        double tmax, int tflag);

#ifdef __cplusplus
}
#endif

#endif
