/* complex-type.h: the complex numbers of SWFFT, which are of double precision. */
#ifndef WEFT_SWFFT_COMPLEX_TYPE_H
#define WEFT_SWFFT_COMPLEX_TYPE_H

#ifdef __cplusplus
#include <complex>
typedef std::complex<double> complex_t;
#ifndef I
#define I complex_t(0.0, 1.0)
#endif
#else
#include <complex.h>
typedef double complex complex_t;
#endif

#endif
