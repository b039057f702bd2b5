// compat/fftw-mpi/serial_double: FFTW's functions that take plans of double precision, in front of
// those of its shared library.

#include <fftw3.h>

#include <cstdio>
#include <cstring>

#include "weft/compat/fftw-mpi/original.hpp"
#include "weft/compat/fftw-mpi/plan.hpp"
#include "weft/compat/fftw-mpi/serial.hpp"

using namespace weft::compat::fftw;

extern "C" {
extern const Serial weft_fftw_serial_double;
const Serial weft_fftw_serial_double = {true, nullptr, nullptr, nullptr};
}

#define WEFT_FFTW(name) fftw_##name
#define WEFT_REAL double
#define WEFT_COMPLEX fftw_complex
#define WEFT_DEFINED(name) fftw_##name
#define WEFT_ORIGINAL(name)                 \
  reinterpret_cast<decltype(&fftw_##name)>( \
      required_original("fftw_" #name, __builtin_return_address(0)))
#include "weft/compat/fftw-mpi/serial.inc"
