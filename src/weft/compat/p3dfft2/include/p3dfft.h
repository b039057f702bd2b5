/* p3dfft.h: P3DFFT 2.7 for C, over weft. A program says by SINGLE_PREC, STRIDE1 and DIMS_C what the
 * original was built for. Arrays are as Fortran has them: real space (x, y, z) with x contiguous,
 * and the spectrum (x, y, z), or (z, y, x) with STRIDE1. */
#ifndef WEFT_P3DFFT_H
#define WEFT_P3DFFT_H

#include <stddef.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FORTNAME(NAME) NAME##_
#define FORT_MOD_NAME(NAME) NAME##_

#ifdef SINGLE_PREC
typedef float weft_p3dfft2_real;
#define WEFT_P3DFFT2_PRECISION 1
#else
typedef double weft_p3dfft2_real;
#define WEFT_P3DFFT2_PRECISION 0
#endif
#ifdef STRIDE1
#define WEFT_P3DFFT2_ORDER 2
#else
#define WEFT_P3DFFT2_ORDER 0
#endif
#ifdef DIMS_C
#define WEFT_P3DFFT2_RANKS 4
#else
#define WEFT_P3DFFT2_RANKS 0
#endif

/* What the functions below call. Pointers are to numbers of the precision that the setup was made
 * for, and steps count them. */
void weft_p3dfft2_setup(int layout, const int* dims, const int* points, int comm, const int* modes,
                        int* memsize);
void weft_p3dfft2_get_dims(int* start, int* end, int* size, int conf);
void weft_p3dfft2_get_mpi_info(int* rank, int* ranks, int* comm);
void weft_p3dfft2_forward(const void* from, int from_step, void* to, int to_step, int count,
                          const char* op);
void weft_p3dfft2_backward(const void* from, int from_step, void* to, int to_step, int count,
                           const char* op);
void weft_p3dfft2_forward_along_x(const void* from, void* to);
void weft_p3dfft2_cheby(const void* from, int from_step, void* to, int to_step, int count,
                        double length);
void weft_p3dfft2_clean(void);
extern double weft_p3dfft2_timers[12];

/* Divides nx x ny x nz points among dims[0] x dims[1] ranks of `comm`, a communicator as Fortran
 * has it. Of the spectrum, as much is kept as a grid of nxcut x nycut x nzcut points has. memsize:
 * three dimensions of an array that has room for both sides. `overwrite` changes nothing: input is
 * left as it is. Collective. */
static inline void Cp3dfft_setup(int* dims, int nx, int ny, int nz, int comm, int nxcut, int nycut,
                                 int nzcut, int overwrite, int* memsize) {
  const int points[3] = {nx, ny, nz}, modes[3] = {nxcut, nycut, nzcut};
  (void)overwrite;
  weft_p3dfft2_setup(WEFT_P3DFFT2_PRECISION + WEFT_P3DFFT2_ORDER + WEFT_P3DFFT2_RANKS, dims, points,
                     comm, modes, memsize);
}

/* What this rank has, from 1 on: conf 1 of real space, 2 of the spectrum, 3 of real space with room
 * for the spectrum. */
static inline void Cp3dfft_get_dims(int* start, int* end, int* size, int conf) {
  weft_p3dfft2_get_dims(start, end, size, conf);
}

/* op: "fft", and for the last letter c for cosines, s for sines, n or 0 for nothing; "tff" and so
 * on for the way back. */
static inline void Cp3dfft_ftran_r2c(weft_p3dfft2_real* A, weft_p3dfft2_real* B,
                                     unsigned char* op) {
  weft_p3dfft2_forward(A, 0, B, 0, 1, (const char*)op);
}
static inline void Cp3dfft_btran_c2r(weft_p3dfft2_real* A, weft_p3dfft2_real* B,
                                     unsigned char* op) {
  weft_p3dfft2_backward(A, 0, B, 0, 1, (const char*)op);
}
/* nv fields; dims count real numbers of real space, and complex ones of the spectrum, from a field
 * to the next. */
static inline void Cp3dfft_ftran_r2c_many(weft_p3dfft2_real* A, int dim_in, weft_p3dfft2_real* B,
                                          int dim_out, int nv, unsigned char* op) {
  weft_p3dfft2_forward(A, dim_in, B, dim_out, nv, (const char*)op);
}
static inline void Cp3dfft_btran_c2r_many(weft_p3dfft2_real* A, int dim_in, weft_p3dfft2_real* B,
                                          int dim_out, int nv, unsigned char* op) {
  weft_p3dfft2_backward(A, dim_in, B, dim_out, nv, (const char*)op);
}
/* The Chebyshev coefficients of the derivative along z, whose points are cos(pi k / (nz - 1)) of an
 * interval of the length Lz. */
static inline void Cp3dfft_cheby(weft_p3dfft2_real* A, weft_p3dfft2_real* B, double Lz) {
  weft_p3dfft2_cheby(A, 0, B, 0, 1, Lz);
}
static inline void Cp3dfft_cheby_many(weft_p3dfft2_real* A, int dim_in, weft_p3dfft2_real* B,
                                      int dim_out, int nv, double Lz) {
  weft_p3dfft2_cheby(A, dim_in, B, dim_out, nv, Lz);
}
static inline void Cp3dfft_clean(void) { weft_p3dfft2_clean(); }

/* Seconds since Cset_timers: in [4] of transforms forward, in [5] of those back; the others are 0.
 */
static inline void Cget_timers(double* timers) {
  for (int i = 0; i < 12; ++i) timers[i] = weft_p3dfft2_timers[i];
}
static inline void Cset_timers(void) {
  for (int i = 0; i < 12; ++i) weft_p3dfft2_timers[i] = 0;
}

/* The same by their older names. */
static inline void p3dfft_setup(int* dims, int nx, int ny, int nz, int comm, int nxcut, int nycut,
                                int nzcut, int overwrite, int* memsize) {
  Cp3dfft_setup(dims, nx, ny, nz, comm, nxcut, nycut, nzcut, overwrite, memsize);
}
static inline void p3dfft_get_dims(int* start, int* end, int* size, int conf) {
  Cp3dfft_get_dims(start, end, size, conf);
}
static inline void p3dfft_ftran_r2c(weft_p3dfft2_real* A, weft_p3dfft2_real* B, unsigned char* op) {
  Cp3dfft_ftran_r2c(A, B, op);
}
static inline void p3dfft_btran_c2r(weft_p3dfft2_real* A, weft_p3dfft2_real* B, unsigned char* op) {
  Cp3dfft_btran_c2r(A, B, op);
}
static inline void p3dfft_cheby(weft_p3dfft2_real* A, weft_p3dfft2_real* B, double Lz) {
  Cp3dfft_cheby(A, B, Lz);
}
static inline void p3dfft_clean(void) { Cp3dfft_clean(); }
static inline void get_timers(double* timers) { Cget_timers(timers); }
static inline void set_timers(void) { Cset_timers(); }

#ifdef __cplusplus
}
#endif

#endif
