// compat/fftmpi/c_fft2d: fftMPI's functions for C of transforms of two axes.

#include "weft/compat/fftmpi/c_fft.hpp"

#define WEFT_AXES 2
#define FN(name) fft2d_##name
#define POINTS int nfast, int nslow
#define THEIR_POINTS nfast, nslow
#define BOUNDS WEFT_SIDE2(in), WEFT_SIDE2(out)
#define IN WEFT_BOUNDS2(in)
#define OUT WEFT_BOUNDS2(out)

using namespace FFTMPI_NS;

extern "C" {

#include "weft/compat/fftmpi/c_fft.inc"

}  // extern "C"
