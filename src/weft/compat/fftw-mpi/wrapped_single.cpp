// compat/fftw-mpi/wrapped_single: FFTW's functions that take plans of single precision, for
// programs that link FFTW's static library: the linker sends calls of fftw_execute to
// __wrap_fftw_execute, and calls of __real_fftw_execute to FFTW's.

#include <fftw3.h>

#include <cstdio>
#include <cstring>

#include "weft/compat/fftw-mpi/plan.hpp"
#include "weft/compat/fftw-mpi/serial.hpp"

using namespace weft::compat::fftw;

#define WEFT_FFTW(name) fftwf_##name
#define WEFT_REAL float
#define WEFT_COMPLEX fftwf_complex
#define WEFT_DEFINED(name) __wrap_fftwf_##name
#define WEFT_ORIGINAL(name) __real_fftwf_##name

extern "C" {
extern const Serial __wrap_weft_fftw_serial_single;  // what serial_single says, wrapped as well
const Serial __wrap_weft_fftw_serial_single = {false, fftwf_export_wisdom_to_string,
                                               fftwf_import_wisdom_from_string, fftwf_cleanup};
decltype(fftwf_execute) __wrap_fftwf_execute, __real_fftwf_execute;
decltype(fftwf_execute_dft) __wrap_fftwf_execute_dft, __real_fftwf_execute_dft;
decltype(fftwf_execute_dft_r2c) __wrap_fftwf_execute_dft_r2c, __real_fftwf_execute_dft_r2c;
decltype(fftwf_execute_dft_c2r) __wrap_fftwf_execute_dft_c2r, __real_fftwf_execute_dft_c2r;
decltype(fftwf_execute_r2r) __wrap_fftwf_execute_r2r, __real_fftwf_execute_r2r;
decltype(fftwf_destroy_plan) __wrap_fftwf_destroy_plan, __real_fftwf_destroy_plan;
decltype(fftwf_fprint_plan) __wrap_fftwf_fprint_plan, __real_fftwf_fprint_plan;
decltype(fftwf_print_plan) __wrap_fftwf_print_plan, __real_fftwf_print_plan;
decltype(fftwf_sprint_plan) __wrap_fftwf_sprint_plan, __real_fftwf_sprint_plan;
decltype(fftwf_flops) __wrap_fftwf_flops, __real_fftwf_flops;
decltype(fftwf_estimate_cost) __wrap_fftwf_estimate_cost, __real_fftwf_estimate_cost;
decltype(fftwf_cost) __wrap_fftwf_cost, __real_fftwf_cost;
}

#include "weft/compat/fftw-mpi/serial.inc"
