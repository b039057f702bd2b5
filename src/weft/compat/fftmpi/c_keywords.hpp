// compat/fftmpi/c_keywords: fftMPI's data by the names that C and Fortran have for them.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/compat/fftmpi/include/weft_fftmpi.h"

namespace FFTMPI_NS {

/// Sets what the keyword names; nothing for one that is not known.
void set_by_name(WeftFft& fft, std::string_view keyword, int value);
/// What the keyword names, or -1.
int int_by_name(const WeftFft& fft, std::string_view keyword);
double double_by_name(const WeftFft& fft, std::string_view keyword);
std::int64_t int64_by_name(const WeftFft& fft, std::string_view keyword);
/// What the keyword names, or null; `length` is that of the string, or the number of trials.
const char* string_by_name(const WeftFft& fft, std::string_view keyword, int* length);
int* ints_by_name(WeftFft& fft, std::string_view keyword, int* length);
double* doubles_by_name(WeftFft& fft, std::string_view keyword, int* length);

}  // namespace FFTMPI_NS
