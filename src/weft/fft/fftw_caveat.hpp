// fft/fftw_caveat: what users should know about the FFTW that this program was linked with.
#pragma once

#include <optional>
#include <string>

namespace weft {

/// The caveat about an FFTW that calls itself `told`: oneMKL exports all functions of FFTW, and
/// replaces it where it is linked first; and a build may share FFTW with the application. Empty if
/// there is nothing to say.
std::optional<std::string> fftw_caveat(const std::string& told, bool is_shared);

}  // namespace weft
