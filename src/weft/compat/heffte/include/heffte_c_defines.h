/* heffte_c_defines: constants and types of heFFTe's interface for C. */
#ifndef HEFFTE_C_DEFINES_H
#define HEFFTE_C_DEFINES_H

#include "heffte_config.h"

/* Backends, all of which are weft. */
#define Heffte_BACKEND_STOCK 0
#define Heffte_BACKEND_FFTW 1
#define Heffte_BACKEND_MKL 2

/* What functions return that can fail, where nothing is wrong. */
#define Heffte_SUCCESS 0

/* How results are multiplied: not at all, by what makes the other direction the inverse, or by its
   square root. */
#define Heffte_SCALE_NONE 0
#define Heffte_SCALE_FULL 1
#define Heffte_SCALE_SYMMETRIC 2

/* Options of a plan; they have no effect, as weft chooses. */
typedef struct {
  int use_reorder;
  int algorithm;
  int use_pencils;
} heffte_plan_options;

/* A plan; programs leave its members alone. */
typedef struct {
  int backend_type;
  int using_r2c;
  void* fft;
} heffte_fft_plan;
typedef heffte_fft_plan* heffte_plan;

#endif
