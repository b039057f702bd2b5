// heffte.h: what programs written for heFFTe 2.4 include, here over weft: classes in C++, functions
// in C. Keeps: C++11 is enough, and no header of weft's is included.
#ifndef HEFFTE_H
#define HEFFTE_H

#ifdef __cplusplus
#include "heffte_fft3d.h"
#include "heffte_fft3d_r2c.h"
#else
#include "heffte_c.h"
#endif

#endif
