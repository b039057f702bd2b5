// compat/fftw-mpi/serial_single: FFTW's functions that take plans of single precision, in front of
// those of its shared library.

#include <fftw3.h>

#include <cstdio>
#include <cstring>

#include "weft/compat/fftw-mpi/original.hpp"
#include "weft/compat/fftw-mpi/plan.hpp"
#include "weft/compat/fftw-mpi/serial.hpp"

using namespace weft::compat::fftw;

extern "C" {
extern const Serial weft_fftw_serial_single;
const Serial weft_fftw_serial_single = {true, nullptr, nullptr, nullptr};
}

#define WEFT_FFTW(name) fftwf_##name
#define WEFT_REAL float
#define WEFT_COMPLEX fftwf_complex
#define WEFT_DEFINED(name) fftwf_##name
#define WEFT_ORIGINAL(name)                  \
  reinterpret_cast<decltype(&fftwf_##name)>( \
      required_original("fftwf_" #name, __builtin_return_address(0)))
#include "weft/compat/fftw-mpi/serial.inc"
