// compat/fftw-mpi/wrapped_double: FFTW's functions that take plans of double precision, for
// programs that link FFTW's static library: the linker sends calls of fftw_execute to
// __wrap_fftw_execute, and calls of __real_fftw_execute to FFTW's.

#include <fftw3.h>

#include <cstdio>
#include <cstring>

#include "weft/compat/fftw-mpi/plan.hpp"
#include "weft/compat/fftw-mpi/serial.hpp"

using namespace weft::compat::fftw;

#define WEFT_FFTW(name) fftw_##name
#define WEFT_REAL double
#define WEFT_COMPLEX fftw_complex
#define WEFT_DEFINED(name) __wrap_fftw_##name
#define WEFT_ORIGINAL(name) __real_fftw_##name

extern "C" {
extern const Serial __wrap_weft_fftw_serial_double;  // what serial_double says, wrapped as well
const Serial __wrap_weft_fftw_serial_double = {false, fftw_export_wisdom_to_string,
                                               fftw_import_wisdom_from_string, fftw_cleanup};
decltype(fftw_execute) __wrap_fftw_execute, __real_fftw_execute;
decltype(fftw_execute_dft) __wrap_fftw_execute_dft, __real_fftw_execute_dft;
decltype(fftw_execute_dft_r2c) __wrap_fftw_execute_dft_r2c, __real_fftw_execute_dft_r2c;
decltype(fftw_execute_dft_c2r) __wrap_fftw_execute_dft_c2r, __real_fftw_execute_dft_c2r;
decltype(fftw_execute_r2r) __wrap_fftw_execute_r2r, __real_fftw_execute_r2r;
decltype(fftw_destroy_plan) __wrap_fftw_destroy_plan, __real_fftw_destroy_plan;
decltype(fftw_fprint_plan) __wrap_fftw_fprint_plan, __real_fftw_fprint_plan;
decltype(fftw_print_plan) __wrap_fftw_print_plan, __real_fftw_print_plan;
decltype(fftw_sprint_plan) __wrap_fftw_sprint_plan, __real_fftw_sprint_plan;
decltype(fftw_flops) __wrap_fftw_flops, __real_fftw_flops;
decltype(fftw_estimate_cost) __wrap_fftw_estimate_cost, __real_fftw_estimate_cost;
decltype(fftw_cost) __wrap_fftw_cost, __real_fftw_cost;
}

#include "weft/compat/fftw-mpi/serial.inc"
