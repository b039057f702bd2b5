/* ffttype: the complex numbers of fields, and the precision as fftMPI counts it: 1 single, 2
 * double. */
#ifndef WEFT_FFTMPI_FFTTYPE_H
#define WEFT_FFTMPI_FFTTYPE_H

#include "fftdata.h"

#ifdef FFT_SINGLE
#define FFT_PRECISION 1
#else
#define FFT_PRECISION 2
#endif

typedef struct {
  FFT_SCALAR re, im;
} FFT_DATA;

#endif
