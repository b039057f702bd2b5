// heffte_config: the version of heFFTe whose interface this is, and what of it is there.
// Keeps: all backends of processors are names for weft, which chooses the library that computes.
#ifndef HEFFTE_CONFIG_H
#define HEFFTE_CONFIG_H

#define Heffte_VERSION_MAJOR 2
#define Heffte_VERSION_MINOR 4
#define Heffte_VERSION_PATCH 1
#define Heffte_GIT_HASH "weft"

#define Heffte_ENABLE_FFTW
#define Heffte_ENABLE_MKL

// Not defined, as it is not there: Heffte_ENABLE_CUDA, Heffte_ENABLE_ROCM, Heffte_ENABLE_ONEAPI,
// Heffte_ENABLE_GPU, Heffte_ENABLE_MAGMA, Heffte_ENABLE_TRACING, Heffte_ENABLE_AVX,
// Heffte_ENABLE_AVX512 (weft looks at the processor when it runs).

#endif
