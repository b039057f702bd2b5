// tests/compat/fftw-mpi/uses: what the programs here share: names of one precision, direct sums, and comparing.
#pragma once

#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SINGLE
typedef float real;
#define F(name) fftwf_##name
#define EPSILON 1.2e-7
#else
typedef double real;
#define F(name) fftw_##name
#define EPSILON 2.3e-16
#endif

typedef long double complex number;
typedef F(complex) pair;

extern int failures, checks;

// A field of `rnk` axes of `n` points, in order, with `howmany` numbers a point.
typedef struct {
  int rnk;
  ptrdiff_t n[8], howmany;
  number* at;
} field;

ptrdiff_t points_of(int rnk, const ptrdiff_t* n);
// A field of numbers that depend on their place alone; complex ones, or real ones.
field some_field(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, int is_complex);
void free_field(field* f);
// Transforms all lines along an axis by direct sums: exp(sign 2 pi i jk/n), or a real kind.
void fourier(field* f, int axis, int sign);
void real_kind(field* f, int axis, F(r2r_kind) kind);

// Where a rank's part lies: the axis that is divided there, its part, the order of the first two axes, and the numbers of a row.
typedef struct {
  int axis, is_exchanged;
  ptrdiff_t n, start, row;
} part;

// Copies between the part of a field and an array of real or complex numbers; `compare` counts a failure, with a message, where
// they differ by more than rounding.
void put(const field* f, part p, real* array, int is_complex);
void compare(const field* f, part p, const real* array, int is_complex, const char* what, int rank);
void expect(int holds, const char* what, int rank);
