/* fftdata: the type of the real numbers of fields, chosen by the program with FFT_SINGLE. */
#ifndef WEFT_FFTMPI_FFTDATA_H
#define WEFT_FFTMPI_FFTDATA_H

#include <mpi.h>

#ifdef FFT_SINGLE
typedef float FFT_SCALAR;
#define MPI_FFT_SCALAR MPI_FLOAT
#else
typedef double FFT_SCALAR;
#define MPI_FFT_SCALAR MPI_DOUBLE
#endif

#endif
