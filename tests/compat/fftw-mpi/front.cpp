// tests/compat/fftw-mpi/front: a library that has the functions in front of FFTW's, and no plans of
// weft's nor anything else: the program that preloads it has no FFTW, not even that of oneMKL.
#include <cstdlib>

#include "weft/compat/fftw-mpi/plan.hpp"

namespace weft::compat::fftw {

Plan* own(const void*) { return nullptr; }
void destroy(Plan*) noexcept { std::abort(); }
void run(Plan&) noexcept { std::abort(); }
void run(Plan&, void*, void*) noexcept { std::abort(); }
const std::string& text_of(const Plan&) { std::abort(); }
Operations operations_of(const Plan&) { std::abort(); }

}  // namespace weft::compat::fftw
