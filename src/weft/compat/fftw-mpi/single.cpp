// compat/fftw-mpi/single: the functions of fftw3-mpi.h in single precision.

#include <fftw3-mpi.h>

#include "weft/compat/fftw-mpi/blocks.hpp"
#include "weft/compat/fftw-mpi/kinds.hpp"
#include "weft/compat/fftw-mpi/original.hpp"
#include "weft/compat/fftw-mpi/plan.hpp"
#include "weft/compat/fftw-mpi/serial.hpp"
#include "weft/compat/fftw-mpi/wisdom.hpp"

using namespace weft::compat::fftw;

extern "C" const Serial weft_fftw_serial_single;

#define WEFT_NAME(name) "fftwf_" #name
#define WEFT_FFTW(name) fftwf_##name
#define WEFT_SERIAL weft_fftw_serial_single
#define WEFT_PRECISION weft::Precision::single_precision
#define WEFT_REAL float
#define WEFT_COMPLEX fftwf_complex
#include "weft/compat/fftw-mpi/functions.inc"
