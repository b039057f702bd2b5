// compat/fftw-mpi/double: the functions of fftw3-mpi.h in double precision.

#include <fftw3-mpi.h>

#include "weft/compat/fftw-mpi/blocks.hpp"
#include "weft/compat/fftw-mpi/kinds.hpp"
#include "weft/compat/fftw-mpi/original.hpp"
#include "weft/compat/fftw-mpi/plan.hpp"
#include "weft/compat/fftw-mpi/serial.hpp"
#include "weft/compat/fftw-mpi/wisdom.hpp"

using namespace weft::compat::fftw;

extern "C" const Serial weft_fftw_serial_double;

#define WEFT_NAME(name) "fftw_" #name
#define WEFT_FFTW(name) fftw_##name
#define WEFT_SERIAL weft_fftw_serial_double
#define WEFT_PRECISION weft::Precision::double_precision
#define WEFT_REAL double
#define WEFT_COMPLEX fftw_complex
#include "weft/compat/fftw-mpi/functions.inc"
