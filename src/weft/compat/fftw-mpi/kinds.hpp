// compat/fftw-mpi/kinds: which of FFTW's real transforms weft has.
#pragma once

#include <fftw3.h>

#include <optional>
#include <vector>

#include "weft/basis.hpp"

namespace weft::compat::fftw {

/// The bases that forward transforms have for these kinds of axes; nothing if weft lacks one:
/// halfcomplex numbers, Hartley's transform.
std::optional<std::vector<Basis>> bases_of(int axes, const fftw_r2r_kind* kinds);

}  // namespace weft::compat::fftw
