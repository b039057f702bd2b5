// fft/fftw_caveat: reads the version that FFTW tells.

#include "weft/fft/fftw_caveat.hpp"

namespace weft {

std::optional<std::string> fftw_caveat(const std::string& told, bool is_shared) {
  // FFTW says "fftw-3.3.10-sse2-avx", oneMKL "FFTW 3.3.4 wrappers to Intel oneMKL".
  if (told.rfind("fftw-3", 0) != 0)
    return "another library has replaced FFTW's functions in this program: link FFTW before oneMKL";
  if (is_shared)
    return "shared with the application, which must not call fftw_cleanup while there are plans, "
           "nor plan with FFTW in another thread at the same time";
  return std::nullopt;
}

}  // namespace weft
