// weft_lammps: the type of the real numbers of grids, and what LAMMPS calls precisions: 1 single, 2
// double. A LAMMPS that has settings of its own for this says the same.
#ifndef WEFT_LAMMPS_H
#define WEFT_LAMMPS_H

#ifdef __has_include
#if __has_include("lmpfftsettings.h")
#include "lmpfftsettings.h"
#endif
#endif

#ifdef FFT_SINGLE
typedef float FFT_SCALAR;
#ifndef FFT_PRECISION
#define FFT_PRECISION 1
#endif
#else
typedef double FFT_SCALAR;
#ifndef FFT_PRECISION
#define FFT_PRECISION 2
#endif
#endif

#endif
