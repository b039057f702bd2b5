// compat/fftmpi/c_fft3d: fftMPI's functions for C of transforms of three axes.

#include "weft/compat/fftmpi/c_fft.hpp"

#define WEFT_AXES 3
#define FN(name) fft3d_##name
#define POINTS int nfast, int nmid, int nslow
#define THEIR_POINTS nfast, nmid, nslow
#define BOUNDS WEFT_SIDE3(in), WEFT_SIDE3(out)
#define IN WEFT_BOUNDS3(in)
#define OUT WEFT_BOUNDS3(out)

using namespace FFTMPI_NS;

extern "C" {

#include "weft/compat/fftmpi/c_fft.inc"

}  // extern "C"
